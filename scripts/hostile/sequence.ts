// Kind `sequence`: steps in order, on a configuration in service with real server processes and a real store. What
// the servers offer, and the configuration itself, are changed as people change them: in files.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { approve } from '../../src/assembly/pins-approve.ts'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { printable } from '../../src/core/printable.ts'
import { runCatalogs } from '../../src/runtime/run-catalogs.ts'
import { threadCatalog } from '../../src/runtime/thread-catalog.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { openToolbox, type Toolbox } from '../../src/runtime/toolbox.ts'
import type { Calls } from '../../src/runtime/view.ts'
// Loaded before the clock of a case runs.
import '../../src/sessions/listing/list-server.ts'
import { openState } from '../../src/state/open-state.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { entryOf, type Kind } from './case.ts'
import { environment } from './config-yaml.ts'
import { misses } from './expected.ts'
import { scriptedProgram } from './scripted-program.ts'
import { inWorld, type World } from './world.ts'

export const sequence: Kind = {
  kind: 'sequence',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const { steps } = entryOf(one, dataDir) as unknown as { readonly steps: readonly Step[] }
      const scene = sceneIn(world, steps)
      const out: string[] = []
      try {
        for (const [at, step] of steps.entries())
          for (const miss of await taken(step, scene)) out.push(`step ${at}: ${miss}`)
      } finally {
        await scene.toolbox?.close()
      }
      const observed = { outcome: 'accept' as const, errors: [], told: [], shown: [] }
      return [...out, ...misses(one, observed)]
    }),
}

interface Offered {
  readonly server: string
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
}

interface Step {
  readonly catalog?: readonly Offered[]
  readonly config?: { readonly [key: string]: unknown }
  readonly config_text?: string
  readonly promote?: readonly string[]
  readonly visible?: readonly string[]
  readonly call?: string
  readonly start_call?: string
  readonly finish_call?: string
  readonly ms?: number
  readonly result?: string
  readonly turn?: number
  readonly begin_search?: string
  readonly select?: readonly string[]
  readonly finish_search?: string
  readonly active?: number
  readonly error_names?: string
  readonly approve?: string
  readonly state?: string
  readonly is?: string
  readonly subagent?: { readonly allowed_tools: readonly string[] }
  readonly subagent_visible?: readonly string[]
}

interface Scene {
  readonly world: World
  readonly pins: boolean
  toolbox?: Toolbox
  calls?: Calls
  offered: readonly Offered[]
  more: { readonly [key: string]: unknown }
  /** Texts of the configuration in their order, as they were written. */
  readonly texts: string[]
  readonly running: Map<string, Promise<CallOutcome>>
  /** Searches that are held where they would promote: what lets them go on, and their end. */
  readonly searching: Map<string, { readonly goOn: () => void; readonly done: Promise<unknown> }>
  childVisible: readonly string[]
}

const owner = { user: 'u', thread: 't' }

const sceneIn = (world: World, steps: readonly Step[]): Scene => ({
  world,
  pins: steps.some((step) => step.approve !== undefined),
  offered: [],
  more: {},
  texts: [],
  running: new Map(),
  searching: new Map(),
  childVisible: [],
})

async function taken(step: Step, scene: Scene): Promise<readonly string[]> {
  if (step.catalog !== undefined) return offers(step.catalog, scene)
  if (step.config !== undefined) return configured(step.config, scene)
  if (step.config_text !== undefined) return written(step.config_text, scene)
  if (step.active !== undefined) return inForce(step.active, step.error_names, scene)
  if (step.approve !== undefined) {
    await approve(runOf(scene), [step.approve], { stateFolder: scene.world.state, environment })
    await service(scene).refresh('it was approved')
    return []
  }
  if (step.promote !== undefined) return promoted(step.promote, scene)
  if (step.visible !== undefined) return differences(await visibleNames(scene), step.visible)
  if (step.begin_search !== undefined) return searchBegun(step.begin_search, step.select ?? [], scene)
  if (step.finish_search !== undefined) return searchFinished(step.finish_search, scene)
  if (step.start_call !== undefined) return callStarted(step.start_call, scene)
  if (step.finish_call !== undefined) {
    const outcome = await scene.running.get(step.finish_call)
    const isRight = outcome?.kind === 'result' || (outcome?.kind === 'failed' && outcome.code === 'call-cancelled')
    return isRight ? [] : [`the call that ran came out as ${JSON.stringify(outcome)?.slice(0, 200)}`]
  }
  if (step.call !== undefined) return answered(step.call, String(step.result), scene)
  if (step.state !== undefined) {
    const codes = runOf(scene)
      .surface.named(step.state)
      .map(({ code }) => code)
    return codes.includes(String(step.is)) ? [] : [`${step.state} is ${codes.join(', ')}, not ${step.is}`]
  }
  if (step.subagent !== undefined) return childStarted(step.subagent.allowed_tools, scene)
  if (step.subagent_visible !== undefined) return differences(scene.childVisible, step.subagent_visible)
  // A turn: promotions are the state of the thread, and nothing of them hangs on one turn.
  if (step.turn !== undefined) return []
  return [`the runner knows no step ${JSON.stringify(step)}`]
}

