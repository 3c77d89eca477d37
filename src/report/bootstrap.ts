// The report at the start of a session, from the very surface of the run: who runs on what, under which rules, with
// which skills and sources, and what the model has. Schema `toolgate.bootstrap/1`.

import type { Finding } from '../core/finding.ts'
import type {
  DeferralFacts,
  DelegationFacts,
  ModelFacts,
  PermissionFacts,
  RunFacts,
  SandboxFacts,
} from '../core/run-facts.ts'
import { type Route, route } from './route.ts'
import type { Run, ServerState } from './run.ts'
import { type CountTokens, tokenCosts } from './tokens.ts'
import { countsBy, exclusionsByGate, type OutcomeCounts, type ToolsTotals } from './tools-report.ts'
import type { Lang } from './words.ts'

/** How many rules of each kind a scope brings. */
export interface RuleCounts {
  readonly scope: string
  readonly deny: number
  readonly ask: number
  readonly allow: number
}

export interface Bootstrap {
  readonly schema: 'toolgate.bootstrap/1'
  readonly agent: string
  /** Absent: no restriction. `[]`: no tool at all. */
  readonly groups?: readonly string[]
  readonly model: Pick<ModelFacts, 'name' | 'can' | 'contextTokens'>
  readonly target: string
  readonly preset: string
  readonly switches: {
    readonly simpleMode: boolean
    readonly mcp: boolean
    readonly attended: boolean
    readonly sandbox: SandboxFacts['kind']
    readonly allowHostBash: boolean
    readonly delegation: Pick<DelegationFacts, 'enabled' | 'depth' | 'depthMax'>
    readonly deferral: Pick<DeferralFacts, 'mode' | 'budgetTokens'>
  }
  readonly rules: { readonly otherwise: PermissionFacts['otherwise']; readonly scopes: readonly RuleCounts[] }
  readonly skills: {
    readonly mode: 'active' | 'enabled'
    /** `tools` absent: the skill restricts nothing. */
    readonly list: readonly {
      readonly name: string
      readonly enabled: boolean
      readonly active: boolean
      readonly tools?: number
      readonly malformed?: string
    }[]
  }
  readonly sources: { readonly [source: string]: OutcomeCounts }
  readonly servers: readonly ServerState[]
  readonly totals: ToolsTotals
  /** Names that the model has with their schemas. */
  readonly eager: readonly string[]
  /** Names that the model has without them. */
  readonly deferred: readonly string[]
  readonly findings: readonly Finding[]
  readonly surface: string
  /** What of the surface fits the prompt; absent without one. */
  readonly route?: Route
}

export interface BootstrapOptions {
  readonly lang: Lang
  readonly prompt?: string
  readonly count?: CountTokens
}

/** The session report of a run; with a prompt also the tools that fit it. */
export function bootstrap(run: Run, options: BootstrapOptions): Bootstrap {
  const { surface } = run
  const { facts } = surface
  const sources = countsBy(surface.decisions, (decision) => decision.candidate.source)
  return {
    schema: 'toolgate.bootstrap/1',
    agent: facts.agent.name,
    ...(facts.agent.groups === undefined ? {} : { groups: facts.agent.groups }),
    model: { name: facts.model.name, can: facts.model.can, ...contextOf(facts.model) },
    target: facts.target.name,
    preset: run.preset,
    switches: switchesOf(facts),
    rules: { otherwise: facts.permissions.otherwise, scopes: ruleCounts(facts.permissions) },
    skills: {
      mode: facts.skills.mode,
      list: facts.skills.list.map(({ name, enabled, active, allowedTools, malformed }) => ({
        name,
        enabled,
        active,
        ...(malformed === undefined ? {} : { malformed }),
        ...(allowedTools === undefined ? {} : { tools: allowedTools.length }),
      })),
    },
    sources,
    servers: run.servers,
    totals: {
      ...surface.totals,
      byGate: exclusionsByGate(surface.decisions),
      bySource: sources,
      byServer: countsBy(surface.decisions, (decision) => decision.candidate.server),
      tokens: tokenCosts(surface, options.count),
      estimated: options.count === undefined,
    },
    eager: surface.withOutcome('eager').map((decision) => decision.name),
    deferred: surface.withOutcome('deferred').map((decision) => decision.name),
    findings: run.findings,
    surface: surface.hash,
    ...(options.prompt === undefined ? {} : { route: route(run, options.prompt, options) }),
  }
}

function switchesOf({ simpleMode, mcp, attended, sandbox, delegation, deferral }: RunFacts): Bootstrap['switches'] {
  return {
    simpleMode: simpleMode.on,
    mcp: mcp.on,
    attended: attended.on,
    sandbox: sandbox.kind,
    allowHostBash: sandbox.allowHostBash,
    delegation: { enabled: delegation.enabled, depth: delegation.depth, depthMax: delegation.depthMax },
    deferral: { mode: deferral.mode, budgetTokens: deferral.budgetTokens },
  }
}

/** Rules counted by scope, in the order in which the scopes first appear. */
function ruleCounts({ rules }: PermissionFacts): readonly RuleCounts[] {
  const scopes = new Map<string, RuleCounts>()
  for (const { scope, effect } of rules) {
    const counts = scopes.get(scope) ?? { scope, deny: 0, ask: 0, allow: 0 }
    scopes.set(scope, { ...counts, [effect]: counts[effect] + 1 })
  }
  return [...scopes.values()]
}

const contextOf = ({ contextTokens }: ModelFacts): Pick<ModelFacts, 'contextTokens'> =>
  contextTokens === undefined ? {} : { contextTokens }
