// Kind `bash`: a command, called as a model calls it, in a thread of a configuration in service. Outside of the thread
// lie a secret file, a secret variable and a port that nothing may reach.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load-config.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { ToolgateError } from '../../src/errors.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { openToolbox } from '../../src/runtime/toolbox.ts'
import { bash as bashTool } from '../../src/tools/index.ts'
// Loaded before the clock of a case runs: the tool loads it when it is called.
import '../../src/workspace/sandbox/bash-tool.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { type Expectation, entryOf, type HostileCase, type Kind } from './case.ts'
import { environment } from './config-yaml.ts'
import { canary, misses, type Told, toldBy } from './expected.ts'
import { watchedFolder } from './watched-folder.ts'
import { inWorld, type World } from './world.ts'

export const bash: Kind = {
  kind: 'bash',
  needs,
  run: async (one, dataDir) => {
    // Where it is fed all the same, that is the one thing to say.
    const missing = needs(one)
    if (missing !== undefined) return [missing]
    return inWorld((world) => withPort((port, reached) => fed(one, dataDir, { world, port, reached })))
  },
}

/** What this kind has beside the expectations of all. */
type BashExpectation = Expectation & { readonly limit_ms?: number; readonly world?: string }

/** Asked once: whether the program is there, not whether the product finds it. */
let hasBubblewrap: boolean | undefined

/** A case whose world has no sandbox needs none. */
function needs({ expect }: HostileCase): string | undefined {
  if ((expect as BashExpectation).world !== undefined) return undefined
  hasBubblewrap ??= spawnSync('bwrap', ['--version']).status === 0
  return hasBubblewrap ? undefined : 'it needs bubblewrap (Debian package bubblewrap), which is not on this machine'
}

interface Around {
  readonly world: World
  readonly port: number
  readonly reached: () => boolean
}

const owner = { user: 'u', thread: 't' }
const secretText = 'CANARY-OUTSIDE'

async function fed(one: HostileCase, dataDir: string, { world, port, reached }: Around): Promise<readonly string[]> {
  const expect: BashExpectation = one.expect
  const outside = join(world.root, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), secretText)
  const args = argumentsOf(entryOf(one, dataDir).command, expect, { outside, port })
  const workspace = await openWorkspace({ threadsFolder: join(world.state, 'threads'), owner })
  const around = watchedFolder(outside, [])

  const answer = await called(args, expect.world === undefined ? 'namespace' : 'none', world)
  const { text, errors, left } = answer
  const outcome = errors.length > 0 ? 'reject' : /\bleft out here\b/.test(text) ? 'sanitize' : 'accept'
  const out = misses(one, { outcome, errors, told: errors, shown: [text] })
  if (outcome !== 'reject') out.push(...notYielded(expect, text))
  // The command may name a folder of the host; that the thread lies in one is told by nobody.
  if (text.includes(workspace.userData)) out.push(`the folder of the thread is shown: ${printable(text, 200)}`)
  const seen = { text, left, changes: around.changes(), reached, workspace }
  return [...out, ...(expect.invariants ?? []).flatMap((invariant) => broken(invariant, seen))]
}

function argumentsOf(
  given: unknown,
  { limit_ms: limitMs }: BashExpectation,
  { outside, port }: { readonly outside: string; readonly port: number },
): JsonObject {
  const more = typeof given === 'object' && given !== null ? (given as JsonObject) : { command: String(given) }
  const hex = [...Buffer.from(join(outside, 'secret.txt'))].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  const command = String(more.command)
    .replaceAll('$OUTSIDE_SECRET_HEX', hex.join(''))
    .replaceAll('$OUTSIDE_REL', outside.slice(1))
    .replaceAll('$OUTSIDE', outside)
    .replaceAll('$CANARY_PORT', String(port))
  return { ...more, command, ...(limitMs === undefined ? {} : { timeout_s: Math.ceil(limitMs / 1000) }) }
}

interface Answer {
  readonly text: string
  /** What speaks for a reject. `[]`: the command was carried out, whatever its exit code. */
  readonly errors: readonly Told[]
  /** Processes that ran in the thread's folders right after the answer. */
  readonly left: readonly number[]
}

