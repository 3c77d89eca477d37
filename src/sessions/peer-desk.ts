// What a server asks of its client, handed to whoever answers for the session. INVARIANT: nothing is asked that was not
// declared, and a server learns nothing of an error that was not meant for it.

import { ProtocolError } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { SessionPeer } from './session.ts'
import { methodNotFound } from './wire/message-inbox.ts'

export interface PeerDesk {
  /** Rejects with a ProtocolError. */
  readonly ask: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>
  /** True while somebody is being asked: the server waits for us then. */
  readonly isAsking: () => boolean
  /** Called whenever a question was settled. Returns what ends the subscription. */
  readonly onSettled: (listener: () => void) => () => void
}

/** By method: the capability that allows it. */
const capabilityOf = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
])

/** Questions of one server at one time. */
const askingMax = 64
const internalError = -32603

export function peerDesk(peer: SessionPeer | undefined): PeerDesk {
  const listeners = new Set<() => void>()
  let asking = 0
  return {
    ask: async (method, params, signal) => {
      const capability = capabilityOf.get(method)
      if (peer === undefined || capability === undefined || !Object.hasOwn(peer.capabilities, capability))
        throw new ProtocolError(methodNotFound, 'Method not found')
      if (asking >= askingMax) throw new ProtocolError(internalError, `more than ${askingMax} questions at one time`)
      asking += 1
      try {
        return await unlessAborted(peer.ask(method, params, signal), signal)
      } catch (error) {
        throw told(error)
      } finally {
        asking -= 1
        for (const listener of [...listeners]) listener()
      }
    },
    isAsking: () => asking > 0,
    onSettled: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A peer that does not heed its signal keeps nobody waiting. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new ProtocolError(internalError, 'the question was called off'))
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

function told(error: unknown): ProtocolError {
  const { code, message, data } = isJsonObject(error) ? errorParts(error) : {}
  if (typeof code !== 'number' || !Number.isSafeInteger(code))
    return new ProtocolError(internalError, 'the client could not answer')
  return new ProtocolError(code, String(message ?? ''), data)
}

/** `message` of an Error is no enumerable property, so its parts are read one by one. */
const errorParts = ({ code, message, data }: { readonly [key: string]: Json | undefined }) => ({ code, message, data })
