// Kind `tools-list`: a whole server that lists what the case says, as a process beside good ones, all the way to a
// surface.

import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { deferredNames, readDeferredNames } from '../../src/catalog/prompt/deferred-names.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { argumentsFit } from '../../src/runtime/middlewares/arguments.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { cleanText } from '../../src/text/clean-text.ts'
// Loaded before the clock of a case runs: loading it takes a third of a second, whatever the input.
import '../../src/sessions/listing/list-server.ts'
import { fileOf, type HostileCase, type Kind, type Outcome } from './case.ts'
import { environment } from './config-yaml.ts'
import { misses, type Told, toldBy } from './expected.ts'
import { exposedOf, shownOf, toldOf } from './exposed.ts'
import { scriptedProgram } from './scripted-program.ts'
import { inWorld, type World } from './world.ts'

export const toolsList: Kind = {
  kind: 'tools-list',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const text = readFileSync(fileOf(one, dataDir), 'utf8')
      const { other_servers: others = {}, ...plan } = JSON.parse(text) as Scripted
      const run = await runWith(
        [
          // What nests too deep to be written again is handed over as it stands.
          [fed, text.includes('$expand') ? JSON.stringify(expanded(plan)) : text],
          ['beside', onePage([goodTool])],
          ...Object.entries(others).map(([name, tools]): [string, string] => [name, onePage(tools)]),
        ],
        world,
      )
      return judged(one, run)
    }),
}

type Scripted = ServerPlan & { readonly other_servers?: { readonly [server: string]: readonly unknown[] } }

/** Name of the server that lists what the case says. */
const fed = 'strange'
const goodTool = {
  name: 'beside_ok',
  description: 'A tool for the test.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}
const onePage = (tools: readonly unknown[]): string => JSON.stringify({ pages: [{ tools }] } satisfies ServerPlan)

/** The plan with what stands for bulk written out, except where the server counts itself. */
function expanded(plan: ServerPlan): ServerPlan {
  const { pages } = plan
  if (pages === undefined) return plan
  return {
    ...plan,
    pages: pages.map((page) => ({
      ...page,
      tools: Array.isArray(page.tools) ? page.tools.flatMap(bulk) : page.tools,
    })),
  }
}

function bulk(tool: unknown): readonly unknown[] {
  if (tool === null || typeof tool !== 'object' || !('$expand' in tool)) return [tool]
  const { $expand, count = 1, ...rest } = tool as { readonly $expand: unknown; readonly count?: number }
  const numbers = Array.from({ length: count }, (_, index) => index)
  switch ($expand) {
    case 'numbered':
      return numbers.map((index) => JSON.parse(JSON.stringify(rest).replaceAll('{i}', String(index))))
    case 'schema-properties': {
      const properties = Object.fromEntries(numbers.map((index) => [`p${index}`, { type: 'string' }]))
      return [{ ...rest, inputSchema: { type: 'object', properties } }]
    }
    case 'description':
      return [{ ...rest, description: 'd'.repeat(count) }]
  }
  throw new Error(`the runner knows no bulk "${printable(String($expand))}"`)
}

/** A server must be able to write what it lists: five thousand levels. In kilobytes. */
const moreStack = '--stack-size=3000'

/** A run with servers that follow plans, by name and as JSON. */
async function runWith(plans: readonly (readonly [string, string])[], world: World): Promise<PreparedRun> {
  const servers = plans.map(([name, plan]) => {
    const path = world.write(`plans/${name}.json`, plan)
    return `  ${name}: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([moreStack, scriptedProgram, `@${path}`])} }`
  })
  const path = world.write('toolgate.yaml', `mcp_servers:\n${servers.join('\n')}\n`)
  const { config, findings } = await loadConfig(path, { environment })
  if (config === undefined) throw new Error(`the configuration around the server was refused: ${findings[0]?.message}`)
  return prepareRun({ config, stateFolder: world.state, environment })
}

/** What the expectation of this kind has beside what all kinds have. */
type ListExpectation = HostileCase['expect'] & {
  readonly keeps?: readonly string[]
  readonly drops?: readonly string[]
  readonly keeps_count?: number
  readonly probe_call?: JsonObject
}

async function judged(one: HostileCase, run: PreparedRun): Promise<string[]> {
  await turn()
  const expect = one.expect as ListExpectation
  const exposed = exposedOf(run.surface)
  const about = run.findings.map(toldBy).filter(({ subject }) => subject === fed || subject.startsWith(`${fed}/`))
  const outcome = outcomeOf(run, about)
  const { errors, told } = toldOf(run)
  // Ten thousand tools are a long text: what the runner does in one go must not count as what the product does.
  await turn()
  const shown = [shownOf(run.surface)]
  await turn()
  const out = misses(one, { outcome, errors: [...errors, ...about], told, shown })
  await turn()
  const accepted = outcome !== 'reject'
  if (accepted || expect.outcome === outcome) {
    for (const name of expect.keeps ?? []) if (!isKept(name, exposed)) out.push(`lost: ${name}`)
  }
  if (!accepted) for (const name of expect.drops ?? []) if (isKept(name, exposed)) out.push(`not left out: ${name}`)
  const own = exposed.filter(({ candidate }) => candidate.server === fed)
  const { keeps_count: count } = expect
  if (count !== undefined && own.length !== count) out.push(`${own.length} tools are exposed, not ${count}`)
  out.push(...overflagged(one, about))
  if (outcome === 'sanitize') out.push(...unsanitized(one, own))
  for (const [fact, value] of Object.entries(expect.yields ?? {})) out.push(...notYielded(fact, value, own))
  for (const invariant of new Set([...(expect.invariants ?? []), 'others-kept', 'prompt-intact']))
    out.push(...broken(invariant, exposed))
  if (accepted && expect.probe_call !== undefined) {
    for (const decision of own) await probed(decision, expect.probe_call, run)
  }
  return out
}

/** A call up to where it would be carried out. Whether it is refused does not matter here: it must not hang. */
async function probed(decision: Decision, args: JsonObject, { surface, gates }: PreparedRun): Promise<void> {
  const done = { kind: 'result', content: [], isError: false } as const
  const context = {
    surface,
    gates,
    viewOf: () => undefined,
    isPromoted: async () => true,
    redacted: (text: string) => text,
  }
  await argumentsFit.wrap(async () => done, context)({ name: decision.name, args, decision })
}

const isKept = (name: string, exposed: readonly Decision[]): boolean =>
  exposed.some(({ candidate }) => candidate.source === 'mcp' && candidate.originalName === name)

/** reject: something of the server was left out, or all of it. sanitize: texts were changed. A server without tools is none of both. */
function outcomeOf(run: PreparedRun, about: readonly Told[]): Outcome {
  const state = run.servers.find(({ name }) => name === fed)?.state
  if (state !== 'available') return state === 'listed-nothing' ? 'accept' : 'reject'
  if (about.some(({ code }) => code === 'tool-quarantined' || code === 'listing-malformed')) return 'reject'
  if (run.surface.withOutcome('excluded').some(({ candidate }) => candidate.server === fed)) return 'reject'
  return about.some(({ code }) => code === 'hidden-text' || code === 'description-too-long') ? 'sanitize' : 'accept'
}

/** An honest server is told nothing but what the case allows, and that an empty one offers no tools. */
function overflagged(one: HostileCase, about: readonly Told[]): string[] {
  const { flags_at_most: allowed } = one.expect
  if (allowed === undefined && one.threat !== 'control') return []
  const codes = new Set(about.map(({ code }) => code).filter((code) => code !== 'server-unavailable'))
  return [...codes].filter((code) => !(allowed ?? []).includes(code)).map((code) => `flagged with "${code}"`)
}

/** Longest description that fills no context, with the mark that says that it was cut. */
const cutMax = 60_000

function unsanitized(one: HostileCase, own: readonly Decision[]): string[] {
  const out: string[] = []
  for (const { candidate } of own) {
    const { description } = candidate.definition
    if (stringsIn(candidate.definition).some((text) => cleanText(text).removed > 0))
      out.push(`hidden text is left in ${candidate.originalName}`)
    if (description.length > cutMax) out.push(`a description has ${description.length} characters`)
    if (one.expect.flags?.includes('description-too-long') === true && description.length > cutMax / 2) {
      if (!/\[cut: \d+ more characters\]$/.test(description)) out.push('a cut description does not say so')
    }
  }
  for (const [name, text] of Object.entries((one.expect.to ?? {}) as JsonObject)) {
    const found = own.find(({ candidate }) => candidate.originalName === name)?.candidate.definition.description
    if (found !== text) out.push(`the description of ${name} is ${printable(JSON.stringify(found))}`)
  }
  return out
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsIn(item)])
}

