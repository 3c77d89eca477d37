import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listServer } from '../../src/sessions/listing/list-server.ts'
import { freshFolder, listedTool, serverConfig } from '../sources/scripted.ts'

/** A scripted HTTP server on loopback; closed after each test. */
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

interface Asked {
  readonly verb: string | undefined
  readonly method: string | undefined
  readonly headers: IncomingMessage['headers']
}

/** Answers in one era only, over plain JSON, and keeps what it was asked. */
function scriptedHttp(era: 'legacy' | 'modern', tools: readonly unknown[], asked: Asked[]): RequestListener {
  const envelope = era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}
  const results: { readonly [method: string]: object } = {
    ...(era === 'modern'
      ? { 'server/discover': { ...envelope, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }
      : {
          initialize: {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          },
        }),
    'tools/list': { ...envelope, tools },
  }
  return async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const message = text === '' ? {} : JSON.parse(text)
    asked.push({ verb: request.method, method: message.method, headers: request.headers })
    if (request.method === 'DELETE') return response.writeHead(200).end()
    if (request.method !== 'POST') return response.writeHead(405).end()
    if (message.id === undefined) return response.writeHead(202).end()
    const result = Object.hasOwn(results, message.method) ? results[message.method] : undefined
    const outcome = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'abc' } : {}
    response
      .writeHead(200, { 'content-type': 'application/json', ...session })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }))
  }
}

const list = (url: string, headers: { readonly [name: string]: string } = {}) =>
  listServer(
    { ...serverConfig('web'), transport: 'http', url, headers, startTimeoutMs: 5000 },
    { folder: freshFolder(), environment: {} },
  )

describe('listing over Streamable HTTP [S4]', () => {
  it.each([
    ['legacy', '2025-06-18'],
    ['modern', '2026-07-28'],
  ] as const)('finds the revision of a server of the %s era', async (era, protocolVersion) => {
    const asked: Asked[] = []
    const url = await serving(scriptedHttp(era, [listedTool('good'), { name: 'bad', inputSchema: null }], asked))
    const result = await list(url)
    expect(result).toMatchObject({
      era,
      protocolVersion,
      tools: [{ name: 'good' }, { name: 'bad', inputSchema: null }],
      problems: [],
    })
    expect(asked.some(({ method }) => method === 'initialize')).toBe(era === 'legacy')
  })

  it('sends the configured headers with every request, and ends the session', async () => {
    const asked: Asked[] = []
    const url = await serving(scriptedHttp('legacy', [listedTool('a')], asked))
    await list(url, { Authorization: 'Bearer x', 'X-Team': 'desk' })
    expect(asked.every(({ headers }) => headers.authorization === 'Bearer x' && headers['x-team'] === 'desk')).toBe(
      true,
    )
    expect(asked.at(-1)).toMatchObject({ verb: 'DELETE', headers: { 'mcp-session-id': 'abc' } })
  })

  it('takes no header to another origin', async () => {
    const seen: Asked[] = []
    const other = await serving(scriptedHttp('legacy', [listedTool('stolen')], seen))
    const url = await serving((_request, response) => response.writeHead(307, { location: other }).end())
    expect(await list(url, { Authorization: 'Bearer x' })).toMatchObject({ state: 'handshake-failed' })
    expect(seen).toEqual([])
  })
})
