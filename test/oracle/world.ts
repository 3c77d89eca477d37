// A world is one input of a decision: facts and candidates. Here it is made from a short plan, in which everything
// that is not said has its harmless value, and printed so that a person can read what is unusual about it.

import type {
  Candidate,
  DefinitionFault,
  EffectClass,
  Need,
  ToolRole,
  UnavailableState,
} from '../../src/core/candidate.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Rule, RunFacts, TargetFacts } from '../../src/core/run-facts.ts'

export interface World {
  readonly facts: RunFacts
  readonly candidates: readonly Candidate[]
}

export interface CandidatePlan {
  readonly source: 'config' | 'builtin' | 'mcp' | 'acp'
  /** Owner of a tool of `mcp` or `acp`. */
  readonly server?: string
  readonly name: string
  /** An MCP tool that bears its own name, without that of its server. */
  readonly bare?: boolean
  readonly label?: string
  readonly standIn?: boolean
  readonly group?: string
  readonly role?: ToolRole
  readonly needs?: readonly Need[]
  /** Absent: nobody said, so all four are assumed. */
  readonly effects?: readonly EffectClass[]
  readonly state?: UnavailableState | 'not-started'
  readonly fault?: DefinitionFault['code']
  /** Characters of the description. */
  readonly words?: number
  readonly schema?: JsonObject
  /** What is approved, where pins are on. Absent: this very definition. */
  readonly pinned?: 'another' | 'none'
}

export interface WorldPlan {
  readonly candidates: readonly CandidatePlan[]
  readonly agent?: Pick<RunFacts['agent'], 'groups' | 'servers' | 'tools'>
  readonly can?: RunFacts['model']['can']
  readonly target?: Partial<TargetFacts>
  readonly skills?: Partial<RunFacts['skills']>
  readonly rules?: readonly (readonly [Rule['effect'], string])[]
  readonly otherwise?: RunFacts['permissions']['otherwise']
  readonly sandbox?: RunFacts['sandbox']
  readonly delegation?: Partial<RunFacts['delegation']>
  readonly deferral?: Partial<RunFacts['deferral']>
  readonly simple?: boolean
  readonly mcp?: boolean
  readonly attended?: boolean
  readonly pins?: boolean
}

const sourceOrder = ['config', 'builtin', 'mcp', 'acp'] as const
const allEffects: readonly EffectClass[] = ['read', 'write', 'execute', 'network']
const protocols = { config: 'module', builtin: 'native', mcp: 'mcp', acp: 'acp' } as const

/** The schema of most tools: one argument that rules can speak of. */
export const plainSchema: JsonObject = { type: 'object', properties: { path: { type: 'string' } } }

/** The world of a plan. Candidates are put into the order of sources and get identities of their own. */
export function worldOf(plan: WorldPlan): World {
  const seen = new Map<string, number>()
  const ordered = sourceOrder.flatMap((source) => plan.candidates.filter((candidate) => candidate.source === source))
  const candidates = ordered.map((candidate) => candidateOf(candidate, seen))
  const pins = ordered.flatMap(({ pinned }, at) => {
    const { id, definitionHash } = candidates[at] ?? { id: '', definitionHash: '' }
    if (pinned === 'none') return []
    return [
      {
        id,
        definitionHash: pinned === 'another' ? 'f'.repeat(64) : definitionHash,
        approvedAt: '2026-01-01T00:00:00Z',
      },
    ]
  })
  return { candidates, facts: factsOf(plan, plan.pins === true ? pins : undefined) }
}

function candidateOf(plan: CandidatePlan, seen: Map<string, number>): Candidate {
  const { source, server, effects, state, role, group } = plan
  const originalName = plan.standIn === true ? '*' : plan.name
  const name = server !== undefined && plan.bare !== true ? `${server}__${originalName}` : originalName
  const key = server === undefined ? `${source}:${originalName}` : `${source}:${server}/${originalName}`
  const turn = (seen.get(key) ?? 0) + 1
  seen.set(key, turn)
  const id = turn === 1 ? key : `${key}#${turn}`
  const definition = { description: descriptionOf(plan.words ?? 10), inputSchema: plan.schema ?? plainSchema }
  return {
    id,
    source,
    protocol: protocols[source],
    ...(server === undefined ? {} : { server }),
    originalName,
    name,
    ...(plan.label === undefined ? {} : { declaredName: plan.label }),
    ...(plan.standIn === true ? { standIn: true } : {}),
    form: 'executes',
    ...(group === undefined ? {} : { group }),
    ...(role === undefined ? {} : { role }),
    needs: plan.needs ?? [],
    effects: effects ?? allEffects,
    effectsBy: effects === undefined ? 'assumed' : 'declared',
    availability:
      state === undefined
        ? { state: 'available' }
        : state === 'not-started'
          ? { state }
          : { state, detail: 'as planned' },
    ...(plan.fault === undefined ? {} : { faults: [{ code: plan.fault, detail: 'as planned' }] }),
    definition,
    definitionHash: hashOf(id),
    // The description holds nothing that JSON escapes.
    definitionChars:
      JSON.stringify({ name, description: '', input_schema: definition.inputSchema }).length +
      definition.description.length,
    origin: { in: 'world' },
  }
}

