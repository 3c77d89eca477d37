// What the older revisions ask for by requests of their own, done in the way of 2026-07-28: the level of logs goes along
// with each request, and changes of resources are listened for.

import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import type { JsonObject } from '../core/json.ts'
import { CallFailure } from './call-failure.ts'
import type { NotificationListener } from './session.ts'
import { rpcOf } from './session-ask.ts'
import { listenForChanges } from './session-list-changed.ts'
import { logLevelKey } from './wire/message-meta.ts'

export interface ModernWays {
  /** The answer to a request that is not sent as it is; nothing when it is. Rejects with a CallFailure. */
  readonly instead: (method: string, params: JsonObject) => Promise<JsonObject> | undefined
  /** Goes along with each request as `_meta`. */
  readonly meta: () => JsonObject | undefined
  /** From now on the server tells when its prompts and resources change. */
  readonly listen: () => void
}

export interface WaysOptions {
  readonly server: string
  readonly tell: NotificationListener
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
}

/** Resources of one session that are listened for. */
const resourcesMax = 1000

const promptsChanged = 'notifications/prompts/list_changed'
const resourcesChanged = 'notifications/resources/list_changed'

/** The ways of a session of the older revisions: every request is sent as it is. */
export const legacyWays: ModernWays = { instead: () => undefined, meta: () => undefined, listen: () => {} }

export function modernWays(client: Client, options: WaysOptions): ModernWays {
  const subscriptions = resourceSubscriptions(client, options)
  let level: string | undefined
  let listens = false
  return {
    instead: (method, params) => {
      if (method === 'resources/subscribe') return subscriptions.add(String(params.uri))
      if (method === 'resources/unsubscribe') return subscriptions.remove(String(params.uri))
      if (method !== 'logging/setLevel') return undefined
      level = String(params.level)
      return Promise.resolve({})
    },
    meta: () => (level === undefined ? undefined : { [logLevelKey]: level }),
    listen: () => {
      const { prompts, resources } = client.getServerCapabilities() ?? {}
      const promptsListChanged = prompts?.listChanged === true
      const resourcesListChanged = resources?.listChanged === true
      if (listens || (!promptsListChanged && !resourcesListChanged)) return
      listens = true
      const missed = () => {
        if (promptsListChanged) options.tell(promptsChanged, undefined)
        if (resourcesListChanged) options.tell(resourcesChanged, undefined)
      }
      const filter = { promptsListChanged, resourcesListChanged }
      void listenForChanges(client, { filter, missed, signal: options.signal })
    },
  }
}

function resourceSubscriptions(client: Client, { server, tell, signal }: WaysOptions) {
  let uris: ReadonlySet<string> = new Set()
  let open = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  /** The new stream is there before the old one is closed, so that nothing is missed between them. */
  const listenTo = async (wanted: ReadonlySet<string>): Promise<JsonObject> => {
    const next = new AbortController()
    const either = AbortSignal.any([signal, next.signal])
    const filter = { resourceSubscriptions: [...wanted] }
    const missed = () => {
      for (const uri of wanted) tell('notifications/resources/updated', { uri })
    }
    if (wanted.size > 0)
      await new Promise<void>((opened, failed) => {
        void listenForChanges(client, { filter, missed, signal: either, opened, failed })
      }).catch((error: unknown) => {
        next.abort()
        throw failureOf(error)
      })
    open.abort()
    open = next
    uris = wanted
    return {}
  }
  const failureOf = (error: unknown): CallFailure => {
    const words = error instanceof Error ? error.message : String(error)
    const rpc = error instanceof ProtocolError ? rpcOf(error) : undefined
    return new CallFailure('upstream-error', `${server}: it does not tell of this resource: ${words}`, {
      sent: true,
      rpc,
    })
  }
  const inTurn = (change: () => Promise<JsonObject>): Promise<JsonObject> => {
    const done = last.then(change)
    last = done.catch(() => {})
    return done
  }
  return {
    add: (uri: string) =>
      inTurn(async () => {
        if (uris.has(uri)) return {}
        if (uris.size >= resourcesMax) throw failureOf(new Error(`${resourcesMax} of them are listened for already`))
        return listenTo(new Set([...uris, uri]))
      }),
    remove: (uri: string) =>
      inTurn(async () => (uris.has(uri) ? listenTo(new Set([...uris].filter((one) => one !== uri))) : {})),
  }
}
