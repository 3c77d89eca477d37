// Kind `http-request`: a request to the gateway while two clients hold tokens. Behind the wires stands a service that
// denies `bash`, knows `read_file`, and remembers what it carried out and for whom.

import { type IncomingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import { isJsonObject, type JsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { type HttpEndpoint, serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { type GatewayService, WireError } from '../../src/gateway/service.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { misses, type Told } from './expected.ts'

export const httpRequest: Kind = {
  kind: 'http-request',
  run: async (one, dataDir) => {
    const called: string[] = []
    const endpoint = await serveHttp({
      service: serviceThatRemembers(called),
      auth: {
        kind: 'tokens',
        tokens: clients.map(({ token, user }) => ({ name: user, value: token, view: 'desk', user })),
      },
      port: 0,
    })
    try {
      return await fed(one, entryOf(one, dataDir), { endpoint, called })
    } finally {
      await endpoint.close()
    }
  },
}

/** What the expectation of this kind has beside what all kinds have. */
type HttpExpectation = HostileCase['expect'] & {
  readonly status?: number | readonly number[]
  readonly headers?: { readonly [name: string]: string }
}

const clients = [
  { word: '$TOKEN_A', token: 'CANARY-token-of-a', user: 'ann' },
  { word: '$TOKEN_B', token: 'CANARY-token-of-b', user: 'bob' },
] as const
/** Both send at the same time, as often as the note of the case says. */
const rounds = 200

interface World {
  readonly endpoint: HttpEndpoint
  readonly called: readonly string[]
}

function serviceThatRemembers(called: string[]): GatewayService {
  return {
    health: () => ({ state: 'ready', servers: [] }),
    open: async ({ user }) => ({
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
      request: async (_method, { name }) => {
        if (name !== 'read_file') throw new WireError(-32602, `denied: ${printable(String(name), 40)}`)
        called.push(user)
        // The other client comes in meanwhile.
        await new Promise((resolve) => setImmediate(resolve))
        return { content: [{ type: 'text', text: `for ${user}` }] }
      },
      notified: () => {},
      cacheHint: () => ({ ttlMs: 0, scope: 'private' }),
      close: async () => {},
    }),
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function fed(one: HostileCase, entry: { readonly [key: string]: unknown }, world: World): Promise<string[]> {
  if (entry.two_clients === true) return crossed(entry, world)
  const answer = await sent(entry, world)
  const error = errorIn(answer)
  const isRefused = answer.status >= 400 || error !== undefined
  const errors: readonly Told[] = isRefused
    ? [
        {
          code: `${answer.status} ${error?.code ?? ''}`,
          subject: '',
          message: String(error?.message ?? ''),
          hint: '',
          at: '',
        },
      ]
    : []
  const shown = [answer.text, JSON.stringify(answer.headers)]
  const out = misses(one, { outcome: isRefused ? 'reject' : 'accept', errors, told: errors, shown })
  const { headers, status } = one.expect as HttpExpectation
  if (status !== undefined && ![status].flat().includes(answer.status)) out.push(`the status is ${answer.status}`)
  for (const [name, value] of Object.entries(headers ?? {}))
    if (answer.headers[name] !== value) out.push(`the header ${name} is ${printable(String(answer.headers[name]))}`)
  for (const invariant of one.expect.invariants ?? []) out.push(...broken(invariant, world))
  return out
}

function broken(invariant: string, { called }: World): string[] {
  switch (invariant) {
    case 'not-executed':
      return called.length === 0 ? [] : [`${called.length} tools were carried out`]
    case 'no-canary': // looked at in every case
    case 'no-pollution':
      return []
  }
  return [`the runner knows no invariant "${invariant}"`]
}

async function crossed(entry: { readonly [key: string]: unknown }, world: World): Promise<string[]> {
  const pairs = await Promise.all(
    Array.from({ length: rounds }, async () => {
      const asked = [entry.a, entry.b].map((own) => sent(own as { readonly [key: string]: unknown }, world))
      return (await Promise.all(asked)).map(({ text }) => text)
    }),
  )
  const wrong = pairs.filter(([a, b]) => a?.includes('for ann') !== true || b?.includes('for bob') !== true)
  if (world.called.length !== 2 * rounds) return [`${world.called.length} calls were carried out, not ${2 * rounds}`]
  return wrong.length === 0 ? [] : [`${wrong.length} pairs of answers are wrong: ${printable(String(wrong[0]), 300)}`]
}

const errorIn = ({ text }: Answer): JsonObject | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) && isJsonObject(body.error) ? body.error : undefined
  } catch {
    return undefined
  }
}

async function sent(entry: { readonly [key: string]: unknown }, world: World): Promise<Answer> {
  const port = world.endpoint.port
  const filled = (text: string): string =>
    clients.reduce((so, { token, word }) => so.replaceAll(word, token), text).replaceAll('$HOST', `localhost:${port}`)
  const headers: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(entry.headers as { readonly [name: string]: string }))
    headers[name] = value === '$SESSION_OF_B' ? await sessionOfB(port) : filled(value)
  const body = bodyOf(entry)
  return exchange({ port, path: filled(String(entry.path ?? '/mcp')), method: String(entry.method), headers }, body)
}

async function sessionOfB(port: number): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'b', version: '1' } }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${clients[1].token}`,
  }
  const body = [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }))]
  const answer = await exchange({ port, path: '/mcp', method: 'POST', headers }, body)
  return String(answer.headers['mcp-session-id'])
}

/** In pieces: a large body that is made at once would hold the event loop by itself. */
function bodyOf(entry: { readonly [key: string]: unknown }): readonly Buffer[] {
  const { $expand_body: bulk, body, raw_body: raw } = entry
  if (typeof raw === 'string') return [Buffer.from(raw)]
  if (body !== undefined) return [Buffer.from(JSON.stringify(body))]
  if (!isJsonObject(bulk)) return []
  const isPadding = bulk.what === 'padding'
  const [opening, piece, closing] = isPadding ? ['"', 'x'.repeat(pieceSize), '"'] : ['[', '1,'.repeat(pieceSize), '1]']
  const pieces = Math.ceil(Number(isPadding ? bulk.bytes : bulk.elements) / pieceSize)
  const head = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"large":'
  const repeated = Buffer.from(piece)
  return [Buffer.from(head + opening), ...Array.from({ length: pieces }, () => repeated), Buffer.from(`${closing}}}}`)]
}

const pieceSize = 50_000

interface Target {
  readonly port: number
  readonly path: string
  readonly method: string
  readonly headers: { readonly [name: string]: string }
}

function exchange({ headers, method, path, port }: Target, body: readonly Buffer[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = body.reduce((sum, piece) => sum + piece.byteLength, 0)
    const length = body.length === 0 ? {} : { 'content-length': bytes }
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent: false })
    let isAnswered = false
    asked.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    // A body that is refused is not read to its end.
    asked.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    Readable.from(body).pipe(asked)
  })
}
