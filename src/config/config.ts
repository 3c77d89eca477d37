// A configuration as the rest of the product sees it: plain data, checked, every part with the place it was
// written at. Every optional list says what absent, empty and filled mean.

import type { EffectClass, ToolRole } from '../core/candidate.ts'
import type { JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import type { ModelCapability, Rule } from '../core/run-facts.ts'

export interface ModelConfig {
  readonly name: string
  /** `package:Export` of a chat model class; loaded only by what runs an agent. */
  readonly use?: string
  readonly args?: JsonObject
  /** What the model can. Absent: `[tools]`. `[]`: not even tools. */
  readonly can: readonly ModelCapability[]
  /** Name of a target in `src/targets/`. Absent: `common`, which every provider accepts. */
  readonly target?: string
  readonly contextTokens?: number
  /** One printable line: why the model cannot be run (a variable is not set). Its tools can be told. Absent: it can. */
  readonly unusable?: string
  readonly origin: Origin
}

export interface ToolConfig {
  /** A label for people. The tool's own name is what the model sees. */
  readonly name: string
  readonly group?: string
  /** `./file.mjs:export` beside the configuration, or `package:export` of a trusted package. */
  readonly use: string
  readonly enabled: boolean
  /** The operator's word on what a call may do. Absent: the tool's own declaration, else all effects. `[]`: none. */
  readonly effects?: readonly EffectClass[]
  readonly role?: ToolRole
  readonly args?: JsonObject
  readonly origin: Origin
  readonly origins: { readonly use: Origin; readonly group?: Origin; readonly enabled?: Origin }
}

/** Settings for one tool of an MCP server, by its original name. */
export interface McpToolConfig {
  readonly name: string
  readonly enabled?: boolean
  readonly group?: string
  readonly effects?: readonly EffectClass[]
  readonly role?: ToolRole
  readonly keywords?: readonly string[]
  readonly priority?: number
  /** False: the words of a message never promote it by themselves. Absent: they may. */
  readonly autoPromote?: boolean
  readonly origin: Origin
}

export interface OauthConfig {
  /** A client that was registered by hand. Absent: one is registered with the authorization server. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** Absent: what the server asks for. */
  readonly scopes?: readonly string[]
  /** Port of the loopback address that the login comes back to. Absent: any free one. */
  readonly redirectPort?: number
}

export interface McpServerConfig {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'sse'
  /** stdio: one program, never a shell line. */
  readonly command?: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** stdio: absolute. Absent: the configuration's folder. */
  readonly cwd?: string
  readonly url?: string
  /** The operator accepts plain http to another machine; redirects are judged by it too. Absent: no. */
  readonly allowHttp?: boolean
  readonly headers: { readonly [name: string]: string }
  readonly enabled: boolean
  /** False: a server that came with a shared file (`mcp_config_files`) and nobody approved. */
  readonly approved: boolean
  /** True: a run without it is no run. */
  readonly required: boolean
  readonly group?: string
  /** `server__tool` as surface name (default), or the tool's bare name. */
  readonly prefix: boolean
  /** The operator believes the server's annotations. */
  readonly trustAnnotations: boolean
  readonly effects?: readonly EffectClass[]
  /** The server's tools that are offered, by original name. Absent: all. `[]`: none. */
  readonly includeTools?: readonly string[]
  readonly excludeTools: readonly string[]
  readonly tools: readonly McpToolConfig[]
  readonly keywords?: readonly string[]
  readonly priority?: number
  /** False: the words of a message never promote it by themselves. Absent: they may. */
  readonly autoPromote?: boolean
  /** Deadline of start and listing together, milliseconds. */
  readonly startTimeoutMs: number
  /** A call fails after so many milliseconds without an answer or a sign of progress. */
  readonly callTimeoutMs: number
  /** A call fails after so many milliseconds in all, whatever progress it tells. */
  readonly callTotalMs: number
  /** What the operator says of the login of a remote server. Absent: all of it is asked of the server. */
  readonly oauth?: OauthConfig
  readonly origin: Origin
  readonly origins: {
    readonly enabled?: Origin
    readonly command?: Origin
    readonly url?: Origin
    readonly includeTools?: Origin
    readonly excludeTools?: Origin
    readonly approved?: Origin
  }
}

export interface AcpAgentConfig {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** Absolute. Absent: the folder of external agents in the thread. */
  readonly cwd?: string
  readonly description: string
  /** What is answered when the agent asks for permission. `ask`: a person is asked; where nobody is, it is denied. */
  readonly permissions: 'ask' | 'allow' | 'deny'
  /** From the start of the process until it has opened a session, milliseconds. */
  readonly startTimeoutMs: number
  /** From the prompt until the end of the turn, milliseconds; waiting for a person counts. */
  readonly turnTimeoutMs: number
  readonly origin: Origin
}

export interface AgentConfig {
  readonly name: string
  readonly description: string
  /** Name of a model. Absent: the first model. */
  readonly model?: string
  /** Absent: no restriction. `[]`: no tool at all. */
  readonly groups?: readonly string[]
  /** MCP servers. Absent: all. `[]`: none. */
  readonly servers?: readonly string[]
  /** Single tools, as exact rules. Absent: all. `[]`: none. */
  readonly tools?: readonly string[]
  /** Skills the agent may use. Absent: all enabled ones. `[]`: none. */
  readonly skills?: readonly string[]
  /** Rules of this agent alone, merged with the others. */
  readonly rules: readonly Rule[]
  /** Children it may start, by agent name, while delegation is on. Absent: every other agent. `[]`: none. */
  readonly children?: readonly string[]
  readonly origin: Origin
  readonly origins: {
    readonly model?: Origin
    readonly groups?: Origin
    readonly servers?: Origin
    readonly tools?: Origin
    readonly skills?: Origin
    readonly children?: Origin
  }
}

export interface SkillsConfig {
  /** Folders that hold skill folders, absolute. */
  readonly paths: readonly string[]
  readonly mode: 'active' | 'enabled'
  /** Skills in use from the start. */
  readonly active: readonly string[]
  readonly disabled: readonly string[]
  /** Absent: the built-in list (`defaultReachable` in `src/skills/`). `[]`: none is exempt. */
  readonly alwaysReachable?: readonly string[]
  readonly origin?: Origin
}

/**
 * An entry that was written down and cannot be used. It stays visible: as a tool or a server that is unavailable,
 * under a name that nobody else takes over in silence.
 */
export interface UnusableEntry {
  readonly kind: 'tool' | 'server' | 'acp-agent' | 'agent'
  readonly name: string
  readonly state: 'not-configured' | 'unsupported-transport'
  /** One printable line: why. */
  readonly detail: string
  readonly group?: string
  /** A server that a run is no run without. Absent: it is optional. */
  readonly required?: true
  readonly origin: Origin
}

export interface SandboxLimits {
  /** Memory of one process, and of all of them together. */
  readonly memoryBytes: number
  /** Processes and threads at one time. */
  readonly processes: number
  /** Output after which a command is ended. */
  readonly outputBytes: number
  /** One file that is written. */
  readonly fileBytes: number
  /** Temporary files, which lie in memory. */
  readonly tempBytes: number
  /** A command that takes room from the disk is ended when less than this is left. */
  readonly diskReserveBytes: number
}

/** What one kind of client of the gateway gets. */
export interface GatewayView {
  readonly name: string
  /** Absent: the first agent. */
  readonly agent?: string
  /** Absent: what the client's introduction says, else the target of the agent's model. */
  readonly target?: string
  /** Whose folders, sessions and approvals. Absent: that of the token, else `local`. */
  readonly user?: string
  /** Deny rules of this view alone. `[]`: none. */
  readonly denyTools: readonly string[]
  /** Nobody is there to be asked. */
  readonly unattended: boolean
  readonly origin: Origin
}

/** Has a value or the SHA-256 of one. */
export interface GatewayToken {
  readonly name: string
  readonly value?: string
  readonly sha256?: string
  /** Views that it may have; the first is meant where a client names none. At least one. */
  readonly views: readonly string[]
  readonly user: string
}

export interface GatewayConfig {
  readonly host: string
  readonly port: number
  /** Names in `Host` and `Origin` beside those of this machine. `[]`: none. */
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** `[]`: one, `default`, of the first agent. */
  readonly views: readonly GatewayView[]
  /** `[]`: whoever reaches the endpoint, which then is on this machine only. */
  readonly tokens: readonly GatewayToken[]
  /** Absent members: the defaults of the endpoint. */
  readonly limits: { readonly bodyBytes?: number; readonly perSecond?: number; readonly inFlight?: number }
}

export interface Config {
  /** Path of the file as the user gave it. */
  readonly file: string
  /** Its folder, absolute. */
  readonly folder: string
  /** The files that `mcp_config_files` names, absolute. Absent: none. */
  readonly sharedFiles?: readonly string[]
  readonly models: readonly ModelConfig[]
  readonly tools: readonly ToolConfig[]
  /** Groups for agents that name none. Absent: no restriction. `[]`: no tool at all. */
  readonly toolGroups?: readonly string[]
  readonly toolGroupsOrigin?: Origin
  readonly mcpServers: readonly McpServerConfig[]
  readonly acpAgents: readonly AcpAgentConfig[]
  readonly agents: readonly AgentConfig[]
  readonly skills: SkillsConfig
  readonly permissions: {
    /** From `permissions.*`, `deny_tools` and `deny_prefixes`. */
    readonly rules: readonly Rule[]
    readonly otherwise: 'allow' | 'ask' | 'deny'
    readonly otherwiseOrigin?: Origin
  }
  readonly sandbox: {
    readonly kind: 'auto' | 'none' | 'namespace'
    readonly allowHostBash: boolean
    /** Commands in the namespace reach the network of this machine. */
    readonly network: boolean
    /** Host folders of programs that commands in the namespace see, absolute. `[]`: those of the system only. */
    readonly programs: readonly string[]
    /** Bounds of one command and of all that it starts. */
    readonly limits: SandboxLimits
    readonly origin?: Origin
  }
  readonly delegation: {
    readonly enabled: boolean
    readonly depthMax: number
    /** Children of one agent that run at one time; further ones wait for their place. */
    readonly childrenMax: number
    /** How long a child may run in all. */
    readonly timeoutMs: number
    readonly origin?: Origin
  }
  readonly toolSearch: {
    readonly mode: 'off' | 'on' | 'auto'
    /** A share of the model's context window (0–1), or tokens (above 1). */
    readonly budget: number
    readonly always: readonly string[]
    /** Tools that one search gives with their definitions. */
    readonly maxResults: number
    /** Further ones that it names. */
    readonly moreResults: number
    /** Longest query, in characters. */
    readonly queryChars: number
    /** Groups of words that mean the same here, beside the built-in ones. `[]`: none. */
    readonly synonyms: readonly (readonly string[])[]
    /** Tools that the words of a user's message may promote at once. 0: none. */
    readonly autoPromote: number
    /** Tools that a thread may have promoted at one time. */
    readonly promotedMax: number
    /** What they may cost: a share of the context window (0–1), or tokens (above 1). Absent: as much as they do. */
    readonly promotedBudget?: number
    /** `module:export` of an embedder, as written. Absent: search is by words alone. */
    readonly embedder?: { readonly use: string; readonly origin: Origin }
    readonly origin?: Origin
    readonly budgetOrigin?: Origin
  }
  readonly limits: {
    readonly resultBytes: number
    /** Bytes of one message of a server; a longer one is not read, and its call fails. */
    readonly messageBytes: number
    readonly callTimeoutMs: number
    readonly callTotalMs: number
    readonly startTimeoutMs: number
  }
  /** Sessions that are open at one time, and how long one that nobody uses stays open. */
  readonly sessions: { readonly max: number; readonly idleMs: number }
  /** How old a stored listing may be before the server is asked again. 0: it is asked on every run. */
  readonly listings: { readonly maxAgeMs: number }
  /** Folder of the threads' files, absolute. Absent: `threads` in the state folder. */
  readonly workspace?: { readonly folder: string }
  readonly state: { readonly url: string }
  /** Packages that `use` may import from. `toolgate` is always one. */
  readonly trustedModules: readonly string[]
  /** A definition that changed since it was pinned is withheld. */
  readonly pins: { readonly enabled: boolean }
  /** Tools a run must have, or must not have, as rules; checked before the first model call. */
  readonly require: readonly { readonly text: string; readonly origin: Origin }[]
  readonly forbid: readonly { readonly text: string; readonly origin: Origin }[]
  readonly gateway: GatewayConfig
  /** Entries that were dropped because of an error, in the order of the file. Absent: none. */
  readonly unusable?: readonly UnusableEntry[]
  /** Every secret value that was expanded from the environment, for the redactor; never printed. */
  readonly secrets: readonly string[]
}
