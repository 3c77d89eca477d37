// The one way in which anything of a login leaves this machine: metadata, registration, tokens. It is a `fetch` with
// four bounds, because most of its URLs were named by a server: where it may go, what it may weigh, how long it may
// take, and that it follows nothing by itself.
//
// Node's own `fetch` takes no hook for looking a name up, unless one more package gives it an agent, and a check
// before it would be of another address than the one that it connects to a moment later. So this is a request of
// `node:https` that is handed the very addresses that were judged; the certificate is still checked for the name.

import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import { addressKind, bareHost, isLoopbackHost, mayReach, type Standpoint } from './oauth-reach.ts'

/** Metadata documents weigh a few kilobytes. */
const bytesMaxDefault = 1024 * 1024
const timeoutMsDefault = 15_000

/** Every address of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export interface GuardOptions {
  /** Ends every request. */
  readonly signal?: AbortSignal
  /** Tests bring their own. Absent: the system's. */
  readonly lookup?: Lookup
  /** Bytes of one answer. Absent: 1 MiB. */
  readonly bytesMax?: number
  /** Milliseconds for one request and its whole answer. Absent: 15 s. */
  readonly timeoutMs?: number
}

/**
 * A request that was not sent, or whose answer was not read. The words are printable and hold no more of the URL than
 * its origin. It is a TypeError as the failures of `fetch` are: the SDK passes those on, and would take any other
 * error of a metadata request for "there is no such document".
 */
export class GuardedFetchError extends TypeError {
  override readonly name = 'GuardedFetchError'
  readonly reason: 'refused' | 'unreachable' | 'too-large' | 'timed-out' | 'cancelled'
  constructor(reason: GuardedFetchError['reason'], what: string, cause?: unknown) {
    super(printable(what, 300), cause === undefined ? {} : { cause })
    this.reason = reason
  }
}

/**
 * A `fetch` for the login of one server. It goes to https, and to plain http on this machine (elsewhere only when the
 * operator allowed it); where a URL may lead is the matter of `mayReach`. A redirect is given back as it is: whoever
 * follows one asks again, and the new URL is judged anew.
 */
export function guardedFetch(
  server: Pick<McpServerConfig, 'url' | 'allowHttp'>,
  options: GuardOptions = {},
): FetchLike {
  const { signal, lookup = systemAddresses, bytesMax = bytesMaxDefault, timeoutMs = timeoutMsDefault } = options
  const home = new URL(server.url ?? '')
  return async (input, init = {}) => {
    const url = new URL(input)
    judgeForm(url, server.allowHttp === true)
    const timeout = AbortSignal.timeout(timeoutMs)
    const ends = [timeout, ...(signal === undefined ? [] : [signal]), ...(init.signal ? [init.signal] : [])]
    const either = AbortSignal.any(ends)
    try {
      const judged = permitted(url, { home, lookup, allowHttp: server.allowHttp === true })
      const addresses = await orAborted(either, judged)
      return await send(new Request(url, { ...init, signal: null }), { url, addresses, bytesMax, signal: either })
    } catch (error) {
      if (error instanceof GuardedFetchError) throw error
      if (timeout.aborted)
        throw new GuardedFetchError('timed-out', `${url.origin} gave no whole answer within ${timeoutMs / 1000} s`)
      if (either.aborted) throw new GuardedFetchError('cancelled', `the request to ${url.origin} was called off`)
      throw new GuardedFetchError('unreachable', `${url.origin} could not be reached (${networkWord(error)})`, error)
    }
  }
}

function judgeForm(url: URL, allowHttp: boolean): void {
  const refused = (why: string): GuardedFetchError =>
    new GuardedFetchError('refused', `${url.protocol}//${url.host} is not called: ${why}`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('only https is spoken for a login')
  if (url.username !== '' || url.password !== '') throw refused('its address holds a user or password')
  if (url.protocol === 'http:' && !allowHttp && !isLoopbackHost(url.hostname))
    throw refused('a login goes over https, except on this machine')
}

interface Judging {
  readonly home: URL
  readonly lookup: Lookup
  readonly allowHttp: boolean
}

/** The addresses of a URL that may be connected to; there is at least one. */
async function permitted(url: URL, { home, lookup, allowHttp }: Judging): Promise<readonly string[]> {
  const found = await addressesOf(url, lookup)
  // A server that cannot be found stands nowhere, and so leads nowhere but to public addresses.
  const from: Standpoint = { url: home, addresses: await addressesOf(home, lookup).catch(() => []) }
  // "localhost" is this machine by its name alone, so plain http to it must not leave the machine either.
  const plain = url.protocol === 'http:' && !allowHttp
  const good = found.filter(
    (address) => mayReach(url, address, from) && (!plain || addressKind(address) === 'loopback'),
  )
  if (good.length > 0) return good
  const refused = (why: string): GuardedFetchError => new GuardedFetchError('refused', `${url.origin} ${why}`)
  if (found.length === 0) throw refused('has no address')
  const kinds = new Set(found.map(addressKind))
  if (kinds.has('never')) throw refused('is not called: it leads to a link-local or metadata address')
  if (plain && !kinds.has('loopback'))
    throw refused('is not called: it leads to another machine than this one, without TLS')
  throw refused(`is not called: it leads to a private address, where ${home.origin} may not lead us`)
}

async function addressesOf(url: URL, lookup: Lookup): Promise<readonly string[]> {
  const host = bareHost(url.hostname)
  return isIP(host) === 0 ? lookup(host) : [host]
}

const systemAddresses: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address)

interface Sending {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly bytesMax: number
  readonly signal: AbortSignal
}

async function send(asked: Request, { url, addresses, bytesMax, signal }: Sending): Promise<Response> {
  const body = Buffer.from(await asked.arrayBuffer())
  const headers = Object.fromEntries(asked.headers)
  const given = addresses.map((address) => ({ address, family: isIP(address) }))
  const judged: LookupFunction = (_hostname, { all }, done) => {
    const [first = { address: '', family: 0 }] = given
    if (all === true) done(null, given)
    else done(null, first.address, first.family)
  }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: asked.method,
        headers: {
          'user-agent': 'toolgate',
          ...headers,
          'accept-encoding': 'identity',
          ...(body.length > 0 ? { 'content-length': body.length } : {}),
        },
        lookup: judged,
        signal,
        // A connection of its own: a shared one may have been judged by another server's standpoint.
        agent: false,
      },
      (answer) => {
        read(answer, bytesMax, url).then(resolve, (error: unknown) => {
          sent.destroy()
          reject(error)
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function read(answer: IncomingMessage, bytesMax: number, url: URL): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax)
      throw new GuardedFetchError('too-large', `${url.origin} sent an answer of more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = answer.statusCode ?? 0
  const bodiless = status === 204 || status === 205 || status === 304
  return new Response(bodiless ? null : Buffer.concat(chunks), { status, headers })
}

async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  signal.throwIfAborted()
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort)
  }
}

/** The system's own word, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function networkWord(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return networkWord(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
