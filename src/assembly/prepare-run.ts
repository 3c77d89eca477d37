// From a configuration (or a stored inventory) and a policy to a run: facts, candidates, surface. This is the one
// way in for the command line, the gateway, the agent and the page.
//
//   config + policy ──▶ facts ──▶ which servers are needed ──▶ sources ──▶ candidates ──▶ assemble ──▶ run

import { dirname, isAbsolute, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { assemble } from '../core/assemble.ts'
import type { Candidate } from '../core/candidate.ts'
import type { Gate } from '../core/gate.ts'
import type { DeferralFacts, RunFacts, SandboxFacts } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import { finding, ToolgateError } from '../errors.ts'
import { gateOrder } from '../gates/order.ts'
import { nearest } from '../names/nearest.ts'
import { sha256 } from '../sources/sha256.ts'
import type { SourceResult } from '../sources/source.ts'
import { type DetectedSandbox, detectSandbox, isSandboxWanted } from './detect-sandbox.ts'
import { configuredFacts, type FactMaker, inventoryFacts } from './fact-maker.ts'
import type { Approvals } from './pins-approvals.ts'
import { type RunPolicy, restricted } from './policy.ts'
import type { Inventory, PreparedRun, RunInput } from './run-input.ts'

const noSandbox: SandboxFacts = { kind: 'none', allowHostBash: false }

/**
 * Assembles one run. Throws a ToolgateError when the policy names what is not there; everything else that goes
 * wrong is a finding or an availability, and costs only itself.
 */
export async function prepareRun(input: RunInput): Promise<PreparedRun> {
  const { config, inventory, policy = {} } = input
  const preset = input.preset ?? inventory?.preset ?? 'default'
  const gates = gateOrder[preset]
  const maker = await factMaker(input, policy)
  knownSkills(maker.agent(noSandbox), policy)

  const idle = await idleOn(input, maker, policy, gates)
  const approvals = await approvalsOf(input)
  let collected = inventory ?? (await collect(input, idle, approvals))
  let decided = await decide(maker, collected, gates, input)
  const late = neededAfterAll(decided.surface)
  if (inventory === undefined && late.size > 0) {
    // Whoever was to be asked has been asked a moment ago.
    const stillIdle = new Set([...idle].filter((server) => !late.has(server)))
    const again = { ...input, listings: { ...input.listings, refresh: late } }
    collected = await collect(again, stillIdle, approvals)
    decided = await decide(maker, collected, gates, input)
  }
  const use = await useFor(decided.surface, input)
  if (use.length > 0) decided = await decide(maker, collected, gates, input, use)
  const { missing, ...made } = decided
  const lacking = missing !== undefined && isSandboxWanted(made.surface) ? [missing] : []
  return {
    ...made,
    gates,
    preset,
    policy,
    candidates: collected.candidates,
    servers: collected.servers,
    findings: [...(input.configFindings ?? []), ...maker.findings, ...collected.findings, ...lacking],
    invokers: ('invokers' in collected ? collected.invokers : undefined) ?? new Map(),
    ...(config === undefined ? {} : { config }),
    ...(approvals === undefined ? {} : { approved: approvals.definitions }),
    extras: ('extras' in collected ? collected.extras : undefined) ?? new Map(),
    introductions: ('introductions' in collected ? collected.introductions : undefined) ?? new Map(),
    lineage: maker.lineage,
    skills: maker.skills?.skills ?? [],
    ...(maker.started === undefined ? {} : { startedChild: maker.started }),
    ...(maker.chosen === undefined ? {} : { chosenFacts: maker.chosen }),
  }
}

/** The surface of the same run under another policy; the sources are not asked again. */
export function reassembled(run: PreparedRun, policy: RunPolicy): Surface {
  return surfaceOf(restricted(run.baseFacts, policy), run.candidates, run.gates)
}

/**
 * Folder of stored listings, pins and logs of a configuration, absolute: that of its SQLite file, else `.toolgate`
 * beside the configuration. A URL of another kind may hold a password, which must not become the name of a folder.
 */
export function stateFolderOf(config: Config): string {
  const path = /^sqlite:([^:].*)$/s.exec(config.state.url)?.[1] ?? '.toolgate/state.db'
  const folder = dirname(path)
  return isAbsolute(folder) ? folder : join(config.folder, folder)
}

async function factMaker(input: RunInput, policy: RunPolicy): Promise<FactMaker> {
  if (input.config !== undefined) {
    return configuredFacts(input.config, policy, input.stateFolder ?? stateFolderOf(input.config))
  }
  if (input.inventory !== undefined) return inventoryFacts(input.inventory, policy)
  throw new TypeError('a run needs a configuration or an inventory')
}

/** A skill named by flag that is not there is a mistake of the caller, before anything is started. */
function knownSkills(facts: RunFacts, policy: RunPolicy): void {
  const known = facts.skills.list.map((skill) => skill.name)
  for (const name of policy.skills ?? []) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    throw new ToolgateError(
      finding('skill-unknown', 'error', `there is no skill "${name}"`, {
        subject: name,
        hint: near.length > 0 ? `did you mean "${near[0]}"` : `known: ${known.join(', ') || 'none'}`,
        origin: { in: 'command line', key: `--skill ${name}` },
      }),
    )
  }
}