const service = (scene: Scene): Toolbox => {
  if (scene.toolbox === undefined) throw new Error('nothing is in service yet')
  return scene.toolbox
}
const threadOf = (scene: Scene): Calls => {
  if (scene.calls === undefined) throw new Error('nothing is in service yet')
  return scene.calls
}
const runOf = (scene: Scene) => service(scene).current().run

// ── files ──

const configPath = ({ world }: Scene) => `${world.config}/toolgate.yaml`
const load = (scene: Scene): Promise<LoadedConfig> => loadConfig(configPath(scene), { environment })

async function offers(offered: readonly Offered[], scene: Scene): Promise<readonly string[]> {
  const before = serversOf(scene.offered)
  scene.offered = offered
  const { toolbox } = scene
  const text = configText(scene)
  if (toolbox === undefined || !isDeepStrictEqual(before, serversOf(offered))) return changed(text, scene)
  // The same servers list something else: they are what they were, started anew.
  await toolbox.endThread(owner)
  await toolbox.refresh('the lists changed', before)
  return []
}

async function configured(more: NonNullable<Step['config']>, scene: Scene): Promise<readonly string[]> {
  scene.more = { ...scene.more, ...more }
  return changed(configText(scene), scene)
}

const serversOf = (offered: readonly Offered[]): readonly string[] => [...new Set(offered.map(({ server }) => server))]

function configText(scene: Scene): string {
  const { world, offered, more, pins } = scene
  const servers = serversOf(offered).map((server) => {
    const tools = offered.filter((tool) => tool.server === server).map(({ server: _, ...tool }) => tool)
    return [server, serverEntry(world, server, { pages: [{ tools }] })] as const
  })
  return JSON.stringify({
    ...more,
    tool_search: { enabled: true },
    ...(pins ? { pins: { enabled: true } } : {}),
    // A child without a search tool would be given all its schemas at once; here it is to have what it may load.
    agents: { main: {}, helper: { tools: ['a', 'b', 'task', 'bash', 'tool_search'] } },
    mcp_servers: Object.fromEntries(servers),
  })
}

function serverEntry(world: World, name: string, plan: ServerPlan) {
  const path = world.write(`plans/${name}.json`, JSON.stringify(plan))
  return { command: process.execPath, args: [scriptedProgram, `@${path}`], tool_name_prefix: false }
}

/** Writes the file and waits until it is in force, or refused. */
async function changed(text: string, scene: Scene): Promise<readonly string[]> {
  scene.world.write('toolgate.yaml', text)
  const { toolbox } = scene
  if (toolbox === undefined) return opened(scene)
  const before = toolbox.current().number
  await waitFor(() => toolbox.current().number > before)
  return []
}

async function opened(scene: Scene): Promise<readonly string[]> {
  const { config, findings } = await load(scene)
  if (config === undefined) throw new Error(`the configuration was refused: ${findings[0]?.message}`)
  const { state } = scene.world
  scene.toolbox = await openToolbox({ config, owner, stateFolder: state, environment, reload: () => load(scene) })
  scene.calls = await scene.toolbox.callsOf(owner)
  return []
}

const slowServer = (scene: Scene, ms: number): string => {
  const tool = { name: 'slow', description: 'x', inputSchema: { type: 'object' } }
  const entry = serverEntry(scene.world, 'w', { pages: [{ tools: [tool] }], calls: { slow: { afterMs: ms } } })
  return `tool_search: { enabled: false }\nmcp_servers: { w: ${JSON.stringify(entry)} }\n`
}

async function written(text: string, scene: Scene): Promise<readonly string[]> {
  // What is empty or broken stays so; what is whole gets the server of the calls beside it.
  const whole = text === '' || text.includes('[\n') ? text : text + slowServer(scene, 500)
  scene.texts.push(whole)
  scene.world.write('toolgate.yaml', whole)
  if (scene.toolbox === undefined) return opened(scene)
  // An edit is looked at within a second; one that changes nothing gives no sign.
  await sleep(1500)
  return []
}

