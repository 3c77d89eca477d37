// An MCP server on loopback that answers tools/list with whatever it is told to, as raw JSON. It speaks the
// revision of 2025-11-25 over Streamable HTTP and nothing else.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListingServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts a server whose list of tools is `tools`, of any form. */
export async function listingServer(tools: readonly unknown[]): Promise<ListingServer> {
  const server = createServer((request, response) => {
    void answer(request, response, tools).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, tools: readonly unknown[]): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const message = JSON.parse(text) as { readonly id?: unknown; readonly method?: unknown }
  if (message.id === undefined) {
    response.writeHead(202).end()
    return
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome(message.method, tools) })
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}

function outcome(method: unknown, tools: readonly unknown[]): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'strange', version: '1.0.0' }
    return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
  }
  if (method === 'tools/list') return { result: { tools } }
  return { error: { code: -32601, message: 'no such method' } }
}