/** Servers that nobody whom this run serves can use: neither the agent nor its child, nor any view. */
async function idleOn(
  { config, views = [] }: RunInput,
  maker: FactMaker,
  policy: RunPolicy,
  gates: readonly Gate[],
): Promise<ReadonlySet<string>> {
  if (config === undefined) return new Set()
  const own = maker.child === undefined ? maker.agent(noSandbox) : maker.child(noSandbox, [])
  const others = views.flatMap((view) => {
    const facts = maker.chosen?.(view, noSandbox)
    return facts === undefined ? [] : [restricted(facts, view)]
  })
  const { idleServers } = await import('./idle-servers.ts')
  const [first = new Set<string>(), ...rest] = await Promise.all(
    [restricted(own, policy), ...others].map((facts) => idleServers(config, facts, gates)),
  )
  return new Set([...first].filter((server) => rest.every((idle) => idle.has(server))))
}

/** What was approved beside the hashes that the gates read. Absent: pins are off. */
async function approvalsOf({ config, stateFolder }: RunInput): Promise<Approvals | undefined> {
  if (config?.pins.enabled !== true) return undefined
  const { readApprovals } = await import('./pins-approvals.ts')
  return readApprovals(stateFolder ?? stateFolderOf(config))
}

async function collect(
  input: RunInput,
  idleNames: ReadonlySet<string>,
  approvals: Approvals | undefined,
): Promise<SourceResult> {
  const { config } = input
  if (config === undefined) throw new TypeError('sources need a configuration')
  // A run from a stored inventory needs none of this.
  const { collectAll } = await import('../sources/order.ts')
  return collectAll({
    config,
    idleServers: idleNames,
    stateFolder: input.stateFolder ?? stateFolderOf(config),
    environment: input.environment ?? process.env,
    ...(input.listings === undefined ? {} : { listings: input.listings }),
    ...(approvals === undefined ? {} : { approvedLaunches: approvals.launches }),
    ...(input.progress === undefined ? {} : { progress: input.progress }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  })
}

async function decide(
  maker: FactMaker,
  collected: SourceResult | Inventory,
  gates: readonly Gate[],
  input: RunInput,
  use: NonNullable<DeferralFacts['use']> = [],
): Promise<{ readonly surface: Surface; readonly baseFacts: RunFacts } & Pick<DetectedSandbox, 'missing'>> {
  const { policy = {} } = input
  const { facts: sandbox, missing } = await sandboxOf(collected.candidates, input)
  const facts = maker.child?.(sandbox, parentTools(maker, sandbox, collected, gates, policy)) ?? maker.agent(sandbox)
  const baseFacts = use.length === 0 ? facts : { ...facts, deferral: { ...facts.deferral, use } }
  const surface = surfaceOf(restricted(baseFacts, policy), collected.candidates, gates)
  return { baseFacts, surface, ...(missing === undefined ? {} : { missing }) }
}

function parentTools(
  maker: FactMaker,
  sandbox: SandboxFacts,
  collected: SourceResult | Inventory,
  gates: readonly Gate[],
  policy: RunPolicy,
): readonly string[] {
  const surface = surfaceOf(restricted(maker.agent(sandbox), policy), collected.candidates, gates)
  return exposedIds(surface)
}

/** What a surface lets a child have at most. */
export const exposedIds = ({ decisions }: Surface): readonly string[] =>
  decisions.filter(({ outcome }) => outcome !== 'excluded').map(({ candidate }) => candidate.id)

function surfaceOf(facts: RunFacts, candidates: readonly Candidate[], gates: readonly Gate[]): Surface {
  return assemble(facts, candidates, gates, { sha256 })
}

/** A trial of the sandbox costs a process, so it is made only where a tool needs one. A dry run makes none. */
async function sandboxOf(candidates: readonly Candidate[], input: RunInput): Promise<DetectedSandbox> {
  const { config, inventory } = input
  if (config === undefined) return { facts: noSandbox }
  const stated = {
    allowHostBash: config.sandbox.allowHostBash,
    ...(config.sandbox.origin === undefined ? {} : { origin: config.sandbox.origin }),
  }
  if (inventory !== undefined) return { facts: { kind: inventory.facts?.sandbox.kind ?? 'none', ...stated } }
  if (!candidates.some(({ needs }) => needs.includes('shell') || needs.includes('host-shell')))
    return { facts: { kind: 'none', ...stated } }
  return detectSandbox(config.sandbox)
}

/** Use decides only where not all tools fit; nobody is asked about it otherwise. */
async function useFor({ facts, totals }: Surface, { useOf }: RunInput): Promise<NonNullable<DeferralFacts['use']>> {
  if (useOf === undefined || facts.deferral.mode !== 'auto' || totals.deferred === 0) return []
  return useOf(facts.agent.name)
}

/** INVARIANT: no exposed tool stands on a server that was not started. */
function neededAfterAll(surface: Surface): ReadonlySet<string> {
  const servers = new Set<string>()
  for (const { candidate, outcome } of surface.decisions) {
    if (outcome !== 'excluded' && candidate.availability.state === 'not-started' && candidate.server !== undefined) {
      servers.add(candidate.server)
    }
  }
  return servers
}
