// What a request of a client works with: its view, its thread, and the upstream servers that the view may use.

import { idleServers } from '../assembly/idle-servers.ts'
import type { McpServerConfig } from '../config/config.ts'
import type { JsonObject } from '../core/json.ts'
import { redactorOf } from '../runtime/config-redactor.ts'
import { mappedJson } from '../runtime/mapped-texts.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { Calls, View } from '../runtime/view.ts'
import { CallFailure } from '../sessions/call-failure.ts'
import type { OpenSession } from '../sessions/session.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { ClientDesk } from './client-desk.ts'
import { type GatewayClient, type RequestContext, WireError } from './service.ts'

export interface Scope {
  readonly client: GatewayClient
  readonly owner: ThreadOwner
  readonly view: View
  readonly calls: Calls
  readonly toolbox: Toolbox
  /** True: the view or the kind of the client says what it accepts. */
  readonly isFitted: boolean
  /** Servers that the view may use, in the order of the configuration, whatever they offer. */
  readonly servers: () => Promise<readonly McpServerConfig[]>
  /** Requests that call a tool now, by the id of the call: what a person is asked meanwhile is a part of them. */
  readonly requests: Map<string, RequestContext>
  /** Announces a request at a server while it runs, so that what the server asks meanwhile is a part of it. */
  readonly during: ReturnType<ClientDesk['sit']>['during']
  /** The level that the client wants of logs. Absent: it has not said. */
  level: string | undefined
  /** Sessions that know that level. */
  levelled: WeakSet<OpenSession>
}

/** One upstream request as a part of one of the client's. Rejects with a WireError. */
export async function upstream<T>(
  scope: Scope,
  server: McpServerConfig,
  { context, work }: { readonly context: RequestContext; readonly work: (session: OpenSession) => Promise<T> },
): Promise<T> {
  const { toolbox, owner, during } = scope
  try {
    return await during(server.name, context, () =>
      toolbox.withSession(
        { server, owner },
        async (session) => {
          await levelled(scope, session, server)
          return work(session)
        },
        context.signal,
      ),
    )
  } catch (error) {
    throw wireErrorOf(error)
  }
}

/** Passes a request on as it is; what comes back holds no secret of the configuration. */
export const passOn = async (
  scope: Scope,
  server: McpServerConfig,
  {
    method,
    params,
    context,
  }: { readonly method: string; readonly params: JsonObject; readonly context: RequestContext },
): Promise<JsonObject> => {
  const result = await upstream(scope, server, {
    context,
    work: (session) => session.request(method, params, requestOptions(server, context)),
  })
  return redacted(result, scope)
}

export const redacted = (value: JsonObject, { view }: Scope): JsonObject =>
  mappedJson(value, redactorOf(view.current().config)) as JsonObject

export const requestOptions = (server: McpServerConfig, context: RequestContext) => ({
  signal: context.signal,
  onProgress: (progress: object) => context.progress({ ...progress } as JsonObject),
  progressBurst: 100,
  idleTimeoutMs: server.callTimeoutMs,
  totalTimeoutMs: server.callTotalMs,
})

/** A server hears of the level when it is first used after the client has said it; one without logs never does. */
async function levelled({ level, levelled }: Scope, session: OpenSession, server: McpServerConfig): Promise<void> {
  if (level === undefined || levelled.has(session) || session.capabilities.logging === undefined) return
  levelled.add(session)
  const limits = { idleTimeoutMs: server.callTimeoutMs, totalTimeoutMs: server.callTimeoutMs }
  await session.request('logging/setLevel', { level }, limits).catch(() => {})
}

export function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireError) return error
  if (error instanceof CallFailure) {
    const { rpc, code, message } = error
    return rpc === undefined ? new WireError(-32603, message, { code }) : new WireError(rpc.code, rpc.message, rpc.data)
  }
  return new WireError(-32603, error instanceof Error ? error.message : String(error))
}

/** The servers of which a view has not lost everything, whatever they list. */
export async function usableServers(view: View): Promise<readonly McpServerConfig[]> {
  const { config, run } = view.current()
  const idle = await idleServers(config, run.surface.facts, run.gates)
  return config.mcpServers.filter(({ name, enabled, approved }) => enabled && approved && !idle.has(name))
}
