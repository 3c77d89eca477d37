// The address of this machine that a login comes back to. It takes one answer, that of the login which is waiting, and
// is gone afterwards. INVARIANT: what comes in is never shown, neither on the page nor anywhere else, before the state
// has proved that it belongs to us.

import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came back. Its words are a stranger's until `iss` has been checked, and foreign text ever after. */
export interface CallbackAnswer {
  readonly code?: string
  readonly error?: string
  readonly errorDescription?: string
  /** RFC 9207. Absent: the authorization server did not say who it is. */
  readonly iss?: string
}

export interface CallbackListener {
  readonly redirectUrl: string
  /** Settles once: with the one answer, or with the reason of the signal. */
  readonly answer: Promise<CallbackAnswer>
  /** How many answers bore another state, and so were refused. */
  readonly refused: () => number
  /** Resolves when nobody listens any more. Safe to call again. */
  readonly close: () => Promise<void>
}

export interface CallbackOptions {
  /** The secret that the answer must bear. */
  readonly state: string
  /** Absent: any free port. */
  readonly port?: number
  readonly signal: AbortSignal
}

const path = '/callback'

/** Listens on 127.0.0.1 and nowhere else. Rejects with the system's error when the port cannot be had. */
export async function listenForCallback({ state, port = 0, signal }: CallbackOptions): Promise<CallbackListener> {
  let refused = 0
  let settle: (answer: CallbackAnswer) => void = () => {}
  const answer = new Promise<CallbackAnswer>((resolve, reject) => {
    settle = resolve
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  answer.catch(() => {})
  let isAnswered = false
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const said = isAnswered ? wrong(410, 'gone') : answerIn(request, state, ownHost(server))
    if ('status' in said) {
      if (said.why === 'state') refused += 1
      reply(response, said.status, pages.refused)
      return
    }
    isAnswered = true
    // The person is told first: the connection ends with the listener.
    response.once('close', () => settle(said))
    reply(response, 200, said.code === undefined ? pages.denied : pages.received)
  })
  server.maxConnections = 16
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    redirectUrl: `http://${ownHost(server)}${path}`,
    answer,
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const ownHost = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo | null)?.port ?? 0}`

interface Refusal {
  readonly status: number
  readonly why: string
}

const wrong = (status: number, why: string): Refusal => ({ status, why })

function answerIn(request: IncomingMessage, state: string, host: string): CallbackAnswer | Refusal {
  if (request.method !== 'GET') return wrong(405, 'method')
  // A page elsewhere may have its own name lead to this address.
  if (request.headers.host !== host) return wrong(421, 'host')
  const target = request.url ?? ''
  if (!target.startsWith('/') || !URL.canParse(target, `http://${host}`)) return wrong(400, 'address')
  const { pathname, searchParams } = new URL(target, `http://${host}`)
  if (pathname !== path) return wrong(404, 'path')
  // A parameter that stands there twice means one thing to one reader and another to the next (RFC 6749 §3.1).
  if (parameters.some((name) => searchParams.getAll(name).length > 1)) return wrong(400, 'twice')
  if (!isSame(searchParams.get('state') ?? '', state)) return wrong(400, 'state')
  const code = searchParams.get('code') ?? undefined
  const error = searchParams.get('error') ?? undefined
  if ((code === undefined) === (error === undefined)) return wrong(400, 'neither')
  const errorDescription = searchParams.get('error_description') ?? undefined
  const iss = searchParams.get('iss') ?? undefined
  return {
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error }),
    ...(errorDescription === undefined ? {} : { errorDescription }),
    ...(iss === undefined ? {} : { iss }),
  }
}

const parameters = ['state', 'code', 'error', 'error_description', 'iss']

/** In constant time: hashes are of one length, and tell nothing by how far they agree. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}

function reply(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET' } : {}),
    connection: 'close',
  })
  response.end(page)
}

const page = (words: string): string => `<!doctype html><html lang="en"><title>toolgate</title><p>${words}</p></html>\n`

const pages = {
  received: page('The login has come back. You can close this page and go on in the terminal.'),
  denied: page('The login was not granted. You can close this page and go on in the terminal.'),
  refused: page('This is not the answer of a login that toolgate waits for.'),
} as const
