// An open session: calls, pages and pings on a connection.

import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { CallFailure } from './call-failure.ts'
import { forgottenWords } from './call-outcome.ts'
import { callTool, request, type Tried } from './call-tool.ts'
import { legacyWays, modernWays } from './modern-ways.ts'
import type { Connection } from './open-connection.ts'
import type { OpenSession } from './session.ts'
import { ask } from './session-ask.ts'
import { type SessionLife, sessionLife } from './session-life.ts'
import { listChangedBurst, listenForChanges } from './session-list-changed.ts'
import { listPage } from './session-page.ts'
import { Unavailable } from './unavailable.ts'
import { paramsPassedOn, serverInfoKey } from './wire/message-meta.ts'

/** After a call that got no answer in time: how long the server has to answer a ping before it is given up. */
const pingMs = 5000

export interface SessionSpec {
  /** Name of the server in the configuration. */
  readonly server: string
  /** How long a page of the list may take at most. */
  readonly pageTimeoutMs: number
  /** Ends the connection and all that belongs to it. */
  readonly end: () => Promise<void>
}

export function sessionOn(connection: Connection, { server, pageTimeoutMs, end }: SessionSpec): OpenSession {
  const { client, pid, received, findings, notifications } = connection
  const life = sessionLife(end)
  void connection.over.then(({ how, said }) => life.finish(said === '' ? how : `${how}; it said: ${said}`))
  const ping = (timeoutMs: number) => answersPing(connection, life, timeoutMs)
  const learn = lessons(connection, life, ping)
  const hasTools = client.getServerCapabilities()?.tools !== undefined
  const { tell } = notifications
  const ways =
    client.getProtocolEra() === 'modern'
      ? modernWays(client, { server, tell: (method, params) => tell(method, params, 0), signal: life.signal })
      : legacyWays
  const mustBeOpen = () => {
    const over = life.ended()
    if (over === undefined) return
    throw new CallFailure('server-unavailable', `${server}: its session is over: it ${over}`, { sent: false })
  }
  const resultOf = (tried: Tried): JsonObject => {
    if ('result' in tried) return tried.result
    learn(tried)
    throw tried.failure
  }
  return {
    ...introduced(connection),
    era: client.getProtocolEra() ?? 'legacy',
    protocolVersion: client.getNegotiatedProtocolVersion(),
    hasTools,
    pid,
    page: async (cursor, { signal } = {}) => {
      const over = life.ended()
      if (over !== undefined) throw new Unavailable('listing-failed', `its session is over: it ${over}`)
      const limit = AbortSignal.timeout(pageTimeoutMs)
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal])
      return listPage(connection, { server, cursor, signal: either, hasTools })
    },
    call: async (originalName, args, options) => {
      mustBeOpen()
      return resultOf(await callTool(connection, { server, originalName, args, ownMeta: ways.meta() }, options))
    },
    request: async (method, params, options) => {
      mustBeOpen()
      const asked = { server, method, params: paramsPassedOn(params), ownMeta: ways.meta() }
      return ways.instead(method, params) ?? resultOf(await request(connection, asked, options))
    },
    notify: async (method, params) => {
      mustBeOpen()
      await notify(connection, method, params).catch((cause: unknown) => {
        throw new CallFailure('server-unavailable', `${server}: ${method} could not be sent`, { sent: false, cause })
      })
    },
    onNotification: (listener) => {
      const stop = notifications.onNotification(listener)
      ways.listen()
      return stop
    },
    ping,
    onListChanged: changes(connection, life),
    closed: life.closed,
    isOpen: () => life.ended() === undefined,
    findings: () => [...findings(), ...notifications.findings()],
    received,
    end: () => life.finish('was ended'),
  }
}

/** What the server told of itself, as it told it. */
function introduced({ inbox }: Connection): Pick<OpenSession, 'capabilities' | 'serverInfo' | 'instructions'> {
  const { capabilities, serverInfo, instructions, _meta: meta } = inbox.introduction()
  // Since 2026-07-28 its name stands in `_meta`.
  const info = serverInfo ?? (isJsonObject(meta) ? meta[serverInfoKey] : undefined)
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isJsonObject(info) ? { serverInfo: info } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

async function notify({ client }: Connection, method: string, params: JsonObject | undefined): Promise<void> {
  try {
    await client.notification(params === undefined ? { method } : { method, params: paramsPassedOn(params) })
  } catch (error) {
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.MethodNotSupportedByProtocolVersion) throw error
  }
}

async function answersPing(connection: Connection, life: SessionLife, timeoutMs: number): Promise<boolean> {
  if (life.ended() !== undefined) return false
  // 2026-07-28 has no ping; every server answers the question what it is.
  const method = connection.client.getProtocolEra() === 'modern' ? 'server/discover' : 'ping'
  const { messageBytesMax: bytesMax } = connection
  const { outcome } = await ask(connection, { method, params: {}, bytesMax, signal: AbortSignal.timeout(timeoutMs) })
  // An error that is a refusal at the same time comes from a server that does not know the session.
  if (outcome.kind === 'error') return outcome.status === undefined
  return outcome.kind === 'result' || outcome.kind === 'malformed'
}

/** What a failed call tells of its session. */
function lessons(connection: Connection, life: SessionLife, ping: OpenSession['ping']) {
  let pinging = false
  const endUnlessAlive = (after: string) => {
    if (pinging) return
    pinging = true
    void ping(pingMs).then((alive) => {
      pinging = false
      if (!alive)
        void life.finish(`was ended, for ${after}, and it did not answer a ping well within ${pingMs / 1000} s`)
    })
  }
  return ({ outcome }: Extract<Tried, { readonly outcome: unknown }>) => {
    if (outcome.kind === 'timed-out') return endUnlessAlive('a call got no answer in time')
    const status = 'status' in outcome ? outcome.status : undefined
    if (status === undefined || !connection.hasSessionId()) return
    if (status === 404) void life.finish(forgottenWords)
    // A server that was started anew may say so in other ways.
    else if (status === 400) endUnlessAlive('a call was refused (HTTP 400)')
  }
}

function changes({ client, onListChanged }: Connection, { signal }: SessionLife): OpenSession['onListChanged'] {
  const listeners = new Set<() => void>()
  const burst = listChangedBurst(() => {
    for (const listener of [...listeners]) listener()
  })
  onListChanged(burst.note)
  signal.addEventListener('abort', burst.end, { once: true })
  let mustListen = client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.tools?.listChanged === true
  return (listener) => {
    listeners.add(listener)
    if (mustListen) void listenForChanges(client, { filter: { toolsListChanged: true }, missed: burst.note, signal })
    mustListen = false
    return () => void listeners.delete(listener)
  }
}
