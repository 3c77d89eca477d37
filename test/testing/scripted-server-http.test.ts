import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, vi } from 'vitest'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { isAlive, listening } from '../sources/scripted.ts'
import { atEnd, modern, toolCall } from './scripted-clients.ts'

const served = async (plan: ServerPlan, wire: 'http' | 'sse' = 'http') => {
  const server = await listening(plan, { wire })
  atEnd(server.close)
  return server
}

const post = (url: string, message: object, headers: { readonly [name: string]: string } = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    redirect: 'manual',
  })

const hello = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
const modernMeta = { 'io.modelcontextprotocol/protocolVersion': modern }

describe('a scripted server that refuses over HTTP', () => {
  it.each(['http', 'sse'] as const)('with the status of its plan, over %s', async (wire) => {
    const { url, received } = await served({ status: 503 }, wire)
    expect((await post(url, hello)).status).toBe(503)
    expect((await fetch(url)).status).toBe(503)
    expect(received()).toMatchObject([{ verb: 'POST', method: 'initialize', id: 1 }, { verb: 'GET' }])
  })

  it('with a challenge, until the bearer token of its plan is brought', async () => {
    const wwwAuthenticate = 'Bearer resource_metadata="https://example.com/.well-known"'
    const { url, received } = await served({ wwwAuthenticate, bearer: 'open sesame' })
    const refused = await post(url, hello, { authorization: 'Bearer open door' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(wwwAuthenticate)
    expect((await post(url, hello, { authorization: 'Bearer open sesame' })).status).toBe(200)
    expect(received().map(({ headers }) => headers?.authorization)).toEqual(['Bearer open door', 'Bearer open sesame'])
  })

  it('by sending everybody elsewhere', async () => {
    const { url } = await served({ redirectTo: 'https://example.com/elsewhere' })
    const response = await post(url, hello)
    expect([response.status, response.headers.get('location')]).toEqual([307, 'https://example.com/elsewhere'])
  })

  it('by keeping the head of its answers back', async () => {
    const { url } = await served({ delayHeadersMs: 60_000 })
    await expect(fetch(url, { signal: AbortSignal.timeout(300) })).rejects.toThrow(/timeout/)
  })
})

describe('a session of a scripted server over HTTP', () => {
  it('is known by its id, and over when the client says so', async () => {
    const { url } = await served({})
    const session = { 'mcp-session-id': (await post(url, hello)).headers.get('mcp-session-id') ?? '' }
    const ask = { id: 2, method: 'tools/list' }
    expect((await post(url, ask)).status).toBe(400)
    expect((await post(url, ask, { 'mcp-session-id': 'another' })).status).toBe(404)
    expect((await post(url, { method: 'notifications/initialized' }, session)).status).toBe(202)
    expect(await (await post(url, ask, session)).json()).toEqual({ jsonrpc: '2.0', id: 2, result: { tools: [] } })
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200)
    expect((await post(url, ask, session)).status).toBe(404)
  })

  it('is forgotten when the plan of a call says so', async () => {
    const { url } = await served({ calls: { last: { forgetSession: true } } })
    const client = new Client({ name: 'tester', version: '1' })
    atEnd(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect(await client.callTool({ name: 'last', arguments: {} })).toMatchObject({ content: [{ text: 'ok' }] })
    await expect(client.listTools()).rejects.toMatchObject({ data: { status: 404 } })
  })

  it('belongs to one client alone: cancelling reaches no other', async () => {
    const { url } = await served({ calls: { slow: { afterMs: 300 } } })
    const [one = '', other = ''] = await Promise.all(
      [1, 2].map(async () => (await post(url, hello)).headers.get('mcp-session-id') ?? ''),
    )
    const [cancelled, answered] = [one, other].map(async (name) =>
      (await post(url, toolCall(7, 'slow'), { 'mcp-session-id': name })).text(),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    await post(url, { method: 'notifications/cancelled', params: { requestId: 7 } }, { 'mcp-session-id': one })
    expect(await cancelled).toBe('')
    expect(await answered).toMatch(/^event: message\ndata: \{"jsonrpc":"2.0","id":7,.*\}\n\n$/)
  })
})

describe('a scripted server of 2026-07-28 over HTTP', () => {
  it('gives no session, and knows the older handshake as well', async () => {
    const { url } = await served({ discover: true, ttlMs: 1500 })
    const response = await post(url, { id: 1, method: 'tools/list', params: { _meta: modernMeta } })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(await response.json()).toMatchObject({
      result: { resultType: 'complete', ttlMs: 1500, cacheScope: 'private', tools: [] },
    })
    expect((await post(url, hello)).headers.get('mcp-session-id')).toMatch(/./)
  })

  it('is not spoken when the plan does not say so', async () => {
    const { url } = await served({})
    const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    atEnd(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect(client.getProtocolEra()).toBe('legacy')
  })
})

describe('the handle of a scripted server', () => {
  it.each(['http', 'sse'] as const)('ends the process, also twice, over %s', async (wire) => {
    const server = await listening({}, { wire })
    expect(isAlive(server.pid)).toBe(true)
    await server.close()
    await server.close()
    expect(isAlive(server.pid)).toBe(false)
  })

  it('outlives a server that dies in a call, and tells what came', async () => {
    const server = await served({ calls: { last: { die: { signal: 'SIGKILL' } } } }, 'sse')
    const client = new Client({ name: 'tester', version: '1' })
    atEnd(() => client.close())
    await client.connect(new SSEClientTransport(new URL(server.url)))
    const call = client.callTool({ name: 'last', arguments: {} }, { timeout: 1000 })
    await expect(call).rejects.toThrow()
    await vi.waitFor(() => expect(isAlive(server.pid)).toBe(false))
    expect(server.received().map(({ method }) => method)).toContain('tools/call')
    await server.close()
  })

  it('says what became of a server that never listened', async () => {
    await expect(listening({ exit: { at: 'start', code: 4 } })).rejects.toThrow(/ended before it listened \(code 4\)/)
  })
})
