// Kind `call-name`: a name, as the tool of a call, by each way in which somebody can call. The tools behind it are
// modules of this process and one real server, which tell whether anything reached them.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childRun } from '../../src/assembly/derived-run.ts'
import { call as callCommand } from '../../src/cli/commands/call.ts'
import { parseFlags } from '../../src/cli/flags.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { errorCodes, ToolgateError } from '../../src/errors.ts'
import { clientDesk } from '../../src/gateway/client-desk.ts'
import { openClientSession } from '../../src/gateway/client-session.ts'
import { WireError } from '../../src/gateway/service.ts'
import { defaultView } from '../../src/gateway/view-policy.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { openToolbox, type Toolbox } from '../../src/runtime/toolbox.ts'
import type { Calls } from '../../src/runtime/view.ts'
// Loaded before the clock of a case runs.
import '../../src/sessions/listing/list-server.ts'
import { openState } from '../../src/state/open-state.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { environment } from './config-yaml.ts'
import { misses, type Observed, type Told, toldBy } from './expected.ts'
import { scriptedProgram } from './scripted-program.ts'
import { inWorld, type World } from './world.ts'

export const callName: Kind = {
  kind: 'call-name',
  // The driver of the store is loaded with the first store.
  prepare: async () => (await openState('sqlite::memory:')).close(),
  run: (one, dataDir) => inWorld((world) => fed(one, dataDir, world)),
}

/** What came of one way, and what was executed on it. */
interface Way {
  readonly observed: Observed
  readonly executed: readonly string[]
}

interface Scene {
  readonly world: World
  readonly file: string
  readonly toolbox: Toolbox
  /** As it was given, which may be no text. */
  readonly name: unknown
}

const ways: ReadonlyMap<string, (scene: Scene) => Promise<Observed>> = new Map([
  ['library', throughLibrary],
  ['cli', throughCli],
  ['tool_search select', throughSelect],
  ['subagent', throughSubagent],
  ['route', throughRoute],
  ['gateway', throughGateway],
])

async function fed(one: HostileCase, dataDir: string, world: World): Promise<readonly string[]> {
  const { call: name } = entryOf(one, dataDir)
  const file = world.write('toolgate.json', JSON.stringify(configuration(world)))
  const { config, findings } = await loadConfig(file, { environment })
  if (config === undefined) throw new Error(`the configuration around the tools was refused: ${findings[0]?.message}`)
  const asked = one.through ?? []
  const toolbox = await openToolbox({ config, owner: ownerOf('listing'), environment })
  const out = asked.length === 0 ? ['there is no way in that is fed'] : worldFaults(toolbox)
  try {
    for (const word of asked) {
      const way = ways.get(word)
      if (way === undefined) {
        out.push(`the runner knows no way "${printable(word, 40)}"`)
        continue
      }
      const before = executedIn(world).length
      const observed = await way({ world, file, toolbox, name })
      const executed = executedIn(world).slice(before)
      for (const miss of judged(one, { observed, executed })) out.push(`${word}: ${miss}`)
    }
  } finally {
    await toolbox.close()
  }
  return out
}

function judged(one: HostileCase, { observed, executed }: Way): readonly string[] {
  const out = misses(one, observed)
  if (observed.outcome === 'reject' && executed.length > 0) out.push(`it was executed: ${executed.join(', ')}`)
  for (const [fact, value] of Object.entries(one.expect.yields ?? {})) {
    if (fact !== 'executed') out.push(`the runner knows no fact "${fact}"`)
    else if (executed.join() !== String(value)) out.push(`what was executed is ${executed.join() || 'nothing'}`)
  }
  for (const invariant of one.expect.invariants ?? []) {
    // Pollution is looked at in every case.
    if (invariant === 'no-pollution') continue
    if (invariant !== 'not-executed') out.push(`the runner knows no invariant "${invariant}"`)
    else if (executed.length > 0) out.push(`it was executed: ${executed.join(', ')}`)
  }
  return out
}

// ── the world ──

const executedFile = (world: World): string => join(world.state, 'executed')
const recordFile = (world: World): string => join(world.state, 'received.jsonl')

const recordingTool = (name: string, world: World, more = ''): string => `
export const ${name} = {
  name: '${name}',
  description: 'A tool for the test.',
  inputSchema: { type: 'object', properties: {} },
  ${more}
  execute: async () => {
    appendFileSync(${JSON.stringify(executedFile(world))}, '${name}\\n')
    return 'done'
  },
}
`

