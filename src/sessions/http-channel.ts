// The two HTTP transports of MCP with the operator's headers and a bound on what an answer may weigh. Redirects to
// other origins are not followed (the SDK's own rule), so the headers go only where they were meant to.

import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

export interface HttpChannel {
  readonly transport: Transport
  /** Bytes received so far. */
  readonly received: () => number
  /** The system's word for why the last request reached nobody, such as ECONNREFUSED. */
  readonly unreachable: () => string | undefined
  /** HTTP status of the last request, when it was refused. */
  readonly refusedWith: () => number | undefined
  /** Tells the server that the session is over, where there is one. */
  readonly leave: () => Promise<void>
}

export interface HttpSpec {
  readonly transport: 'http' | 'sse'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

/** A transport that has not been started. Throws a TypeError when the URL cannot be read. */
export function httpChannel(spec: HttpSpec, bytesMax: number): HttpChannel {
  let bytes = 0
  let unreachable: string | undefined
  let refused: number | undefined
  const counted = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init).catch((error: unknown) => {
      unreachable = networkWord(error)
      throw error
    })
    unreachable = undefined
    // A server may refuse the stream that a client opens beside its requests; that says nothing of the requests.
    if (spec.transport === 'sse' || init?.method === 'POST') refused = response.ok ? undefined : response.status
    if (response.body === null || !response.ok) return response
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength
        if (bytes > bytesMax) controller.error(new Error(`the answers are over ${bytesMax} bytes`))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
  }
  const options = { fetch: counted, requestInit: { headers: { ...spec.headers } } }
  const url = new URL(spec.url)
  const told = { received: () => bytes, unreachable: () => unreachable, refusedWith: () => refused }
  if (spec.transport === 'sse')
    return { ...told, transport: new SSEClientTransport(url, options), leave: async () => {} }
  const transport = new StreamableHTTPClientTransport(url, options)
  return {
    ...told,
    transport,
    leave: async () => {
      if (transport.sessionId !== undefined) await transport.terminateSession()
    },
  }
}

/** `fetch` hides the reason in its cause. */
function networkWord(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
