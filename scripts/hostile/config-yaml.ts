// Kind `config-yaml`: the bytes of a file, as a configuration in a folder with fixtures, all the way to a surface.

import { readFileSync } from 'node:fs'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import type { Config } from '../../src/config/config.ts'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { assemble } from '../../src/core/assemble.ts'
import { canonicalJson, type Json } from '../../src/core/json.ts'
// Loaded before the clock of a case runs: loading it takes a third of a second, whatever the input.
import '../../src/sessions/listing/list-server.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { fileOf, type HostileCase, type Kind } from './case.ts'
import { misses, toldBy } from './expected.ts'
import { exposedOf, shownOf, toldOf } from './exposed.ts'
import { inWorld, type World } from './world.ts'

export const configYaml: Kind = {
  kind: 'config-yaml',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const bytes = readFileSync(fileOf(one, dataDir))
      const path = world.write('toolgate.yaml', bytes)
      const loaded = await loadConfig(path, { environment })
      const run = loaded.config === undefined ? undefined : await runOf(loaded.config, loaded, world)
      return judged(one, { loaded, run, world, text: bytes.toString('latin1') })
    }),
}

/** Small and known: the files must not find more than they say. */
export const environment: { readonly [name: string]: string | undefined } = { PATH: process.env.PATH, HOME: '/nowhere' }

/** The run of a configuration that was read, with its state in the world. */
export const runOf = (config: Config, { findings }: LoadedConfig, world: World): Promise<PreparedRun> =>
  prepareRun({ config, configFindings: findings, stateFolder: world.state, environment })

interface Outcome {
  readonly loaded: LoadedConfig
  readonly run: PreparedRun | undefined
  readonly world: World
  readonly text: string
}

function judged(one: HostileCase, { loaded, run, world, text }: Outcome): string[] {
  const refused = loaded.findings.filter((found) => found.severity === 'error')
  const said = run === undefined ? { errors: refused.map(toldBy), told: loaded.findings.map(toldBy) } : toldOf(run)
  const rejected = run === undefined || refused.length > 0
  const out = misses(one, {
    outcome: rejected ? 'reject' : 'accept',
    // A server that could not be started speaks in the run and not in the file.
    errors: said.errors,
    told: said.told,
    shown: run === undefined ? [] : [shownOf(run.surface)],
  })
  if (rejected && one.expect.scope === 'server' && run === undefined)
    out.push('the whole file was refused, not one server')
  if (!rejected)
    for (const [fact, value] of Object.entries(one.expect.yields ?? {})) out.push(...notYielded(fact, value, run))
  if (!rejected && one.threat === 'control' && !exposesEcho(run)) out.push('the tool "echo" is not exposed')
  for (const invariant of one.expect.invariants ?? []) out.push(...broken(invariant, { loaded, run, world, text }))
  return out
}

const exposesEcho = (run: PreparedRun): boolean =>
  exposedOf(run.surface).some(({ name, candidate }) => name === 'echo' && candidate.source === 'config')

function notYielded(fact: string, value: unknown, run: PreparedRun): string[] {
  const seen = yieldOf(fact, run)
  if (seen === undefined) return [`the runner knows no fact "${fact}"`]
  const [wanted, got] = [canonicalJson(value as Json), canonicalJson(seen)]
  return wanted === got ? [] : [`${fact} is ${got}, not ${wanted}`]
}

/** A fact of the manifest in the words of the product; nothing when the fact is not known. */
function yieldOf(fact: string, run: PreparedRun): Json | undefined {
  const exposed = exposedOf(run.surface)
  const echoes = run.surface.decisions.filter((decision) => decision.name === 'echo')
  const [, server, key] = /^mcp_servers\.([^.]+)\.(timeout_ms|command)$/.exec(fact) ?? []
  if (server !== undefined) {
    const found = run.config?.mcpServers.find((entry) => entry.name === server)
    return (key === 'command' ? found?.command : found?.callTimeoutMs) ?? null
  }
  switch (fact) {
    case 'exposed':
      return exposed.map((decision) => decision.name)
    case 'exposed_from_config':
      return exposed.filter((decision) => decision.candidate.source === 'config').map((decision) => decision.name)
    case 'kept': {
      const kept = echoes.findIndex((decision) => decision.outcome !== 'excluded')
      return ['first', 'second'][kept] ?? 'none'
    }
    case 'finding':
      return echoes.find((decision) => decision.outcome === 'excluded')?.code ?? null
  }
  return undefined
}

function broken(invariant: string, { run, world, text }: Outcome): string[] {
  switch (invariant) {
    case 'fail-closed':
      return run === undefined ? [] : opened(run, text)
    case 'others-kept':
      return run !== undefined && exposesEcho(run) ? [] : ['the tool "echo" beside it was lost']
    case 'outside-unchanged':
      return world.changes()
    case 'no-canary':
    case 'no-pollution':
    case 'single-line-error':
      return [] // looked at in every case
  }
  return [`the runner knows no invariant "${invariant}"`]
}

/** Whether a file that was read in spite of errors opens what its strictest reading closes: the host, or a denied name. */
function opened(run: PreparedRun, text: string): string[] {
  const onHost = aCandidate({ source: 'builtin', name: 'bash', role: 'shell', needs: ['shell'] })
  const plain = aCandidate({ source: 'builtin', name: 'bash' })
  const facts = { ...run.surface.facts, sandbox: { ...run.surface.facts.sandbox, kind: 'none' as const } }
  const exposes = (candidate: typeof plain): boolean =>
    exposedOf(assemble(facts, [candidate], run.gates, { sha256 })).length > 0
  const out: string[] = []
  if (exposes(onHost)) out.push('not closed: a shell on the host is exposed')
  if (text.includes('deny_') && exposes(plain)) out.push('not closed: "bash" is exposed')
  return out
}