function configuration(world: World) {
  const tools = `import { appendFileSync } from 'node:fs'
${recordingTool('bash', world)}${recordingTool('read_file', world)}`
  world.write('tools.mjs', tools)
  const listed = ['git_push', 'issues_create'].map((name) => ({
    name,
    description: 'A tool for the test.',
    inputSchema: { type: 'object', properties: {} },
  }))
  const plan: ServerPlan = { pages: [{ tools: listed }], record: recordFile(world) }
  const server = {
    command: process.execPath,
    args: [scriptedProgram, `@${world.write('plan.json', JSON.stringify(plan))}`],
    tool_name_prefix: false,
    // So that routing has something to do; no case says this word.
    tools: { git_push: { keywords: ['tickets'] }, issues_create: { keywords: ['tickets'] } },
  }
  return {
    version: 1,
    state: { url: `sqlite:${world.state}/state.db` },
    tools: ['bash', 'read_file'].map((name) => ({ name, use: `./tools.mjs:${name}` })),
    deny_tools: ['bash'],
    deny_prefixes: ['git_'],
    tool_search: { enabled: true, always: ['read_file'] },
    agents: { main: {}, reader: {} },
    delegation: { enabled: true },
    mcp_servers: { work: server },
  }
}

/** The world must be what the data says; otherwise a case passes for another reason. */
function worldFaults(toolbox: Toolbox): string[] {
  const { surface } = toolbox.current().run
  const wanted = {
    bash: 'excluded',
    read_file: 'eager',
    git_push: 'excluded',
    issues_create: 'deferred',
    task: 'eager',
  }
  return Object.entries(wanted).flatMap(([name, outcome]) => {
    const found = surface.decisions.find((decision) => decision.candidate.originalName === name)
    return found?.outcome === outcome
      ? []
      : [`${name} is ${found?.outcome ?? 'not there'} (${found?.code}), not ${outcome}`]
  })
}

