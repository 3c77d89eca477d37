// What the headers say of a message must be what its body says: whoever judges by one of them must not be told another
// thing than what is carried out.

import type { IncomingMessage } from 'node:http'
import { isJsonObject } from '../../core/json.ts'
import { namedBy } from './methods.ts'
import type { Refusal } from './refusal.ts'
import { headerOf } from './who.ts'

/** `required`: of a request of 2026-07-28 the headers must be there; in other messages they must agree if they are. */
export function headerFault(request: IncomingMessage, body: unknown, required: boolean): Refusal | undefined {
  if (!isJsonObject(body) || typeof body.method !== 'string') return undefined
  if (required && headerOf(request, 'mcp-protocol-version') === undefined)
    return disagrees('the header MCP-Protocol-Version is missing')
  const method = headerOf(request, 'mcp-method')?.trim()
  if (method === undefined && required) return disagrees('the header Mcp-Method is missing')
  if (method !== undefined && method !== body.method) return disagrees('Mcp-Method is not the method of the body')
  const member = namedBy.get(body.method)
  const params = isJsonObject(body.params) ? body.params : {}
  const named = member === undefined ? undefined : params[member]
  const header = headerOf(request, 'mcp-name')?.trim()
  if (header === undefined)
    return required && typeof named === 'string' ? disagrees('the header Mcp-Name is missing') : undefined
  if (member === undefined) return undefined
  return decoded(header) === named ? undefined : disagrees('Mcp-Name is not the name in the body')
}

const disagrees = (message: string): Refusal => ({ status: 400, code: -32020, word: 'header-mismatch', message })

/** Names that a header cannot hold are sent as `=?base64?…?=`. Undefined: they are not what they say. */
function decoded(header: string): string | undefined {
  const match = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)
  if (match?.[1] === undefined) return header.startsWith('=?base64?') ? undefined : header
  const bytes = Buffer.from(match[1], 'base64')
  if (bytes.toString('base64') !== match[1]) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
