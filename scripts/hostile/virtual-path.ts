// Kind `virtual-path`: an operation of the file tools and a path, in a thread with skills.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'
import { ToolgateError } from '../../src/errors.ts'
import { ls, readFile, type Tool, writeFile } from '../../src/tools/index.ts'
// Loaded before the clock of a case runs: the tools load it when they are called.
import '../../src/workspace/files/file-tools.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { parseVirtualPath } from '../../src/workspace/virtual-path.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { entryOf, type HostileCase, type Kind, type Outcome } from './case.ts'
import { misses, type Told, toldBy } from './expected.ts'
import { watchedFolder } from './watched-folder.ts'
import { inWorld, type World } from './world.ts'

export const virtualPath: Kind = {
  kind: 'virtual-path',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const { op, path } = entryOf(one, dataDir)
      const workspace = await threadIn(world)
      const meant = one.expect.yields?.canonical ?? one.expect.to ?? path
      if (op === 'read' && mayPass(one)) placeFile(workspace, String(meant))
      const around = watchedFolder(
        world.state,
        workspace.roots.map(({ host }) => host),
      )
      const done = await attempt(String(op), path, workspace)
      return [...judged(one, done, workspace), ...around.changes(), ...world.changes()]
    }),
}

const small = 'a small file'
const canaryText = 'CANARY-AROUND'

/** The thread of the case, with a mark wherever a step upwards would lead. In the state folder, where a thread's files may change. */
async function threadIn(world: World): Promise<Workspace> {
  const skills = join(world.state, 'skills')
  mkdirSync(join(skills, 'public/x'), { recursive: true })
  writeFileSync(join(skills, 'public/SKILL.md'), 'A skill.')
  const threadsFolder = join(world.state, 'threads')
  const workspace = await openWorkspace({ threadsFolder, owner: { user: 'u', thread: 't' }, skillsFolders: [skills] })
  for (const folder of [workspace.userData, dirname(workspace.userData), dirname(dirname(workspace.userData))]) {
    for (const name of ['etc/passwd', 'secret', 'notes.txt', 'uploads/a.pdf']) {
      mkdirSync(join(folder, dirname(name)), { recursive: true })
      writeFileSync(join(folder, name), canaryText)
    }
  }
  return workspace
}

const mayPass = ({ expect }: HostileCase): boolean =>
  [expect.outcome, ...(expect.or ?? [])].some((word) => word !== 'reject')

function placeFile({ userData }: Workspace, path: string): void {
  const file = join(userData, path.replace(/^\/mnt\/user-data\//, ''))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, small)
}

interface Done {
  readonly op: string
  readonly path: unknown
  /** What the tool answered. Absent: it failed. */
  readonly text?: string
  readonly errors: readonly Told[]
}

async function attempt(op: string, path: unknown, workspace: Workspace): Promise<Done> {
  const tools: { readonly [op: string]: readonly [Tool, JsonObject] } = {
    read: [readFile, {}],
    list: [ls, {}],
    write: [writeFile, { content: small }],
  }
  const found = Object.hasOwn(tools, op) ? tools[op] : undefined
  if (found === undefined) throw new Error(`the runner knows no operation "${op}"`)
  const [tool, args] = found
  try {
    return { op, path, text: String(await tool.execute?.({ ...args, path } as JsonObject, { workspace })), errors: [] }
  } catch (error) {
    if (error instanceof ToolgateError) return { op, path, errors: [toldBy(error.finding)] }
    throw error
  }
}

function judged(one: HostileCase, { op, path, text, errors }: Done, workspace: Workspace): string[] {
  const parsed = parseVirtualPath(path, workspace.roots)
  const canonical = 'fault' in parsed ? undefined : parsed.canonical
  const outcome: Outcome = text === undefined ? 'reject' : canonical === path ? 'accept' : 'sanitize'
  const out = misses(one, { outcome, errors, told: errors, shown: text === undefined ? [] : [text] })
  const { expect } = one
  if (outcome === 'sanitize' && expect.to !== undefined && canonical !== expect.to) out.push(`it became ${canonical}`)
  if (outcome !== 'reject') {
    for (const [fact, value] of Object.entries(expect.yields ?? {})) {
      if (fact !== 'canonical') out.push(`the runner knows no fact "${fact}"`)
      else if (value !== canonical) out.push(`canonical is ${canonical}, not ${String(value)}`)
    }
    if (op === 'read' && text !== small) out.push('another file was read')
  }
  for (const invariant of expect.invariants ?? [])
    if (invariant !== 'no-canary') out.push(`the runner knows no invariant "${invariant}"`)
  return out
}
