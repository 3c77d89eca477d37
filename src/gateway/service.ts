// What stands between the wires of the gateway and what it serves. An endpoint (stdio, HTTP; 2025 or 2026 revision) turns
// messages into these calls and back; the service knows no wire. Results, errors and notifications are JSON as MCP has
// it, and nobody here rebuilds them.
//
//   client ─ wire ─ endpoint ─▶ GatewayService.open ─▶ ClientSession.request ─▶ surface, middlewares, upstream servers
//                            ◀─ notify, ask ◀──────────────────────────────────

import type { JsonObject } from '../core/json.ts'

/** Who a client is, as its credential, header or path says. */
export interface ClientIdentity {
  /** Name of the view that it gets. */
  readonly view: string
  /** Whose folders, sessions and approvals. An id. */
  readonly user: string
  /** The thread that the client names (header or `_meta`). Absent: one of its own. */
  readonly thread?: string
}

/** A client that has come in: a session of the 2025 revisions, or one request of 2026-07-28. */
export interface GatewayClient extends ClientIdentity {
  readonly era: 'legacy' | 'modern'
  /** How it introduces itself. Absent: it does not. */
  readonly info?: { readonly name: string; readonly version: string }
  /** Its capabilities as it declares them. `{}`: none. */
  readonly capabilities: JsonObject
  /** A notification to the client that belongs to none of its requests. Neither waits nor throws. */
  readonly notify: (method: string, params: JsonObject) => void
  /**
   * Asks the client (`elicitation/create`, `sampling/createMessage`, `roots/list`) outside of any request of its own.
   * Rejects with a WireError where it cannot be asked.
   */
  readonly ask: (method: string, params: JsonObject, signal?: AbortSignal) => Promise<JsonObject>
}

/** One request of a client while it runs. */
export interface RequestContext {
  /** Aborted when the client calls it off or is gone. */
  readonly signal: AbortSignal
  /** Progress of this request, in order; dropped where the client did not ask for it. Told before the result is. */
  readonly progress: (params: JsonObject) => void
  /** A notification that belongs to this request, such as a log message. */
  readonly notify: (method: string, params: JsonObject) => void
  /** As `GatewayClient.ask`, as a part of this request; in 2026-07-28 the client gets `input_required` and comes again. */
  readonly ask: GatewayClient['ask']
  /**
   * Least level of the log messages that belong to this request, where the request says it itself (2026-07-28). Others
   * are dropped on their way. Absent: it says nothing, which in 2026-07-28 means none.
   */
  readonly logLevel?: string
}

/** What one client is served. */
export interface ClientSession {
  /** Capabilities of the server, as `initialize` or `server/discover` tell them. */
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject
  readonly instructions?: string
  /**
   * Carries out a request and gives its result as MCP has it. `method` is any of tools/*, prompts/*, resources/*,
   * completion/complete, logging/setLevel; the endpoint answers initialize, ping, server/discover itself, and turns
   * subscriptions/listen into resources/subscribe. What belongs to the wire is taken out of `_meta` before: the token of
   * progress, the thread, the keys of the revision. Rejects with a WireError, which the client gets as it is; whatever
   * else it rejects with is an internal error.
   */
  readonly request: (method: string, params: JsonObject, context: RequestContext) => Promise<JsonObject>
  /** A notification of the client, such as `notifications/roots/list_changed`. */
  readonly notified: (method: string, params: JsonObject) => void
  /** How long what lists say holds, and for whom; for results of lists and reads in 2026-07-28. */
  readonly cacheHint: (method: string) => { readonly ttlMs: number; readonly scope: 'public' | 'private' }
  /** The client is gone. Resolves when nothing of it is running. */
  readonly close: () => Promise<void>
}

export interface GatewayService {
  /** Rejects with a WireError where there is no such view. */
  readonly open: (client: GatewayClient) => Promise<ClientSession>
  /** `starting` until the first surface stands. */
  readonly health: () => {
    readonly state: 'starting' | 'ready' | 'ending'
    readonly servers: readonly { readonly name: string; readonly state: string }[]
  }
}

/** An error as JSON-RPC has it. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
