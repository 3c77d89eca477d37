// What a tool of this process is: a plain object that says what the model is told and what a gate may ask. The
// built-in tools are of this form, and so are the tools that people write and name under `tools` in a
// configuration (`import { defineTool } from 'toolgate/tools'`).

import type { EffectClass, Need, ToolForm, ToolRole } from '../core/candidate.ts'
import type { JsonObject } from '../core/json.ts'
import type { Shell } from '../workspace/sandbox/shell.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What a call gets beside its arguments. */
export interface ToolCallContext {
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal
  /** The folders of the thread that calls. Absent: the caller has none, and tools that need files fail. */
  readonly workspace?: Workspace
  /** The deferred tools of the thread, for a tool of the role `tool-search`. Absent: the tool has another role. */
  readonly catalog?: CatalogAccess
  /** Starts helper agents, for a tool of the role `subagent`. Absent: nothing here runs agents. */
  readonly children?: ChildAccess
  /** Runs commands as the run lets it, for a tool of the role `shell` that needs `shell`. Absent: it may run none. */
  readonly shell?: Shell
}

/** What a search tool may do: look for deferred tools, and load what it found for this thread. */
export interface CatalogAccess {
  /**
   * Answers as MCP results do: text for a model, and the same as structure. What is given with its definition is
   * promoted when this resolves. Rejects with a ToolgateError when the query cannot be carried out, or when what was
   * promoted cannot be kept.
   */
  readonly search: (request: { readonly query: unknown; readonly maxResults?: number }) => Promise<JsonObject>
}

/** What is given to a helper agent. */
export interface ChildRequest {
  /** Name of the agent. Absent: one of the caller's own kind. */
  readonly agent?: string
  /** The task in a few words, for people. */
  readonly description: string
  readonly prompt: string
}

/** What a delegating tool may do: give a task to an agent whose surface lies inside of the caller's. */
export interface ChildAccess {
  /**
   * Resolves when the child has ended, as MCP results do: its last words as text, how it ended as structure. Rejects
   * with a ToolgateError when there is no such child, or it cannot be started.
   */
  readonly run: (request: ChildRequest) => Promise<JsonObject>
}

export interface Tool {
  /** What the model calls it: letters, digits, `_`, `-`, `.`, at most 128 characters. */
  readonly name: string
  readonly title?: string
  /** When to use it and what it returns, for a model that knows nothing else of it. */
  readonly description: string
  /** A JSON Schema whose root is an object. */
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
  readonly form: ToolForm
  /** Absent: none that a gate must know. */
  readonly role?: ToolRole
  /** What it cannot work without. `[]`: nothing. */
  readonly needs: readonly Need[]
  /** What a call may do. `[]`: none of it. */
  readonly effects: readonly EffectClass[]
  /** The group where the configuration gives none. Absent: no group. */
  readonly group?: string
  /**
   * Carries out a call. A tool without it is one that the runtime itself carries out, because it needs the thread,
   * its workspace, its catalog or other agents.
   */
  readonly execute?: (args: JsonObject, context: ToolCallContext) => unknown
}

/** What an author must write; the rest has a careful default. */
export interface ToolSpec
  extends Pick<
    Tool,
    'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations' | 'role' | 'group'
  > {
  /** Absent: `executes`. */
  readonly form?: ToolForm
  /** Absent: nothing. */
  readonly needs?: readonly Need[]
  /** What a call may do. Required, because what nobody declares is taken for everything. `[]`: nothing. */
  readonly effects: readonly EffectClass[]
  readonly execute: NonNullable<Tool['execute']>
}

/** Makes a tool of one's own. Only the outer object is frozen; the schema stays as it was handed in. */
export const defineTool = (spec: ToolSpec): Tool => Object.freeze({ form: 'executes', needs: [], ...spec })
