// What the endpoint says when it does not pass a request on: an HTTP status, and in the body an error as JSON-RPC has it,
// whose message begins with a stable word.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../core/json.ts'

export interface Refusal {
  readonly status: number
  /** Stable, kebab-case. */
  readonly word: string
  /** One printable line without anything secret. */
  readonly message: string
  /** Code of JSON-RPC. Absent: -32000. */
  readonly code?: number
  readonly data?: Json
  readonly headers?: { readonly [name: string]: string }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'status' in value && 'word' in value && 'message' in value

/** Laid over every answer: nothing of ours is a page, and whatever is taken for one may do nothing. */
export const safeHeaders = {
  'content-security-policy': "default-src 'self'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

/** After a refusal the rest of a body is read and thrown away for so long: a client that is still sending sees the answer. */
const drainMs = 2000

export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal & { readonly id?: Json },
): void {
  const { code = -32000, data, headers = {}, id = null, message, status, word } = refusal
  const error = { code, message: `${word}: ${message}`, data: { ...asObject(data), word } }
  const unread = !request.complete
  sendJson(response, status, {
    body: { jsonrpc: '2.0', id, error },
    headers: unread ? { ...headers, connection: 'close' } : headers,
  })
  if (!unread) return
  request.resume()
  const timer = setTimeout(() => request.socket.destroy(), drainMs)
  request.once('close', () => clearTimeout(timer))
}

const asObject = (data: Json | undefined): JsonObject =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as JsonObject) : {}

export function sendJson(
  response: ServerResponse,
  status: number,
  { body, headers = {} }: { readonly body: unknown; readonly headers?: { readonly [name: string]: string } },
): void {
  if (response.headersSent || response.destroyed) return
  const text = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    ...safeHeaders,
    'content-type': 'application/json',
    'content-length': text.byteLength,
    ...headers,
  })
  response.end(text)
}

export const methodNotAllowed = (verbs: readonly string[]): Refusal => ({
  status: 405,
  word: 'method-not-allowed',
  message: `405, this path takes ${verbs.join(', ')}`,
  headers: { allow: verbs.join(', ') },
})
