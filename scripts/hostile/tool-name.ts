// Kind `tool-name`: a name, as that of one tool among good ones in the list of a server, beside built-in tools.

import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import { foldName } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import type { Surface } from '../../src/core/surface.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { environment } from './config-yaml.ts'
import { exclusionTold, misses, toldBy } from './expected.ts'
import { exposedOf, shownOf } from './exposed.ts'
import { listingServer } from './listing-server.ts'
import { inWorld, type World } from './world.ts'

export const toolName: Kind = {
  kind: 'tool-name',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const { name } = entryOf(one, dataDir)
      const server = await listingServer([tool(goodNames[0]), tool(name), tool(goodNames[1])])
      try {
        const run = await runWith(server.url, world)
        const candidates = [...builtins, ...run.candidates.filter((candidate) => candidate.source === 'mcp')]
        const surface = assemble(run.surface.facts, candidates, run.gates, { sha256 })
        return judged(one, { name, run, surface })
      } finally {
        await server.close()
      }
    }),
}

const goodNames = ['weather_now', 'weather_week'] as const

const tool = (name: unknown): object => ({
  name,
  description: 'A tool for the test.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
})

/** Those that the data names. */
const builtins: readonly Candidate[] = [
  ...['bash', 'read_file', 'write_file', 'list_dir', 'grep', 'str_replace'].map((name) =>
    aCandidate({ source: 'builtin', name }),
  ),
  aCandidate({ source: 'builtin', name: 'task', form: 'delegates', role: 'subagent' }),
  aCandidate({ source: 'builtin', name: 'tool_search', role: 'tool-search' }),
]

/** Names go out as they are, a child can be started, and everything that can be deferred is: so the last two built-ins stand. */
const configText = (url: string): string => `agents: { main: {}, child: {} }
delegation: { enabled: true }
tool_search: { enabled: true }
mcp_servers:
  strange: { type: http, url: "${url}", tool_name_prefix: false }
`

async function runWith(url: string, world: World): Promise<PreparedRun> {
  const { config, findings } = await loadConfig(world.write('toolgate.yaml', configText(url)), { environment })
  if (config === undefined) throw new Error(`the configuration around the server was refused: ${findings[0]?.message}`)
  return prepareRun({ config, stateFolder: world.state, environment })
}

interface Listed {
  readonly name: unknown
  readonly run: PreparedRun
  readonly surface: Surface
}

function judged(one: HostileCase, { name, run, surface }: Listed): string[] {
  const { expect } = one
  const isGood = (decision: Decision): boolean => goodNames.some((good) => good === decision.candidate.originalName)
  const fed = surface.decisions.filter((decision) => decision.candidate.source === 'mcp' && !isGood(decision))
  const exposed = fed.filter((decision) => decision.outcome !== 'excluded')
  const findings = run.findings.map(toldBy)
  const excluded = surface.withOutcome('excluded').map((decision) => exclusionTold(decision, run.gates))
  const about = fed
    .filter((decision) => decision.outcome === 'excluded')
    .map((decision) => exclusionTold(decision, run.gates))
  const out = misses(one, {
    outcome: exposed.length > 0 ? 'accept' : 'reject',
    errors: [...about, ...findings.filter((told) => told.subject.startsWith('strange/'))],
    told: [...findings, ...excluded],
    shown: [shownOf(surface)],
  })
  for (const decision of exposed) {
    if (decision.candidate.originalName !== name)
      out.push(`the server would be called with ${printable(decision.candidate.originalName)}`)
    if (surface.find(decision.name) !== decision) out.push(`it is not found by its name ${printable(decision.name)}`)
  }
  for (const [fact, value] of Object.entries(expect.yields ?? {})) out.push(...notYielded(fact, value, exposed))
  for (const invariant of new Set([...(expect.invariants ?? []), 'others-kept', 'prompt-intact']))
    out.push(...broken(invariant, surface))
  if (expect.keeps === 'built-in' && holderOf(name, surface)?.candidate.source !== 'builtin')
    out.push('the built-in tool lost its name')
  return out
}

const holderOf = (name: unknown, surface: Surface): Decision | undefined =>
  typeof name === 'string'
    ? exposedOf(surface).find((decision) => foldName(decision.name) === foldName(name))
    : undefined

function notYielded(fact: string, value: unknown, exposed: readonly Decision[]): string[] {
  const [decision] = exposed
  if (decision === undefined) return [`nothing is exposed of which ${fact} could hold`]
  if (fact === 'upstream_name') {
    const { originalName } = decision.candidate
    return originalName === value ? [] : [`the server would be called with ${printable(originalName)}`]
  }
  if (fact === 'exposed_matches')
    return new RegExp(String(value)).test(decision.name) ? [] : [`it is exposed as ${printable(decision.name)}`]
  return [`the runner knows no fact "${fact}"`]
}

/** What any prompt or provider takes as one word. */
const plainName = /^[A-Za-z0-9_-]{1,64}$/

function broken(invariant: string, surface: Surface): string[] {
  const exposed = exposedOf(surface)
  switch (invariant) {
    case 'others-kept': {
      const owned = new Set(exposed.map(({ candidate }) => `${candidate.source} ${candidate.originalName}`))
      const wanted = [...builtins.map(({ name }) => `builtin ${name}`), ...goodNames.map((good) => `mcp ${good}`)]
      return wanted.filter((other) => !owned.has(other)).map((other) => `lost beside it: ${other}`)
    }
    case 'prompt-intact': {
      const names = exposed.map((decision) => decision.name)
      const twice = names.length !== new Set(names).size
      return [
        ...names
          .filter((other) => !plainName.test(other))
          .map((other) => `exposed under a name that breaks out: ${printable(other)}`),
        ...(twice ? ['one name is exposed twice'] : []),
      ]
    }
    case 'no-pollution':
      return [] // looked at in every case
  }
  return [`the runner knows no invariant "${invariant}"`]
}
