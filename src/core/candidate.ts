// A candidate is a tool at the door: everything that the gates may ask it, as plain JSON. What executes it
// is kept elsewhere, by identity, so that a decision can be made (and made again) anywhere.

import type { Json, JsonObject } from './json.ts'
import type { Origin } from './origin.ts'

/** In the order of precedence: the first of a name wins. `snapshot` is an inventory that nothing stands behind. */
export const sourceKinds = ['config', 'builtin', 'mcp', 'acp', 'snapshot'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** How a call reaches the tool. Declared by the source; never guessed from a name. */
export type Protocol = 'module' | 'native' | 'mcp' | 'acp'

/** executes: returns a result. updates-state: writes thread state. interrupts: ends the turn, a person answers. delegates: hands work to another agent. */
export type ToolForm = 'executes' | 'updates-state' | 'interrupts' | 'delegates'

/** What kind of tool it is where a gate must know. Absent: none of these. */
export type ToolRole = 'shell' | 'file-read' | 'file-edit' | 'subagent' | 'tool-search' | 'ask-person'

/** What a tool needs in order to work at all. `shell` runs commands as the run lets it; `host-shell` on this machine itself. */
export type Need = 'shell' | 'host-shell' | 'vision' | 'native-search' | 'person'

/** What a call may do. Unknown effects are assumed to be all four. */
export const effectClasses = ['read', 'write', 'execute', 'network'] as const
export type EffectClass = (typeof effectClasses)[number]

/** What the model is told of a tool. Text and schemas of servers are foreign data. */
export interface Definition {
  readonly title?: string
  readonly description: string
  /** A JSON Schema whose root is an object. */
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** Claims of the server, unknown keys kept. */
  readonly annotations?: JsonObject
}

/** Why a tool cannot be had right now. Each is a code of the gate `availability`. */
export const unavailableStates = [
  'not-configured',
  'disabled',
  'not-approved',
  'starting',
  'failed-to-start',
  'handshake-failed',
  'login-needed',
  'listing-failed',
  'timed-out',
  'listed-nothing',
  'no-longer-listed',
  'unsupported-transport',
  'load-failed',
] as const
export type UnavailableState = (typeof unavailableStates)[number]

/** `not-started`: a rule denies the whole server, so it was never started; the gate `permissions` says which. */
export type Availability =
  | { readonly state: 'available' }
  | { readonly state: 'not-started' }
  | {
      readonly state: UnavailableState
      /** One printable line: what happened. */
      readonly detail: string
      /** Where the switch is that causes it, when there is one. */
      readonly origin?: Origin
      /** When the tool was last listed, ISO 8601. */
      readonly lastListedAt?: string
    }

/** A fault of the definition that was seen while reading it from the wire. Each code is one of the gate `definition`. */
export interface DefinitionFault {
  readonly code: 'invalid-name' | 'invalid-schema' | 'definition-too-big'
  readonly detail: string
}

export interface Candidate {
  /** Identity, unique in a run: source, owner and original name, e.g. `mcp:files/read_file`. */
  readonly id: string
  readonly source: SourceKind
  readonly protocol: Protocol
  /** Name of the MCP server or ACP agent that owns it. */
  readonly server?: string
  /** What its owner calls it; goes over the wire unchanged. */
  readonly originalName: string
  /** What the model would call it, before the target's rules for names. */
  readonly name: string
  /** The label in the configuration, where there is one. */
  readonly declaredName?: string
  /** True for a stand-in, which stands for all tools of a server that never listed any. */
  readonly standIn?: boolean
  readonly form: ToolForm
  readonly group?: string
  readonly role?: ToolRole
  readonly needs: readonly Need[]
  readonly effects: readonly EffectClass[]
  /** declared: by the operator or our own code. claimed: by a server that the operator trusts. assumed: nobody said. */
  readonly effectsBy: 'declared' | 'claimed' | 'assumed'
  readonly availability: Availability
  readonly faults?: readonly DefinitionFault[]
  readonly definition: Definition
  /** SHA-256 over server identity, original name and definition, in canonical form. */
  readonly definitionHash: string
  /** Length in characters of the JSON that a model would be sent; the base of every token estimate. */
  readonly definitionChars: number
  /** Words and priority by which requests are routed to it (configured). `autoPromote: false`: never by words alone. */
  readonly routing?: { readonly keywords: readonly string[]; readonly priority: number; readonly autoPromote?: false }
  /** Free labels that a source declares for a preset, e.g. how another product would have read an entry. */
  readonly marks?: readonly string[]
  readonly origin: Origin
  readonly meta?: { readonly [key: string]: Json }
}
