// The scripted server over HTTP on loopback, in two forms. Streamable HTTP: each request is a POST; a call and a
// subscription are answered by a stream of events, everything else by one JSON text. The older form: one stream of
// events for everything that the server says.
//
//   sessions      initialize … 2025-11-25: a client is a session, known by its id
//   no sessions   2026-07-28: a client is a request, and closing its stream cancels it

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { ServerPlan } from './scripted-plan.ts'
import type { Engine, Message, Outlet, Parts, Peer } from './scripted-wire.ts'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What was posted; undefined where nothing was, or what is no JSON. */
  readonly message: Message | undefined
  /** How it came, for the record. */
  readonly came: { readonly verb: string | undefined; readonly headers: IncomingMessage['headers'] }
}

/** Listens until the process ends, and prints where. Ends the process when the one that started it is gone. */
export async function serveHttp(engine: Engine, wire: 'http' | 'sse'): Promise<void> {
  const dealWith = wire === 'sse' ? overOneStream(engine) : overRequests(engine)
  const server = createServer((request, response) => {
    const { method: verb, headers } = request
    const failed = (error: unknown) => void (response.headersSent ? response.destroy() : say(response, 500, {}, error))
    read(request)
      .then(async (message) => {
        const exchange = { request, response, message, came: { verb, headers } }
        if (engine.plan.delayHeadersMs !== undefined) await after(engine.plan.delayHeadersMs)
        if (!refused(engine, exchange)) await dealWith(exchange)
      })
      .catch(failed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/${wire === 'sse' ? 'sse' : 'mcp'}` })}\n`)
  process.once('disconnect', () => process.exit())
}

async function read(request: IncomingMessage): Promise<Message | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function say(response: ServerResponse, status: number, headers: { readonly [name: string]: string }, error?: unknown) {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(error === undefined ? '' : String(error))
}

function refused(engine: Engine, { request, response, message, came }: Exchange): boolean {
  const refusal = refusalOf(engine.plan, request)
  if (refusal === undefined) return false
  engine.record({ method: message?.method, id: message?.id, params: message?.params, ...came })
  say(response, refusal.status, refusal.headers)
  return true
}

interface Refusal {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
}

/** The answer to everyone who may not come in, in place of any other. */
function refusalOf(plan: ServerPlan, { headers }: IncomingMessage): Refusal | undefined {
  if (plan.redirectTo !== undefined) return { status: 307, headers: { location: plan.redirectTo } }
  const known = plan.bearer !== undefined && headers.authorization === `Bearer ${plan.bearer}`
  const asks = plan.bearer !== undefined || plan.wwwAuthenticate !== undefined
  const status = plan.status ?? (asks && !known ? 401 : undefined)
  if (status === undefined) return undefined
  const challenge = plan.wwwAuthenticate ?? (status === 401 ? 'Bearer' : undefined)
  return { status, headers: challenge === undefined ? {} : { 'www-authenticate': challenge } }
}

const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }

const eventsOn = (engine: Engine, response: ServerResponse): Outlet =>
  engine.outletOn(response, 'event: message\ndata: ', '\n\n')

// ── Streamable HTTP ──

interface Session {
  readonly peer: Peer
  /** Gives the session the stream for what belongs to no request. */
  readonly listen: (response: ServerResponse) => void
}

function overRequests(engine: Engine): (exchange: Exchange) => Promise<void> {
  const sessions = new Map<string, Session>()

  const start = (id: string): Session => {
    const { outlet, listen } = lateOutlet(engine)
    const peer = engine.join(outlet, () => sessions.delete(id))
    const session = { peer, listen }
    sessions.set(id, session)
    return session
  }
  return async (exchange) => {
    const { request, response, message, came } = exchange
    const name = request.headers['mcp-session-id']
    const known = typeof name === 'string' ? sessions.get(name) : undefined
    if (request.method !== 'POST') {
      engine.record(came)
      if (name === undefined) return say(response, 405, {})
      if (known === undefined) return say(response, 404, {}, 'no such session')
      if (request.method === 'GET') return known.listen(response)
      if (request.method !== 'DELETE') return say(response, 405, {})
      known.peer.forget()
      engine.leave(known.peer)
      return say(response, 200, {})
    }
    if (message === undefined) return say(response, 400, {}, 'the body is no JSON')
    if (engine.isModern(message) || request.headers['mcp-protocol-version'] === '2026-07-28') {
      const peer = engine.join()
      response.once('close', () => engine.leave(peer))
      return answer(engine, exchange, message, peer, {})
    }
    if (message.method === 'initialize') {
      const id = randomUUID()
      return answer(engine, exchange, message, start(id).peer, { 'mcp-session-id': id })
    }
    if (known !== undefined) return answer(engine, exchange, message, known.peer, {})
    engine.record({ method: message.method, id: message.id, params: message.params, ...came })
    return name === undefined
      ? say(response, 400, {}, 'the header Mcp-Session-Id is missing')
      : say(response, 404, {}, 'no such session')
  }
}

async function answer(
  engine: Engine,
  { response, came }: Exchange,
  message: Message,
  peer: Peer,
  headers: { readonly [name: string]: string },
): Promise<void> {
  const { method, id } = message
  if (method === undefined || id === undefined) {
    await engine.receive(peer, message, nowhere, came)
    response.writeHead(202, headers).end()
    return
  }
  response.once('close', () => {
    if (!response.writableFinished) engine.record({ verb: 'CLOSE', id })
  })
  const isPlanned = Object.hasOwn(engine.plan.requests ?? {}, method)
  const streamed = method === 'tools/call' || method === 'subscriptions/listen' || isPlanned
  response.writeHead(
    200,
    streamed ? { ...eventStream, ...headers } : { 'content-type': 'application/json', ...headers },
  )
  // The head of a stream goes at once; that of a text goes with the text, so that silence is silence.
  if (streamed) response.flushHeaders()
  const outlet = streamed ? eventsOn(engine, response) : engine.outletOn(response, '', '')
  await engine.receive(peer, message, outlet, came)
  response.end()
}

const nowhere: Outlet = { send: async () => {}, raw: async () => {}, close: () => {} }

/** What is sent before the client listens is kept until it does: it opens that stream after its first requests. */
function lateOutlet(engine: Engine): { readonly outlet: Outlet; readonly listen: Session['listen'] } {
  const kept: Parts[] = []
  let open: Outlet | undefined
  return {
    outlet: {
      send: async (parts) => {
        if (open === undefined) kept.push(parts)
        else await open.send(parts)
      },
      raw: async (bytes) => open?.raw(bytes),
      close: () => open?.close(),
    },
    listen: (response) => {
      response.writeHead(200, eventStream).flushHeaders()
      const stream = eventsOn(engine, response)
      open = stream
      response.once('close', () => {
        if (open === stream) open = undefined
      })
      for (const parts of kept.splice(0)) void stream.send(parts)
    },
  }
}

// ── the older HTTP ──

function overOneStream(engine: Engine): (exchange: Exchange) => Promise<void> {
  const clients = new Map<string, { readonly peer: Peer; readonly outlet: Outlet }>()
  return async ({ request, response, message, came }) => {
    if (request.method === 'GET') {
      engine.record(came)
      const id = randomUUID()
      const outlet = eventsOn(engine, response)
      const peer = engine.join(outlet, () => clients.delete(id))
      clients.set(id, { peer, outlet })
      response.once('close', () => {
        clients.delete(id)
        engine.leave(peer)
      })
      response.writeHead(200, eventStream).write(`event: endpoint\ndata: /message?session=${id}\n\n`)
      return
    }
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('session')
    const client = clients.get(id ?? '')
    if (client === undefined || message === undefined) return say(response, message === undefined ? 400 : 404, {})
    say(response, 202, {})
    await engine.receive(client.peer, message, client.outlet, came)
  }
}
