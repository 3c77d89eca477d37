// The SDK's server of one client: it knows the handshake, the revisions, cancellation and the ids of both directions.
// Requests come to it as a fallback, for which it neither checks nor rebuilds what is in them; what it would still
// rewrite in results of the 2025 revisions (error -32002, schemas of results that are no objects) is put back
// (`Outcomes`). In 2026-07-28 it only adds what that revision asks for.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  Server,
  type ServerContext,
  type StandardSchemaV1,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type ClientSession, type GatewayClient, WireError } from '../service.ts'
import { cacheableMethods, changeMethods, logLevels, servedMethods } from './methods.ts'
import type { Parking } from './parking.ts'
import { capabilityFault, type Run, startRun } from './run.ts'

/** As the SDK has params: what stands in them is not its concern. */
type Loose = { [key: string]: unknown }

export const modernVersion = '2026-07-28'
export const legacyVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== modernVersion)

/** Answers of the 2025 revisions as the service gave them, by the id of the request, until they are sent. */
export interface Outcomes {
  readonly keep: (id: string | number, outcome: { readonly result: JsonObject } | { readonly error: WireError }) => void
  /** The message as it is to be sent. */
  readonly restored: (message: JSONRPCMessage) => JSONRPCMessage
}

/** An answer of a request that was called off meanwhile is never sent; so few of them stay. */
const keptMax = 1024

export function outcomes(): Outcomes {
  const kept = new Map<string | number, JSONRPCMessage>()
  return {
    keep: (id, outcome) => {
      if (kept.size >= keptMax) kept.clear()
      kept.set(
        id,
        'result' in outcome
          ? { jsonrpc: '2.0', id, result: outcome.result as { [key: string]: unknown } }
          : { jsonrpc: '2.0', id, error: errorBody(outcome.error) },
      )
    },
    restored: (message) => {
      if ('method' in message || message.id === undefined) return message
      const own = kept.get(message.id)
      kept.delete(message.id)
      return own ?? message
    },
  }
}

export const errorBody = ({ code, data, message }: WireError) => ({
  code,
  message,
  ...(data === undefined ? {} : { data }),
})

export interface ServerSpec {
  readonly session: ClientSession
  readonly era:
    | { readonly kind: 'legacy'; readonly outcomes: Outcomes; readonly capabilities: JsonObject }
    | {
        readonly kind: 'modern'
        readonly parking: Parking
        /** The client, as far as what it parks is concerned. */
        readonly owner: string
        /** What takes up a run that waits. Absent: the parking is asked. */
        readonly resumed?: Run
        /** Told which run this server carries out, begun or taken up. */
        readonly carries?: (run: Run) => void
      }
  /** Errors that are nobody's answer. */
  readonly report: (error: unknown) => void
}

/** A server that is not connected yet. */
export function protocolServer(spec: ServerSpec): Server {
  const { era, session } = spec
  const { name = 'toolgate', version = '0', ...more } = session.serverInfo
  const server = new Server({ ...more, name: String(name), version: String(version) }, {
    capabilities: session.capabilities as object,
    supportedProtocolVersions: era.kind === 'legacy' ? [...legacyVersions] : [modernVersion],
    jsonSchemaValidator: noValidator,
    ...(session.instructions === undefined ? {} : { instructions: session.instructions }),
  } as ConstructorParameters<typeof Server>[1])
  // The SDK would keep the level for itself.
  server.removeRequestHandler('logging/setLevel')
  server.onerror = (error) => spec.report(error)
  server.fallbackRequestHandler = async (request, ctx) => {
    try {
      if (!servedMethods[era.kind].has(request.method)) throw new WireError(-32601, 'Method not found')
      return era.kind === 'legacy'
        ? await legacyResult({ ...spec, era }, request, ctx)
        : await modernResult({ ...spec, era }, request, ctx)
    } catch (error) {
      const told = wireErrorOf(error, spec.report)
      if (era.kind === 'legacy' && !ctx.mcpReq.signal.aborted) era.outcomes.keep(request.id, { error: told })
      throw told
    }
  }
  server.fallbackNotificationHandler = async ({ method, params }) =>
    session.notified(method, (params ?? {}) as JsonObject)
  return server
}

/** Nothing here validates by a schema; the SDK makes a compiler of schemas for each server that gets none. */
const noValidator = { getValidator: () => () => ({ valid: true, data: undefined, errorMessage: undefined }) }

type LegacySpec = ServerSpec & { readonly era: { readonly kind: 'legacy' } }
type ModernSpec = ServerSpec & { readonly era: { readonly kind: 'modern' } }