/** By the one way that there is, with a secret in the variables of this process; where it must be refused, past the gate as well. */
async function called(args: JsonObject, sandbox: 'namespace' | 'none', world: World): Promise<Answer> {
  const kind = sandbox === 'none' ? 'none' : 'auto'
  const tools = 'tools: [{name: bash, use: "toolgate/tools:bash"}]'
  const text = `version: 1\n${tools}\nsandbox: {kind: ${kind}, allow_host_bash: false}\n`
  const file = world.write('toolgate.yaml', text)
  const { config, findings } = await loadConfig(file, { environment })
  if (config === undefined) throw new Error(findings[0]?.message)
  process.env.TOOLGATE_TEST_SECRET = 'CANARY-ENVIRONMENT'
  const toolbox = await openToolbox({ config, owner, stateFolder: world.state, environment })
  try {
    const thread = await toolbox.callsOf(owner)
    const outcome = await thread.call({ name: 'bash', args })
    const left = runningIn(await openWorkspace({ threadsFolder: join(world.state, 'threads'), owner }))
    const { text, errors } = told(outcome)
    return { text, left, errors: sandbox === 'none' ? [...errors, await pastTheGate(args)] : errors }
  } finally {
    delete process.env.TOOLGATE_TEST_SECRET
    await toolbox.close()
  }
}

function told(outcome: CallOutcome): Pick<Answer, 'text' | 'errors'> {
  if (outcome.kind !== 'result')
    return { text: '', errors: [toldBy({ ...outcome, severity: 'error', hint: outcome.action })] }
  const text = outcome.content.map((block) => String(block.text)).join('')
  const last = text.slice(text.lastIndexOf('\n') + 1)
  const message = { code: 'tool-error', severity: 'error', message: last } as const
  return { text, errors: outcome.isError ? [toldBy(message)] : [] }
}

/** The tool itself refuses where nobody hands it a shell. */
async function pastTheGate(args: JsonObject): Promise<Told> {
  try {
    await bashTool.execute?.(args, {})
  } catch (error) {
    if (error instanceof ToolgateError) return toldBy(error.finding)
    throw error
  }
  throw new Error('the tool ran without a shell')
}

/** The output without the last line, which is the tool's own. */
function notYielded({ yields = {} }: Expectation, text: string): readonly string[] {
  const output = text.replace(/\n?\[[^\n]*\]$/, '')
  return Object.entries(yields).flatMap(([fact, value]) => {
    if (fact === 'stdout') {
      const isSame = output === String(value).replace(/\n$/, '')
      return isSame ? [] : [`it printed ${printable(output, 200)}, not ${printable(String(value), 200)}`]
    }
    if (fact === 'env_only' && Array.isArray(value)) {
      const names = output.split('\n').map((line) => line.split('=', 1)[0] ?? '')
      return names.filter((name) => !value.includes(name)).map((name) => `the variable ${printable(name)} is there`)
    }
    return [`the runner knows no fact "${fact}"`]
  })
}

interface Seen {
  readonly text: string
  readonly left: readonly number[]
  readonly changes: readonly string[]
  readonly reached: () => boolean
  readonly workspace: Workspace
}

function broken(invariant: string, { text, left, changes, reached, workspace }: Seen): readonly string[] {
  switch (invariant) {
    case 'no-canary':
      return canary.test(text) || canary.test(textsIn(workspace)) ? ['a secret came through'] : []
    case 'outside-unchanged':
      return changes.map((change) => `outside: ${change}`)
    case 'no-orphan':
      return left.map((pid) => `process ${pid} is left`)
    case 'not-executed':
      return text === '' ? [] : ['it was carried out']
    case 'port-not-reached':
      return reached() ? ['the port was reached'] : []
    case 'host-alive':
      return spawnSync('true', { timeout: 2000 }).status === 0 ? [] : ['nothing can be started on the machine']
  }
  return [`the runner knows no invariant "${invariant}"`]
}

/** Every file that the command left, as one text. */
function textsIn({ cwd }: Workspace): string {
  return readdirSync(cwd, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).subarray(0, 65_536).toString('latin1'))
    .join('\n')
}

/** Processes in whose sandbox this thread's folder is mounted, and whatever runs bubblewrap below us. */
function runningIn({ cwd }: Workspace): readonly number[] {
  const { dev, ino } = statSync(cwd)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isMountedIn(pid, dev, ino) || isOurBubblewrap(pid))
    .map(Number)
}

function isMountedIn(pid: string, dev: number, ino: number): boolean {
  try {
    const found = statSync(`/proc/${pid}/root/mnt/user-data/workspace`)
    return found.dev === dev && found.ino === ino
  } catch {
    return false
  }
}

function isOurBubblewrap(pid: string): boolean {
  try {
    const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    return name === 'bwrap' && state !== 'Z' && Number(parent) === process.pid
  } catch {
    return false
  }
}

/** A port of this machine that knows whether anybody came. */
async function withPort<T>(use: (port: number, reached: () => boolean) => Promise<T>): Promise<T> {
  let count = 0
  const server: Server = createServer((_request, response) => response.end('CANARY-PORT'))
  server.on('connection', () => {
    count += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use((server.address() as AddressInfo).port, () => count > 0)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