const descriptions = new Map<number, string>()

function descriptionOf(length: number): string {
  const made = descriptions.get(length) ?? 'x'.repeat(length)
  descriptions.set(length, made)
  return made
}

/** 64 hex digits that differ where ids differ; gates only compare them. */
function hashOf(id: string): string {
  const bytes = new TextEncoder().encode(id)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(-64)
    .padStart(64, '0')
}

const roomyTarget: TargetFacts = {
  name: 'world',
  nameMax: 64,
  nameCharset: 'word-dash',
  nameStartsWithLetter: false,
  descriptionRequired: false,
  schemaProfile: 'common',
}

function factsOf(plan: WorldPlan, pins: RunFacts['pins']): RunFacts {
  const rules = (plan.rules ?? []).map(([effect, text], at) => ({
    effect,
    text,
    scope: at % 2 === 0 ? 'config' : 'command line',
    origin: { in: 'world', key: `${effect}[${at}]` },
  }))
  return {
    agent: { name: 'main', ...plan.agent, origins: {} },
    model: { name: 'm', can: plan.can ?? ['tools', 'vision', 'native-search'] },
    target: { ...roomyTarget, ...plan.target },
    skills: { mode: 'active', list: [], alwaysReachable: [], ...plan.skills },
    permissions: { rules, otherwise: plan.otherwise ?? 'allow' },
    sandbox: plan.sandbox ?? { kind: 'namespace', allowHostBash: false },
    delegation: { enabled: true, depth: 0, depthMax: 1, ...plan.delegation },
    deferral: { mode: 'off', budgetTokens: 0, always: [], ...plan.deferral },
    simpleMode: { on: plan.simple ?? false },
    mcp: { on: plan.mcp ?? true },
    attended: { on: plan.attended ?? true },
    ...(pins === undefined ? {} : { pins }),
  }
}

const harmless = worldOf({ candidates: [] }).facts

/** One line a candidate and one for each fact that is not harmless. */
export function worldText({ facts, candidates }: World): string {
  const lines = candidates.map((candidate) => `  ${candidateText(candidate)}${pinText(candidate, facts.pins)}`)
  if (facts.pins !== undefined) lines.push('  pins: on')
  for (const key of Object.keys(facts) as (keyof RunFacts)[]) {
    if (key === 'pins') continue
    const value = key === 'permissions' ? rulesText(facts) : facts[key]
    if (JSON.stringify(value) !== JSON.stringify(key === 'permissions' ? rulesText(harmless) : harmless[key])) {
      lines.push(`  ${key}: ${JSON.stringify(value)}`)
    }
  }
  return lines.join('\n')
}

function pinText({ id, definitionHash }: Candidate, pins: RunFacts['pins']): string {
  const pin = pins?.find((one) => one.id === id)
  if (pins === undefined || pin?.definitionHash === definitionHash) return ''
  return pin === undefined ? ', not approved' : ', approved as another'
}

const rulesText = ({ permissions }: RunFacts): string =>
  [...permissions.rules.map(({ effect, text }) => `${effect} ${text}`), `otherwise ${permissions.otherwise}`].join('; ')

function candidateText(candidate: Candidate): string {
  const { id, name, declaredName, group, role, needs, effects, effectsBy, availability, faults, definitionChars } =
    candidate
  const parts = [id]
  if (!id.endsWith(`:${name}`)) parts.push(`as ${JSON.stringify(name)}`)
  if (declaredName !== undefined) parts.push(`label ${declaredName}`)
  if (candidate.standIn === true) parts.push('stand-in')
  if (group !== undefined) parts.push(`group ${group}`)
  if (role !== undefined) parts.push(`role ${role}`)
  if (needs.length > 0) parts.push(`needs ${needs.join('+')}`)
  if (effectsBy !== 'assumed') parts.push(`effects ${effects.join('+') || 'none'}`)
  if (availability.state !== 'available') parts.push(availability.state)
  for (const { code } of faults ?? []) parts.push(`fault ${code}`)
  parts.push(`${definitionChars} chars`)
  return parts.join(', ')
}
