// The one place that knows the order of gates. A preset is a plain array: take it, cut it, put a gate of your own
// into it. What must come before what, and why, stands below as data, and a test holds every preset to it.

import type { Gate } from '../core/gate.ts'
import { nearest } from '../names/nearest.ts'
import { availability } from './availability.ts'
import { deferral } from './deferral.ts'
import { definition } from './definition.ts'
import { delegation } from './delegation.ts'
import { hostShell } from './host-shell.ts'
import { mcpSwitch } from './mcp-switch.ts'
import { mcpSwitchBySubstring } from './mcp-switch-by-substring.ts'
import { modelCapability } from './model-capability.ts'
import { permissions } from './permissions.ts'
import { providerFit } from './provider-fit.ts'
import { simpleMode } from './simple-mode.ts'
import { simpleModeByName } from './simple-mode-by-name.ts'
import { skillTools } from './skill-tools.ts'
import { toolGroups } from './tool-groups.ts'
import { toolGroupsOfConfig } from './tool-groups-of-config.ts'
import { uniqueName } from './unique-name.ts'
import { uniqueNameWithTakeover } from './unique-name-with-takeover.ts'

export const presetNames = ['default', 'deerflow', 'claw'] as const
export type PresetName = (typeof presetNames)[number]

export const gateOrder: { readonly [preset in PresetName]: readonly Gate[] } = {
  default: [
    availability, //     what cannot be had is told as that, not as somebody's rule
    definition, //       from here on a name is a name and a schema a schema
    toolGroups, //       coarse: what the agent asked for
    hostShell, //        safety: before anything that could hand its name on
    modelCapability, //  what the model can use
    simpleMode,
    mcpSwitch,
    permissions, //      whose rules, in one language
    skillTools, //       least privilege
    delegation, //       a child never has more than its parent
    uniqueName, //       from here on a name means one tool
    providerFit, //      names and schemas as the target takes them
    deferral, //         last: decides when, not whether
  ],
  /** The order of the first seed; what it does not know stands where it changes none of its answers. */
  deerflow: [
    availability,
    definition,
    toolGroupsOfConfig, //      groups touch configured tools only
    hostShell,
    modelCapability,
    mcpSwitch, //               off: nothing of MCP is collected at all
    uniqueNameWithTakeover, //  twins are dropped while collecting, before policy; a freed name passes on
    skillTools,
    simpleMode,
    permissions,
    delegation,
    providerFit,
    deferral,
  ],
  /** The three filters of the second seed; before them only what keeps strangers and the missing out. */
  claw: [availability, definition, simpleModeByName, mcpSwitchBySubstring, permissions],
}

export interface OrderConstraint {
  readonly before: string
  readonly after: string
  readonly because: string
  /** Presets it holds for. Absent: every order in which both gates occur. */
  readonly presets?: readonly PresetName[]
}

/** What must come before what. A test holds every preset to it. */
export const orderConstraints: readonly OrderConstraint[] = [
  {
    before: 'availability',
    after: 'definition',
    because: 'what was never listed has no definition that could be judged',
  },
  {
    before: 'availability',
    after: 'tool-groups',
    because: 'people look for a rule when a server is down, unless the first answer is that it is down',
  },
  {
    before: 'definition',
    after: 'permissions',
    because: 'rules are read against names, and only a name that passed the rule for names can be told apart',
  },
  {
    before: 'definition',
    after: 'unique-name',
    because: 'a broken or changed definition keeps its name, so its loss must be known when names are given out',
  },
  {
    before: 'tool-groups',
    after: 'host-shell',
    because: 'what nobody asked for is not blamed on a safety rule; the first seed has this order too',
  },
  {
    before: 'host-shell',
    after: 'model-capability',
    because: 'the first seed has this order, and a boundary of safety is told before a lack of ability',
  },
  {
    before: 'host-shell',
    after: 'unique-name',
    because: 'only then can a name that the boundary took away be withheld, or its passing on be shown',
  },
  {
    before: 'model-capability',
    after: 'unique-name',
    because: 'a tool that the model cannot use must not keep its name from one that it can',
  },
  {
    before: 'simple-mode',
    after: 'mcp-switch',
    because: 'the second seed filters in this order, and its counts are read step by step',
    presets: ['default', 'claw'],
  },
  {
    before: 'mcp-switch',
    after: 'permissions',
    because: 'the second seed filters in this order, and its counts are read step by step',
  },
  {
    before: 'simple-mode',
    after: 'permissions',
    because: 'the second seed filters in this order, and its counts are read step by step',
  },
  {
    before: 'mcp-switch',
    after: 'unique-name',
    because: 'a tool that is switched off must not take a name from one that is on',
  },
  {
    before: 'permissions',
    after: 'unique-name',
    because: 'a tool that is denied for one server must not take the name from another’s that is allowed',
    presets: ['default'],
  },
  {
    before: 'skill-tools',
    after: 'unique-name',
    because: 'a tool that no skill allows must not take the name from one that a skill names',
    presets: ['default'],
  },
  {
    before: 'delegation',
    after: 'unique-name',
    because: 'what the parent lacks must not take the name from what the parent has',
    presets: ['default'],
  },
  {
    before: 'unique-name',
    after: 'skill-tools',
    because: 'the first seed drops twins while it collects, before skills narrow',
    presets: ['deerflow'],
  },
  {
    before: 'skill-tools',
    after: 'permissions',
    because: 'the first seed has no such rules; after its own gates they change none of its answers but their own',
    presets: ['deerflow'],
  },
  {
    before: 'unique-name',
    after: 'provider-fit',
    because: 'an alias is given to the one tool that bears the name',
  },
  {
    before: 'permissions',
    after: 'deferral',
    because: 'deferral is worked out after policy, so the catalog holds nothing that is denied',
  },
  {
    before: 'skill-tools',
    after: 'deferral',
    because: 'deferral is worked out after policy, so the catalog holds nothing that no skill allows',
  },
  {
    before: 'delegation',
    after: 'deferral',
    because: 'a child has a catalog of its own, of what it may have',
  },
  {
    before: 'provider-fit',
    after: 'deferral',
    because: 'the budget is spent on definitions as they are sent, and on tools that the target takes',
  },
]

/** Gates that can leave a whole server out before anything of it is known, so that it is never started. */
const canIdleServers: ReadonlySet<string> = new Set(['tool-groups', 'simple-mode', 'mcp-switch', 'permissions'])

/** The gates of an order that are asked about the stand-in of a server before it is started, in their order. */
export const startGates = (order: readonly Gate[]): readonly Gate[] =>
  order.filter((gate) => canIdleServers.has(gate.id))

/** The gates of an order by id, for whoever puts a step into words. */
export const gatesById = (order: readonly Gate[]): ReadonlyMap<string, Gate> =>
  new Map(order.map((gate) => [gate.id, gate]))

/**
 * A new order with one more gate in it, before the gate with the id. Throws a RangeError when no such gate is
 * there, or when the new one bears an id that is taken.
 */
export function insertBefore(order: readonly Gate[], id: string, gate: Gate): readonly Gate[] {
  const ids = order.map((other) => other.id)
  const at = ids.indexOf(id)
  if (at < 0) {
    const [near] = nearest(id, ids, 1)
    throw new RangeError(
      `no gate "${id}" in this order: ${near === undefined ? ids.join(', ') : `did you mean "${near}"`}`,
    )
  }
  if (ids.includes(gate.id)) throw new RangeError(`a gate "${gate.id}" is in this order already`)
  return Object.freeze([...order.slice(0, at), gate, ...order.slice(at)])
}