async function legacyResult({ era, session }: LegacySpec, request: JSONRPCRequest, ctx: ServerContext) {
  const { id, signal } = ctx.mcpReq
  const { params, progressToken } = ownParams(request)
  let over = false
  const notify = (method: string, told: JsonObject) => {
    if (!over) void ctx.mcpReq.notify({ method, params: told as Loose }).catch(() => {})
  }
  try {
    const result = await session.request(request.method, params, {
      signal,
      progress: (told) => {
        if (progressToken !== undefined)
          notify('notifications/progress', { ...told, progressToken: progressToken as string })
      },
      notify,
      ask: (method, asked, aborted) => {
        const fault = capabilityFault(era.capabilities, method)
        if (fault !== undefined) return Promise.reject(fault)
        const stops = aborted === undefined ? signal : AbortSignal.any([signal, aborted])
        return answered(
          ctx.mcpReq.send({ method, params: asked as Loose }, asItIs, { signal: stops, timeout: askTimeoutMs }),
        )
      },
    })
    if (!signal.aborted) era.outcomes.keep(id, { result })
    return result as { [key: string]: unknown }
  } finally {
    over = true
  }
}

async function modernResult({ era, session }: ModernSpec, request: JSONRPCRequest, ctx: ServerContext) {
  const { envelope, inputResponses, requestState, signal } = ctx.mcpReq
  const { params, progressToken, sent } = ownParams(request)
  const claim = { owner: era.owner, method: request.method, params: sent }
  const state: unknown = requestState()
  let run = era.resumed
  if (run === undefined && state !== undefined) {
    run = era.parking.take(state, claim)
    if (run === undefined) throw staleState()
  }
  if (run === undefined) {
    const keys = (envelope ?? {}) as JsonObject
    const wanted: unknown = keys[LOG_LEVEL_META_KEY]
    const capabilities: unknown = keys[CLIENT_CAPABILITIES_META_KEY]
    run = startRun({
      session,
      method: request.method,
      params,
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      logLevel: (logLevels as readonly unknown[]).includes(wanted) ? (wanted as string) : undefined,
    })
  } else run.answer((inputResponses ?? {}) as JsonObject)
  era.carries?.(run)

  const own = run
  const abort = () => own.abort('its client called it off')
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    const step = await own.step({
      progressToken,
      notify: (method, told) => void ctx.mcpReq.notify({ method, params: told as Loose }).catch(() => {}),
    })
    if (step.kind === 'result') return withHint(session, request.method, step.result)
    const parkedAs = era.parking.park(own, claim)
    if (parkedAs === undefined) {
      own.abort('too many requests wait for their clients')
      throw new WireError(-32603, 'too many requests wait for an answer of their clients')
    }
    return { resultType: 'input_required', inputRequests: step.asks, requestState: parkedAs }
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

export const staleState = () =>
  new WireError(-32602, 'Invalid or expired requestState', { reason: 'invalid_request_state' })

function withHint(session: ClientSession, method: string, result: JsonObject): { [key: string]: unknown } {
  if (!cacheableMethods.has(method)) return { ...result }
  const { scope, ttlMs } = session.cacheHint(method)
  return { ...result, ttlMs, cacheScope: scope }
}

/** The params without what belongs to the wire. `sent`: as the client sent them, to know the request again. */
export function ownParams(request: { readonly params?: unknown }): {
  readonly params: JsonObject
  readonly sent: JsonObject
  readonly progressToken: unknown
} {
  const given = isJsonObject(request.params) ? request.params : {}
  const { _meta, ...rest } = given
  if (!isJsonObject(_meta)) return { params: given, sent: rest, progressToken: undefined }
  const { progressToken, [threadKey]: _thread, ...meta } = _meta
  const params = Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }
  return { params, sent: rest, progressToken }
}

/** In `_meta` of a request: the thread that it belongs to. */
export const threadKey = 'toolgate/thread'

/** A person may be asked; what asks ends it earlier. */
const askTimeoutMs = 10 * 60_000

/** Answers of clients are passed on as they are; who asked looks at them. */
const asItIs: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'toolgate', validate: (value) => ({ value: value as JsonObject }) },
}

async function answered(asking: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ProtocolError) throw new WireError(error.code, error.message, error.data)
    throw new WireError(-32603, 'the client gave no answer')
  }
}

/** What a client is told of an error: a WireError as it is, of anything else nothing. */
export function wireErrorOf(error: unknown, report: (error: unknown) => void): WireError {
  if (error instanceof WireError) return error
  report(error)
  return new WireError(-32603, 'Internal error')
}

/** What the service may say and ask of a client outside of its requests. */
export function reachingOut(
  era: GatewayClient['era'],
  capabilities: JsonObject,
  server: () => Server | undefined,
): Pick<GatewayClient, 'notify' | 'ask'> {
  return {
    notify: (method, params) => {
      if (era === 'modern' && !changeMethods.has(method)) return
      void server()
        ?.notification({ method, params: params as Loose })
        .catch(() => {})
    },
    ask: async (method, params, signal) => {
      const fault =
        era === 'modern'
          ? new WireError(-32601, 'a client of 2026-07-28 is asked as a part of its requests')
          : capabilityFault(capabilities, method)
      if (fault !== undefined) throw fault
      const at = server()
      if (at === undefined) throw new WireError(-32603, 'the client is gone')
      const options = { timeout: askTimeoutMs, ...(signal === undefined ? {} : { signal }) }
      return answered(at.request({ method, params: params as Loose }, asItIs, options))
    },
  }
}