async function inForce(number: number, names: string | undefined, scene: Scene): Promise<readonly string[]> {
  const toolbox = service(scene)
  const wanted = await rulesIn(scene.texts[number - 1] ?? '', scene)
  const isInForce = () =>
    isDeepStrictEqual(
      toolbox.current().config.permissions.rules.map(({ effect, text }) => `${effect} ${text}`),
      wanted,
    )
  await waitFor(isInForce)
  const { rejectedEdit = [] } = toolbox.current()
  const out = isInForce() ? [] : [`what is in force is not configuration ${number}`]
  const isNamed = rejectedEdit.some(
    ({ origin, message }) => message.includes(String(names)) || origin?.line !== undefined,
  )
  if (names !== undefined && !isNamed) out.push(`no finding names the ${names}`)
  return out
}

/** The rules of a text, read beside the file that is in service. */
async function rulesIn(text: string, { world }: Scene): Promise<readonly string[]> {
  const { config } = await loadConfig(world.write('beside.yaml', text), { environment })
  return (config?.permissions.rules ?? []).map(({ effect, text: rule }) => `${effect} ${rule}`)
}

// ── tools ──

async function promoted(names: readonly string[], scene: Scene): Promise<readonly string[]> {
  const outcome = await threadOf(scene).call({ name: 'tool_search', args: { query: `select:${names.join(',')}` } })
  return outcome.kind === 'result' ? [] : [`the search came out as ${outcome.code}: ${outcome.message}`]
}

/** Deferred tools whose definition the model gets now. */
async function visibleNames(scene: Scene): Promise<readonly string[]> {
  const { tools } = await threadOf(scene).visible()
  return tools.filter(({ outcome }) => outcome === 'deferred').map(({ name }) => name)
}

const differences = (seen: readonly string[], wanted: readonly string[]): readonly string[] =>
  isDeepStrictEqual([...seen].sort(), [...wanted].sort())
    ? []
    : [`visible is ${seen.join(', ') || 'nothing'}, not ${wanted.join(', ') || 'nothing'}`]

/** The search that the tool makes, over the same store; it stops before it promotes, until it is told to go on. */
async function searchBegun(id: string, names: readonly string[], scene: Scene): Promise<readonly string[]> {
  const toolbox = service(scene)
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const state = await openState(`sqlite:${scene.world.state}/state.db`)
  const catalog = threadCatalog({
    catalogs: runCatalogs(),
    state: async () => {
      await held
      return state
    },
    owner,
    now: toolbox.current,
  })
  const done = catalog.search({ query: `select:${names.join(',')}` }, toolbox.current()).finally(state.close)
  scene.searching.set(id, { goOn, done })
  return []
}

async function searchFinished(id: string, scene: Scene): Promise<readonly string[]> {
  const search = scene.searching.get(id)
  search?.goOn()
  await search?.done
  return search === undefined ? [`no search ${id} was begun`] : []
}

async function callStarted(name: string, scene: Scene): Promise<readonly string[]> {
  const running = threadOf(scene).call({ name, args: {} })
  scene.running.set(name, running)
  // It is on its way: its server was there before it.
  await Promise.race([running, sleep(150)])
  return []
}

async function answered(name: string, wanted: string, scene: Scene): Promise<readonly string[]> {
  const outcome = await threadOf(scene).call({ name, args: {} })
  const said = outcome.kind === 'result' ? JSON.stringify(outcome.content) : `${outcome.code} ${outcome.message}`
  const isRefused = outcome.kind === 'refused'
  const isUnknown = isRefused && outcome.code === 'unknown-tool'
  // Whatever gate took a tool away: a call of it is denied, with the code of that gate.
  const isDenied = isRefused && outcome.code !== 'not-promoted' && !isUnknown
  const isRight =
    wanted === 'denied' ? isDenied : wanted === 'denied-or-unknown' ? isDenied || isUnknown : said.includes(wanted)
  return isRight ? [] : [`the call of ${name} came out as ${printable(said, 200)}, not ${wanted}`]
}

/** A child has its own surface and promotions; it begins with what its parent has loaded and it may have too. */
async function childStarted(wishes: readonly string[], scene: Scene): Promise<readonly string[]> {
  const toolbox = service(scene)
  const { config } = toolbox.current()
  const stateFolder = scene.world.state
  const run = await prepareRun({ config, stateFolder, environment, policy: { agent: 'main', subagent: 'helper' } })
  const state = await openState(`sqlite:${stateFolder}/state.db`)
  try {
    const now = () => ({ run, config })
    const child = threadCatalog({ catalogs: runCatalogs(), state: async () => state, owner, now })
    await child.load(await visibleNames(scene))
    const { tools } = await child.visible()
    const own = tools.filter(({ outcome }) => outcome === 'deferred').map(({ name }) => name)
    scene.childVisible = own.filter((name) => wishes.includes(name))
    const names = tools.map(({ name }) => name)
    return ['task', 'bash'].filter((name) => names.includes(name)).map((name) => `the child has ${name}`)
  } finally {
    await state.close()
  }
}

async function waitFor(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !holds(); turn += 1) await sleep(25)
}
