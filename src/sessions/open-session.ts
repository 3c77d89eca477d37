// Opening a session: a started server or a reached URL, a handshake in an era that both sides speak, and one way to
// ask for the list of tools. INVARIANT: what opened a process also ends it.
//
// Era on stdio: `initialize` first, and only a server that answers it with an error is asked in the 2026 way, on the
// same process. (The SDK's automatic negotiation starts the server a second time.) What worked is remembered by the
// caller and tried first the next time. Over HTTP the SDK asks both ways on one connection.

import {
  Client,
  type ProtocolEra,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../config/config.ts'
import { clientCapabilities, clientInfo } from './client-identity.ts'
import { httpChannel } from './http-channel.ts'
import { listingBytesMax } from './listing-limits.ts'
import { type LooseTransport, looseTransport } from './loose-transport.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { stdioChannel } from './stdio-channel.ts'

const modernRevision = '2026-07-28'

export interface Session {
  readonly era: ProtocolEra
  readonly protocolVersion: string | undefined
  /** False when the server says that it has no tools at all. */
  readonly hasTools: boolean
  readonly page: (cursor: string | undefined) => Promise<unknown>
  readonly received: () => number
  /** Lines on standard output that were no messages, and the first of them. */
  readonly noise: () => { readonly lines: number; readonly first: string }
}

/** What is known of a server from the moment its start is tried, for telling what went wrong. */
export interface Contact {
  readonly session: Promise<Session>
  readonly gone: () => string | undefined
  readonly lastWords: () => string | undefined
  readonly overflowed: () => boolean
  readonly unreachable: () => string | undefined
  readonly refusedWith: () => number | undefined
  /** Ends the session and the whole process group. Resolves when nobody is left. */
  readonly end: () => Promise<void>
}

export interface ContactOptions {
  readonly env: { readonly [name: string]: string }
  readonly cwd: string
  /** Which era worked the last time. */
  readonly era?: ProtocolEra | undefined
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Goes to a server. Returns at once when it is started or, for HTTP, addressed; rejects with a StartFailure. */
export function contact(server: McpServerConfig, options: ContactOptions): Promise<Contact> {
  return server.transport === 'stdio' ? overStdio(server, options) : overHttp(server, options)
}

async function overStdio(server: McpServerConfig, options: ContactOptions): Promise<Contact> {
  const { command = '', args } = server
  const started = await startProcess({ command, args, env: options.env, cwd: options.cwd })
  const channel = stdioChannel(started, listingBytesMax)
  let gone: string | undefined
  void started.gone.then((words) => {
    gone = words
  })
  const eras: readonly ProtocolEra[] = options.era === 'modern' ? ['modern', 'legacy'] : ['legacy', 'modern']
  const session = firstThatWorks(eras, async (era) => {
    const loose = looseTransport(channel.transport())
    const client = clientFor(era === 'modern' ? { pin: modernRevision } : 'legacy', options)
    await connected(client, loose.transport, options)
    return sessionOf(client, loose, options, channel)
  })
  return {
    // A process that left says more than the connection that broke.
    session: afterExit(session, started),
    gone: () => gone,
    lastWords: started.lastWords,
    overflowed: channel.overflowed,
    unreachable: () => undefined,
    refusedWith: () => undefined,
    end: started.end,
  }
}

async function overHttp(server: McpServerConfig, options: ContactOptions): Promise<Contact> {
  const { url = '', headers } = server
  const channel = httpChannel({ transport: server.transport === 'sse' ? 'sse' : 'http', url, headers }, listingBytesMax)
  const loose = looseTransport(channel.transport)
  const client = clientFor(server.transport === 'sse' ? 'legacy' : 'auto', options)
  const quiet = { ...channel, noise: () => ({ lines: 0, first: '' }) }
  return {
    session: connected(client, loose.transport, options).then(() => sessionOf(client, loose, options, quiet)),
    gone: () => undefined,
    lastWords: () => undefined,
    overflowed: () => channel.received() > listingBytesMax,
    unreachable: channel.unreachable,
    refusedWith: channel.refusedWith,
    end: async () => {
      await Promise.race([
        channel.leave().catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, leaveMs).unref()),
      ])
      await channel.transport.close().catch(() => {})
    },
  }
}

/** A question in the 2026 way that a server leaves unanswered may take a third of the time, so that the old way has its chance. */
function clientFor(mode: VersionNegotiationMode, { timeoutMs }: ContactOptions): Client {
  const probe = typeof mode === 'object' ? { probe: { timeoutMs: Math.ceil(timeoutMs / 3) } } : {}
  return new Client(clientInfo, { versionNegotiation: { mode, ...probe }, capabilities: clientCapabilities })
}

/** Time for a server to take notice that a session is over. */
const leaveMs = 500

const connected = (client: Client, transport: Transport, { signal, timeoutMs }: ContactOptions): Promise<void> =>
  client.connect(transport, { signal, timeout: timeoutMs })

function sessionOf(
  client: Client,
  loose: LooseTransport,
  { signal, timeoutMs }: ContactOptions,
  channel: Pick<Session, 'received' | 'noise'>,
): Session {
  return {
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: client.getNegotiatedProtocolVersion(),
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    received: channel.received,
    noise: channel.noise,
    page: async (cursor) => {
      const params = cursor === undefined ? {} : { cursor }
      await client.request({ method: 'tools/list', params }, anyResult, { signal, timeout: timeoutMs })
      return loose.lastListing()
    },
  }
}

/** A schema in the common interface of schema libraries that takes everything. */
const anyResult = {
  '~standard': { version: 1 as const, vendor: 'toolgate', validate: (value: unknown) => ({ value }) },
}

/** The eras in turn; only an answer that refuses the handshake leads to the next. The first refusal is the one that is told. */
async function firstThatWorks(
  eras: readonly ProtocolEra[],
  open: (era: ProtocolEra) => Promise<Session>,
): Promise<Session> {
  let refusal: unknown
  for (const era of eras) {
    try {
      return await open(era)
    } catch (error) {
      refusal ??= error
      if (!isRefusal(error, era)) throw error
    }
  }
  throw refusal
}

function isRefusal(error: unknown, era: ProtocolEra): boolean {
  if (error instanceof ProtocolError) return true
  if (!(error instanceof SdkError)) return false
  return (
    error.code === SdkErrorCode.EraNegotiationFailed || (era === 'modern' && error.code === SdkErrorCode.RequestTimeout)
  )
}

async function afterExit(session: Promise<Session>, started: ServerProcess): Promise<Session> {
  try {
    return await session
  } catch (error) {
    const closed =
      error instanceof SdkError &&
      (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.EraNegotiationFailed)
    if (closed) await Promise.race([started.gone, new Promise((resolve) => setTimeout(resolve, 300))])
    throw error
  }
}
