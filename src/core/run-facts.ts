// The facts of one run: who runs, on which model, under which rules. Plain JSON, so that a run can be stored,
// compared and asked "what if". Every optional list says what absent, empty and filled mean.

import type { Origin } from './origin.ts'

export interface AgentFacts {
  readonly name: string
  /** Groups the agent asks for. Absent: no restriction. `[]`: no tool at all. */
  readonly groups?: readonly string[]
  /** MCP servers the agent asks for. Absent: all. `[]`: none. Tools without a server are not asked. */
  readonly servers?: readonly string[]
  /** Tools the agent asks for, as exact rules. Absent: all. `[]`: none. */
  readonly tools?: readonly string[]
  readonly origins: { readonly groups?: Origin; readonly servers?: Origin; readonly tools?: Origin }
}

export type ModelCapability = 'tools' | 'vision' | 'native-search'

export interface ModelFacts {
  readonly name: string
  /** What the model can. A tool that needs more is left out. */
  readonly can: readonly ModelCapability[]
  /** Size of the context window in tokens; the base of a relative deferral budget. */
  readonly contextTokens?: number
  readonly origin?: Origin
}

/** What the receiver of the tool list (a provider's API or a client) accepts. See `src/targets/`. */
export interface TargetFacts {
  readonly name: string
  /** Longest tool name, in characters. */
  readonly nameMax: number
  /** `word`: letters, digits, `_`. `word-dash`: also `-`. `word-dash-dot-colon`: also `.` and `:`. */
  readonly nameCharset: 'word' | 'word-dash' | 'word-dash-dot-colon'
  /** The first character must be a letter or `_`. */
  readonly nameStartsWithLetter: boolean
  /** Most tools in one request. Absent: no known limit. */
  readonly toolsMax?: number
  /** Longest description in characters. Absent: no known limit. */
  readonly descriptionMax?: number
  readonly descriptionRequired: boolean
  /** Which schema rules apply; a key of the schema profiles in `src/targets/`. */
  readonly schemaProfile: string
  readonly origin?: Origin
}

export interface SkillFact {
  readonly name: string
  readonly enabled: boolean
  readonly active: boolean
  /** Names from `allowed-tools`. Absent: the skill declares nothing. `[]`: no tool. */
  readonly allowedTools?: readonly string[]
  /** Why its list could not be read; such a skill allows nothing. */
  readonly malformed?: string
  /** True: the thread has put it into use itself, so it never adds to what other skills leave. Absent: the operator has. */
  readonly byThread?: true
  readonly origin: Origin
}

export interface SkillsFacts {
  /** active: only skills in use restrict. enabled: every enabled skill restricts, as in the first seed. */
  readonly mode: 'active' | 'enabled'
  readonly list: readonly SkillFact[]
  /** Tools no skill can take away, by name. `[]`: none is exempt. */
  readonly alwaysReachable: readonly string[]
}

/** One line of a deny, ask or allow list, with the place where it was written. The language: `src/permissions/`. */
export interface Rule {
  readonly effect: 'deny' | 'ask' | 'allow'
  readonly text: string
  /** Which scope it came from: `config`, `agent`, `command line`, … */
  readonly scope: string
  readonly origin: Origin
}

export interface PermissionFacts {
  /** All scopes merged; nobody's deny is lifted by another scope. */
  readonly rules: readonly Rule[]
  /** What holds for a tool that no rule names. */
  readonly otherwise: 'allow' | 'ask' | 'deny'
  readonly otherwiseOrigin?: Origin
}

export interface SandboxFacts {
  /** none: commands would run on the host. namespace: an isolated sandbox runs them. */
  readonly kind: 'none' | 'namespace'
  /** Only the boolean `true` opens the host. */
  readonly allowHostBash: boolean
  readonly origin?: Origin
}

export interface DelegationFacts {
  readonly enabled: boolean
  /** 0 for the agent that a person started, 1 for its children, … */
  readonly depth: number
  /** Children may delegate while their depth is below this. */
  readonly depthMax: number
  /** For a child: what its parent has. Absent: this is no child. */
  readonly parent?: { readonly agent: string; readonly tools: readonly string[] }
  /** For a child: its own allow list, as exact rules. Absent: all of the parent's. `[]`: none. */
  readonly allow?: readonly string[]
  /** For a child: its own deny list, as wide rules. */
  readonly deny?: readonly string[]
  readonly origin?: Origin
  readonly allowOrigin?: Origin
  readonly denyOrigin?: Origin
}

export interface DeferralFacts {
  readonly mode: 'off' | 'on' | 'auto'
  /** Tokens that eager definitions may cost in mode `auto`. */
  readonly budgetTokens: number
  /** Names that stay eager. */
  readonly always: readonly string[]
  /** Calls of the agent by `Candidate.id`, added up. Absent: nothing is known. What is no positive number counts as none. */
  readonly use?: readonly { readonly id: string; readonly calls: number }[]
  readonly origin?: Origin
  readonly budgetOrigin?: Origin
  readonly useOrigin?: Origin
}

/** An approved definition: the hash it had, and enough of it to show what changed. */
export interface Pin {
  readonly id: string
  readonly definitionHash: string
  readonly approvedAt: string
}

export interface RunFacts {
  readonly agent: AgentFacts
  readonly model: ModelFacts
  readonly target: TargetFacts
  readonly skills: SkillsFacts
  readonly permissions: PermissionFacts
  readonly sandbox: SandboxFacts
  readonly delegation: DelegationFacts
  readonly deferral: DeferralFacts
  readonly simpleMode: { readonly on: boolean; readonly origin?: Origin }
  readonly mcp: { readonly on: boolean; readonly origin?: Origin }
  /** False: nobody can answer a question or an approval. */
  readonly attended: { readonly on: boolean; readonly origin?: Origin }
  /** Approved definitions. Absent: pins are off. `[]`: nothing is approved yet. */
  readonly pins?: readonly Pin[]
  readonly user?: string
  readonly thread?: string
}
