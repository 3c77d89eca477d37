// Requests as no client would send them.

import { type IncomingHttpHeaders, request } from 'node:http'
import type { JsonObject } from '../../src/core/json.ts'

export interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON. Throws where it is none. */
  readonly json: () => JsonObject
  /** The word at the beginning of an error. */
  readonly word: () => unknown
}

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: { readonly [name: string]: string }
  /** Absent: none. */
  readonly body?: unknown
  readonly rawBody?: string | Buffer
}

export const asClient = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } as const

export function raw(url: string, given: RawRequest): Promise<Raw> {
  const body = given.rawBody ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
  const isChunked = given.headers?.['transfer-encoding'] !== undefined
  return new Promise((resolve, reject) => {
    const target = new URL(url)
    const sent = request(
      {
        host: target.hostname,
        port: target.port,
        path: given.path ?? target.pathname,
        method: given.method ?? 'POST',
        headers: {
          ...(body === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...given.headers,
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const json = () => JSON.parse(text) as JsonObject
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json,
            word: () => ((json().error as JsonObject | undefined)?.data as JsonObject | undefined)?.word,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export const callOf = (name: string, args: JsonObject = {}, id: number | string = 1): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** A request of 2026-07-28 and the headers that go with it. */
export function modern(method: string, params: JsonObject = {}, id = 1) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    ...(params._meta as JsonObject | undefined),
  }
  const name = params.name ?? params.uri
  return {
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
    headers: {
      ...asClient,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    } as { readonly [name: string]: string },
  }
}

export const initialize: JsonObject = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '1' },
  },
}
