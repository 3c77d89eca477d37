// The default order a second time, by another hand: sets of identities, their unions, intersections and differences,
// from the requirements and the doc comments of the facts. It shares no code with the product; only types.

import type { Candidate } from '../../src/core/candidate.ts'
import { byRules, bySkills, deniedBy, grantedBy, spelledIn } from './restrictions.ts'
import { both, type Cuts, havingOf, type Ids, isOfForm, minus, none, twins, union } from './sets.ts'
import type { World } from './world.ts'

export interface Expected {
  readonly eager: Ids
  readonly deferred: Ids
  /** The settling gate and code of each excluded one, as `gate/code`. */
  readonly excluded: ReadonlyMap<string, string>
  /** Those of which a person is asked before each call. */
  readonly asked: Ids
  /** Names of exposed tools that fit the target as they are. */
  readonly names: ReadonlyMap<string, string>
}

/** What fitting to the target made of a tool. The oracle does not work that out; it shares out a budget by it. */
export interface Fitted {
  readonly name: string
  readonly chars: number
}

/** What is expected of a world. */
export function oracle({ facts, candidates }: World, fitted: (id: string) => Fitted): Expected {
  const ids = havingOf(candidates)
  const all = ids(() => true)
  const when = (condition: boolean, set: Ids = all): Ids => (condition ? set : none)
  const { agent, model, sandbox, delegation, deferral, target } = facts

  const standIns = ids((c) => c.standIn === true)
  const tools = minus(all, standIns)
  const overMcp = ids((c) => c.protocol === 'mcp')
  const needing = (need: Candidate['needs'][number]): Ids => ids((c) => c.needs.includes(need))
  const bearing = (...roles: Candidate['role'][]): Ids => ids((c) => c.role !== undefined && roles.includes(c.role))
  const inState = (state: string): Ids => ids((c) => c.availability.state === state)
  const missing = candidates
    .map((c) => c.availability.state)
    .filter((state) => !/^(available|not-started)$/.test(state))
  const availability = (): Cuts => missing.map((state) => [state, inState(state)])

  const pinned = new Map((facts.pins ?? []).map((pin) => [pin.id, pin.definitionHash]))
  const foreign = ids((c) => c.protocol === 'mcp' || c.protocol === 'acp')
  const withPins = when(facts.pins !== undefined, foreign)
  const unchanged = ids((c) => pinned.get(c.id) === c.definitionHash)
  const definition = (): Cuts => [
    ...candidates.flatMap((c) => (c.faults ?? []).slice(0, 1).map(({ code }) => [code, new Set([c.id])] as const)),
    ['name-too-long', ids((c) => c.originalName.length > 128)],
    ['invalid-name', ids((c) => !/^[\w.-]+$/.test(c.originalName) || c.originalName === '__proto__')],
    ['invalid-schema', ids((c) => c.definition.inputSchema.type !== 'object')],
    ['definition-too-big', ids((c) => c.definitionChars > 262_144)],
    ['definition-not-approved', minus(withPins, new Set(pinned.keys()))],
    ['definition-changed', minus(withPins, unchanged)],
  ]

  const owned = ids((c) => c.server !== undefined)
  const ofAskedServers = ids(
    (c) => agent.servers !== undefined && c.server !== undefined && agent.servers.includes(c.server),
  )
  const toolGroups = (): Cuts => [
    ['no-groups-wanted', when(agent.groups?.length === 0)],
    ['no-tools-wanted', when(agent.tools?.length === 0)],
    ['no-servers-wanted', when(agent.servers?.length === 0, owned)],
    ['server-not-asked', when(agent.servers !== undefined, minus(owned, ofAskedServers))],
    [
      'group-not-asked',
      ids((c) => agent.groups !== undefined && c.group !== undefined && !agent.groups.includes(c.group)),
    ],
    [
      'tool-not-asked',
      when(agent.tools !== undefined, minus(tools, union(grantedBy(agent.tools ?? [], ids), ofAskedServers))),
    ],
  ]

  const isClosed = sandbox.allowHostBash !== true
  const commandsOnHost = union(
    when(isClosed, needing('host-shell')),
    when(isClosed && sandbox.kind === 'none', needing('shell')),
  )
  const cannot = union(
    when(!model.can.includes('vision'), needing('vision')),
    when(!model.can.includes('native-search'), needing('native-search')),
  )
  const modelCapability = (): Cuts => [
    ['model-takes-no-tools', when(!model.can.includes('tools'))],
    ['model-cannot', cannot],
  ]
  const basic = bearing('shell', 'file-read', 'file-edit')

  const rules = byRules(facts, ids)
  const { parent, allow } = delegation
  const ofChild = when(parent !== undefined)
  const starting = bearing('subagent')
  const delegationCuts = (): Cuts => [
    ['delegation-off', when(!delegation.enabled, starting)],
    ['depth-reached', when(delegation.depth >= delegation.depthMax, starting)],
    ['parent-lacks-it', minus(ofChild, new Set(parent?.tools))],
    ['child-denies', deniedBy(delegation.deny ?? [], ids)],
    ['child-allows-nothing', when(allow?.length === 0)],
    ['child-does-not-allow', when(allow !== undefined, minus(all, grantedBy(allow ?? [], ids)))],
  ]

  const excluded = new Map<string, string>()
  const standing = (): Ids => minus(all, new Set(excluded.keys()))
  const uniqueName = (): Cuts => {
    const present = both(standing(), tools)
    const binding = new Set([...excluded].filter(([, why]) => reserving.includes(why)).map(([id]) => id))
    const holders = union(present, binding)
    const firstOf = (c: Candidate): string | undefined =>
      candidates.find((other) => holders.has(other.id) && twins(other, c))?.id
    const shadowed = (by: Ids): Ids =>
      both(
        present,
        ids((c) => firstOf(c) !== c.id && by.has(firstOf(c) ?? '')),
      )
    return [
      ['server-not-started', minus(both(standing(), standIns), inState('available'))],
      ['reserved-name', shadowed(binding)],
      ['duplicate-name', shadowed(present)],
    ]
  }

  const searching = bearing('tool-search')
  const always = union(
    spelledIn(deferral.always, ids),
    both(
      tools,
      ids(({ id }) => deferral.always.includes(fitted(id).name)),
    ),
  )
  const deferrable = (): Ids =>
    deferral.mode === 'off' || both(searching, standing()).size === 0
      ? none
      : minus(both(both(standing(), tools), overMcp), union(always, searching))
  const providerFit = (): Cuts => {
    const canWait = deferrable()
    const competing = minus(both(standing(), tools), canWait.size > 0 ? canWait : searching)
    const first = union(
      ids((c) => c.source === 'builtin'),
      always,
    )
    const configured = ids((c) => c.source === 'config')
    const later = minus(competing, union(searching, first))
    const ranked = union(both(competing, searching), both(competing, first), both(later, configured), later)
    return [['over-target-cap', new Set([...ranked].slice(target.toolsMax ?? ranked.size))]]
  }

  const order: readonly (readonly [gate: string, cuts: () => Cuts])[] = [
    ['availability', availability],
    ['definition', definition],
    ['tool-groups', toolGroups],
    ['host-shell', () => [['host-shell-closed', commandsOnHost]]],
    ['model-capability', modelCapability],
    ['simple-mode', () => [['not-basic', when(facts.simpleMode.on, minus(all, basic))]]],
    ['mcp-switch', () => [['mcp-off', when(!facts.mcp.on, overMcp)]]],
    ['permissions', () => rules.cuts],
    ['skill-tools', () => bySkills(facts.skills, ids)],
    ['delegation', delegationCuts],
    ['unique-name', uniqueName],
    ['provider-fit', providerFit],
    ['deferral', () => [['catalog-empty', when(deferred.size === 0, searching)]]],
  ]
  let deferred: Ids = none
  for (const [gate, cuts] of order) {
    if (gate === 'deferral') deferred = overBudget()
    const present = standing()
    const judged = gate === 'definition' ? both(present, tools) : present
    for (const [code, cut] of cuts())
      for (const id of both(cut, judged)) if (!excluded.has(id)) excluded.set(id, `${gate}/${code}`)
  }
  const exposed = standing()
  const names = new Map(
    candidates.filter((c) => exposed.has(c.id) && isOfForm(c.name, target)).map((c) => [c.id, c.name]),
  )
  return { eager: minus(exposed, deferred), deferred, excluded, asked: both(rules.asked, exposed), names }

  function overBudget(): Ids {
    const canWait = deferrable()
    const present = both(standing(), tools)
    const tokens = (set: Ids): number => [...set].reduce((sum, id) => sum + Math.ceil(fitted(id).chars / 4.24), 0)
    const fits = (set: Ids): boolean =>
      tokens(set) <= deferral.budgetTokens && set.size <= (target.toolsMax ?? set.size)
    if (deferral.mode === 'on' || canWait.size === 0) return canWait
    if (fits(minus(present, searching))) return none
    const calls = (id: string): number =>
      (deferral.use ?? [])
        .filter((one) => one.id === id && one.calls > 0 && one.calls < Number.POSITIVE_INFINITY)
        .reduce((sum, one) => sum + one.calls, 0)
    const doublings = (id: string): number => (calls(id) < 1 ? -1 : Math.floor(Math.log2(calls(id))))
    const price = (id: string): number => tokens(new Set([id]))
    const byUse = [...canWait].sort((one, other) => doublings(other) - doublings(one) || price(one) - price(other))
    const kept = byUse.reduce<Ids>(
      (before, id) => (fits(union(before, new Set([id]))) ? union(before, new Set([id])) : before),
      minus(present, canWait),
    )
    return minus(canWait, kept)
  }
}

const reserving = [
  'host-shell/host-shell-closed',
  'permissions/denied-by-name',
  ...['invalid-schema', 'definition-too-big', 'definition-not-approved', 'definition-changed'].map(
    (code) => `definition/${code}`,
  ),
]