/** What was reached, tools of modules and of the server alike, in no order between the two. */
function executedIn(world: World): readonly string[] {
  const linesOf = (file: string): readonly string[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  const received = linesOf(recordFile(world)).map((line) => JSON.parse(line) as ReceivedMessage)
  const called = received.filter(({ method }) => method === 'tools/call').map(({ params }) => String(params?.name))
  return [...linesOf(executedFile(world)), ...called]
}

// ── the ways ──

const ownerOf = (thread: string) => ({ user: 'u', thread })

/** As a caller of the library that trusts nobody's types would hand it on. */
const calledWith = async (calls: Calls, name: unknown): Promise<Observed> =>
  observedOf(await calls.call({ name: name as string, args: {} }))

/** Where only a text can be written: what is none, as its JSON. */
const asWritten = (name: unknown): string => (typeof name === 'string' ? name : JSON.stringify(name as Json))

async function throughLibrary({ toolbox, name }: Scene): Promise<Observed> {
  return calledWith(await toolbox.callsOf(ownerOf('library')), name)
}

async function throughSubagent({ toolbox, name }: Scene): Promise<Observed> {
  const child = toolbox.derived((run) => childRun(run, 'reader'))
  return calledWith(await child.callsOf(ownerOf('subagent')), name)
}

/** Asks for the definition first, as a model does that has read the name somewhere. */
async function throughSelect({ toolbox, name }: Scene): Promise<Observed> {
  const calls = await toolbox.callsOf(ownerOf('select'))
  const search = await calls.call({ name: 'tool_search', args: { query: `select:${asWritten(name)}` } })
  const loaded = (await calls.promoted()).map((promotion) => promotion.name)
  const called = await calledWith(calls, name)
  return withShown(
    called,
    [JSON.stringify(search), ...(loaded.length === 0 ? [] : [`loaded ${loaded.join()}`])],
    loaded,
  )
}

/** The name as the words of a person, and then as a call. */
async function throughRoute({ toolbox, name }: Scene): Promise<Observed> {
  const calls = await toolbox.callsOf(ownerOf('route'))
  const loaded = (await calls.route([{ role: 'user', text: asWritten(name) }])).map((promotion) => promotion.name)
  return withShown(await calledWith(calls, name), [], loaded)
}

/** What is loaded on the way to a name that nobody may call is as wrong as a call. */
function withShown(observed: Observed, shown: readonly string[], loaded: readonly string[]): Observed {
  const outcome = loaded.length > 0 ? 'accept' : observed.outcome
  return { ...observed, outcome, shown: [...observed.shown, ...shown] }
}

function observedOf(outcome: CallOutcome): Observed {
  if (outcome.kind === 'result')
    return { outcome: outcome.isError ? 'reject' : 'accept', errors: [], told: [], shown: [JSON.stringify(outcome)] }
  const told = toldBy({ ...outcome, severity: 'error', hint: outcome.action })
  const errors = [{ ...told, subject: gateWord(outcome.code) }]
  return { outcome: 'reject', errors, told: errors, shown: [] }
}

/** Whatever gate took a tool away: a call of it is denied, with the code of that gate. */
const gateWord = (code: string): string => (Object.hasOwn(errorCodes, code) ? '' : 'denied by a gate')

/** As a client of the gateway, behind whatever wire, in either revision: by its name, and through `call_tool`. */
async function throughGateway({ toolbox, name }: Scene): Promise<Observed> {
  const seen: Observed[] = []
  for (const era of ['legacy', 'modern'] as const) {
    const nobody = () => Promise.reject(new WireError(-32601, 'nobody is there'))
    const client = {
      view: 'default',
      user: 'u',
      thread: `gateway-${era}`,
      era,
      capabilities: {},
      notify: () => {},
      ask: nobody,
    }
    const session = await openClientSession({
      toolbox,
      desk: clientDesk(),
      client,
      config: defaultView,
      serverInfo: {},
    })
    const context = { signal: new AbortController().signal, progress: () => {}, notify: () => {}, ask: nobody }
    for (const params of [
      { name, arguments: {} },
      { name: 'call_tool', arguments: { name, arguments: {} } },
    ]) {
      // A name that is let through is let through once: what is executed is counted.
      if (seen.some(({ outcome }) => outcome === 'accept')) break
      seen.push(await session.request('tools/call', params as never, context).then(observedResult, observedError))
    }
    await session.close()
  }
  return seen.find(({ outcome }) => outcome === 'accept') ?? (seen[0] as Observed)
}

function observedResult(result: JsonObject): Observed {
  const { _meta, isError } = result as {
    readonly _meta?: { readonly [key: string]: { readonly code: string } }
    readonly isError?: boolean
  }
  const code = _meta?.['toolgate/refusal']?.code
  if (code === undefined)
    return { outcome: isError === true ? 'reject' : 'accept', errors: [], told: [], shown: [JSON.stringify(result)] }
  const told = { code, subject: gateWord(code), message: JSON.stringify(result), hint: '', at: '' }
  return { outcome: 'reject', errors: [told], told: [told], shown: [] }
}

function observedError(error: unknown): Observed {
  if (!(error instanceof WireError)) throw error
  const code = (error.data as { readonly code?: string } | undefined)?.code ?? ''
  const told = { code, subject: '', message: error.message, hint: '', at: '' }
  return { outcome: 'reject', errors: [told], told: [told], shown: [] }
}

/** The command itself, in this process, with what it prints. */
async function throughCli({ file, name }: Scene): Promise<Observed> {
  const printed: string[] = []
  const noted: string[] = []
  const words = ['--config', file, '--user', 'u', '--thread', 'cli', '--no-color', '--', asWritten(name)]
  const flags = parseFlags(words, callCommand.flags)
  const terminal = terminalInto(printed, noted)
  const prepare = () => Promise.reject(new Error('a call prepares nothing'))
  try {
    const code = await callCommand.run({ flags, terminal, positionals: flags.positionals, prepare })
    const errors = noted.flatMap((text) => text.split('\n')).map((line) => lineTold(line, noted[0] ?? ''))
    return { outcome: code === 0 ? 'accept' : 'reject', errors, told: errors, shown: printed }
  } catch (error) {
    if (!(error instanceof ToolgateError)) throw error
    const errors = [toldBy(error.finding)]
    return { outcome: 'reject', errors, told: errors, shown: printed }
  }
}

/** A line of standard error; the code of the error stands in the first. */
function lineTold(line: string, first: string): Told {
  const [, code = ''] = /^error (\S+)/.exec(first) ?? []
  return { code, subject: '', message: line, hint: '', at: '' }
}

function terminalInto(printed: string[], noted: string[]): Terminal {
  const same = (text: string): string => text
  const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
  return {
    print: (text) => printed.push(text),
    write: (text) => printed.push(text),
    note: (text) => noted.push(text),
    progress: () => {},
    settle: () => {},
    paint,
    notePaint: paint,
    width: 100,
  }
}