function notYielded(fact: string, value: unknown, own: readonly Decision[]): string[] {
  const seen = yieldOf(fact, own)
  if (seen === undefined) return [`the runner knows no fact "${fact}"`]
  return seen === value ? [] : [`${fact} is ${String(seen)}, not ${String(value)}`]
}

/** A fact of the manifest in the words of the product; nothing when the fact is not known. */
function yieldOf(fact: string, own: readonly Decision[]): string | boolean | undefined {
  if (fact === 'twin.description')
    return own.find(({ name }) => name.endsWith('twin'))?.candidate.definition.description
  if (fact === 'exposed_names_distinct') {
    const owners = new Map(own.map(({ name, candidate }) => [name, candidate.originalName]))
    return owners.size === own.length && new Set(owners.values()).size === own.length
  }
  if (fact === 'trusted_read_only')
    return own.some(({ candidate }) => candidate.effectsBy !== 'assumed' || !candidate.effects.includes('write'))
  return undefined
}

function broken(invariant: string, exposed: readonly Decision[]): string[] {
  switch (invariant) {
    case 'others-kept':
      return isKept(goodTool.name, exposed) ? [] : ['the server beside it was lost']
    case 'prompt-intact': {
      const names = exposed.map(({ name }) => name)
      const block = deferredNames(names)
      const read = readDeferredNames(block)
      const whole = JSON.stringify(read) === JSON.stringify(names) && block.split('</').length === 2
      return whole ? [] : ['the block of names in a prompt does not hold exactly the names']
    }
  }
  return [`the runner knows no invariant "${invariant}"`]
}
