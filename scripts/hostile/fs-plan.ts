// Kind `fs-plan`: steps made for real in a fresh folder, then one act, with others moving things meanwhile where the
// case says so.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadConfig } from '../../src/config/load-config.ts'
import { ToolgateError } from '../../src/errors.ts'
import { grep, ls, readFile, type Tool, writeFile } from '../../src/tools/index.ts'
// Loaded before the clock of a case runs: the tools load it when they are called.
import '../../src/workspace/files/file-tools.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { swapping } from '../../test/workspace/swapping.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { environment, runOf } from './config-yaml.ts'
import { misses, type Told, toldBy } from './expected.ts'
import { toldOf } from './exposed.ts'
import { fullDisk } from './full-disk.ts'
import { makeStep, type Step } from './make-step.ts'
import { watchedFolder } from './watched-folder.ts'
import { inWorld, type World } from './world.ts'

export const fsPlan: Kind = {
  kind: 'fs-plan',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const plan = entryOf(one, dataDir) as unknown as Plan
      const scene = await sceneIn(world)
      const undo: (() => Promise<void> | void)[] = []
      try {
        for (const step of plan.setup) undo.push(await makeStep(resolved(step, scene)))
        const around = watchedFolder(world.root, [scene.workspace.userData])
        const done = await actOf(plan, scene)
        return [...judged(one, done), ...around.changes()]
      } finally {
        for (const back of undo.reverse()) await back()
      }
    }),
}

interface Plan {
  readonly setup: readonly Step[]
  readonly act: { readonly tool: string; readonly path: string; readonly content?: string; readonly pattern?: string }
  readonly race?: { readonly swap: string; readonly with_symlink_to: string; readonly repeat: number }
}

interface Scene {
  readonly world: World
  readonly workspace: Workspace
  /** What stands for the words in dollar signs. */
  readonly places: ReadonlyMap<string, string>
}

async function sceneIn(world: World): Promise<Scene> {
  const threadsFolder = join(world.state, 'threads')
  const workspace = await openWorkspace({ threadsFolder, owner: { user: 'u', thread: 't' } })
  const outside = join(world.root, 'elsewhere')
  mkdirSync(outside)
  await makeStep({ op: 'file', at: join(outside, 'secret.txt'), text: 'CANARY-OUTSIDE' })
  return {
    world,
    workspace,
    places: new Map([
      ['$ROOT', workspace.userData],
      ['$OUTSIDE', outside],
      ['$CONFIG', world.config],
      ['$STATE', world.state],
    ]),
  }
}

function withPlaces(text: string, { places }: Scene): string {
  for (const [word, place] of places)
    if (text === word || text.startsWith(`${word}/`)) return place + text.slice(word.length)
  return text
}

const resolved = (step: Step, scene: Scene): Step => ({
  ...step,
  at: withPlaces(step.at, scene),
  ...(step.to === undefined ? {} : { to: withPlaces(step.to, scene) }),
})

interface Done {
  /** What was answered. Absent: the act failed each time. */
  readonly text?: string
  readonly errors: readonly Told[]
  readonly told?: readonly Told[]
  /** Misses of the act itself. */
  readonly wrong?: readonly string[]
}

const tools: ReadonlyMap<string, Tool> = new Map([
  ['read_file', readFile],
  ['write_file', writeFile],
  ['list_dir', ls],
  ['grep', grep],
])

async function actOf(plan: Plan, scene: Scene): Promise<Done> {
  const { act, race } = plan
  if (act.tool === 'load_config') return loaded(withPlaces(act.path, scene), scene.world)
  if (act.tool === 'save_state') return fullDisk(scene.world.state)
  const tool = tools.get(act.tool)
  if (tool === undefined) throw new Error(`the runner knows no act "${act.tool}"`)
  const { tool: _name, ...args } = act
  const once = async (): Promise<Done> => {
    try {
      return { text: String(await tool.execute?.(args, { workspace: scene.workspace })), errors: [] }
    } catch (error) {
      if (error instanceof ToolgateError) return { errors: [toldBy(error.finding)] }
      throw error
    }
  }
  if (race === undefined) return once()
  const swapper = await swapping([
    { kind: 'away', at: withPlaces(race.swap, scene), to: withPlaces(race.with_symlink_to, scene) },
  ])
  try {
    return await repeated(once, race.repeat)
  } finally {
    await swapper.end()
  }
}

/** Several at a time; every different answer and error is kept, for one bad one among thousands must show. */
async function repeated(once: () => Promise<Done>, times: number): Promise<Done> {
  const texts = new Set<string>()
  const errors = new Map<string, Told>()
  const lanes = 8
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < times / lanes; turn += 1) {
      const done = await once()
      // A refusal may come before anything was waited for, and a loop of these would be one long step.
      await nextTurn()
      if (done.text !== undefined) texts.add(done.text)
      for (const told of done.errors) errors.set(`${told.code} ${told.message}`, told)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { ...(texts.size === 0 ? {} : { text: [...texts].join('\n') }), errors: [...errors.values()] }
}

async function loaded(path: string, world: World): Promise<Done> {
  const found = await loadConfig(path, { environment })
  if (found.config === undefined) return { errors: found.findings.map(toldBy) }
  const run = await runOf(found.config, found, world)
  const { errors, told } = toldOf(run)
  return errors.length > 0 ? { errors, told } : { text: '', errors, told }
}

function judged(one: HostileCase, { text, errors, told = errors, wrong = [] }: Done): string[] {
  const { expect } = one
  const outcome = text === undefined ? 'reject' : 'accept'
  const out = [...misses(one, { outcome, errors, told, shown: text === undefined ? [] : [text] }), ...wrong]
  for (const [fact, value] of outcome === 'reject' ? [] : Object.entries(expect.yields ?? {})) {
    const seen = fact === 'content' ? text : fact === 'matches' ? matchesIn(text ?? '') : undefined
    if (seen === undefined) out.push(`the runner knows no fact "${fact}"`)
    else if (seen !== value) out.push(`${fact} is ${seen}, not ${String(value)}`)
  }
  for (const invariant of expect.invariants ?? [])
    if (!known.has(invariant)) out.push(`the runner knows no invariant "${invariant}"`)
  return out
}

/** Looked at in every case, or by the act. */
const known: ReadonlySet<string> = new Set(['no-canary', 'outside-unchanged', 'last-good'])

/** Lines of grep that are matches and no notes. */
const matchesIn = (text: string): number => text.split('\n').filter((line) => /^\/mnt\/.*:\d+: /.test(line)).length
