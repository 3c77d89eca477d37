// A call of a tool, or another request, from its sending to its result: its time limits, its cancellation, its progress.
// INVARIANT: whatever went wrong, it is not sent again.

import { isJsonObject, type JsonObject } from '../core/json.ts'
import { askInRounds, type RoundsOutcome } from './ask-in-rounds.ts'
import { callClock } from './call-clock.ts'
import { CallFailure } from './call-failure.ts'
import { type CallSubject, failureOf } from './call-outcome.ts'
import { progressThrottle } from './call-progress.ts'
import { asksForInput, faultOfResult } from './call-result.ts'
import type { Connection } from './open-connection.ts'
import type { CallOptions, RequestOptions } from './session.ts'
import type { Question } from './session-ask.ts'
import { metaPassedOn } from './wire/message-meta.ts'

export interface ToolRequest {
  readonly server: string
  readonly originalName: string
  readonly args: JsonObject
  /** Ours to add to `_meta`. */
  readonly ownMeta: JsonObject | undefined
}

export interface OtherRequest {
  readonly server: string
  readonly method: string
  readonly params: JsonObject
  /** Ours to add to `_meta`. */
  readonly ownMeta: JsonObject | undefined
}

export type Tried =
  | { readonly result: JsonObject }
  /** `outcome` says what it tells of the session. */
  | { readonly failure: CallFailure; readonly outcome: RoundsOutcome | { readonly kind: 'timed-out' } }

/** Beyond a burst, signs of progress are passed on 20 times a second: nobody reads faster, and a flood costs no more. */
const progressEveryMs = 50

/** Calls a tool. Never rejects. */
export function callTool(
  connection: Connection,
  { server, originalName, args, ownMeta }: ToolRequest,
  options: CallOptions,
): Promise<Tried> {
  const { definition, onProgress = () => {} } = options
  const params = { name: originalName, arguments: args }
  const what = { method: 'tools/call', params, definition, ownMeta }
  const errand = { server, called: originalName, faultOf: faultOfResult, ...what }
  return carriedOut(connection, errand, { ...options, onProgress })
}

/** Any other request, whose result nobody here looks at. Never rejects. */
export const request = (connection: Connection, asked: OtherRequest, options: RequestOptions): Promise<Tried> =>
  carriedOut(connection, { ...asked, called: asked.method, faultOf: () => undefined }, options)

interface Errand extends Pick<Question, 'method' | 'params' | 'definition'> {
  readonly server: string
  /** For messages. */
  readonly called: string
  readonly ownMeta: JsonObject | undefined
  readonly faultOf: (result: unknown) => string | undefined
}

async function carriedOut(connection: Connection, errand: Errand, options: RequestOptions): Promise<Tried> {
  const { server, called, method, definition } = errand
  const { place, ending, hasSessionId, messageBytesMax: bytesMax, desk } = connection
  const subject: CallSubject = { server, called, place, ending, hasSessionId }
  const { onProgress, progressBurst: burst = 1 } = options
  const throttle = progressThrottle({ everyMs: progressEveryMs, burst }, onProgress ?? (() => {}))
  const clock = callClock(options, desk)
  const noted: Pick<Question, 'onProgress'> = {
    onProgress: (progress) => {
      clock.alive()
      throttle.note(progress)
    },
  }
  try {
    const { outcome, sent } = await askInRounds(connection, {
      method,
      params: withMeta(errand, options.meta),
      bytesMax,
      signal: clock.signal,
      definition,
      ...(onProgress === undefined ? {} : noted),
    })
    const timedOut = clock.timedOut()
    if (outcome.kind === 'stopped' && timedOut !== undefined) {
      const failure = new CallFailure('call-timed-out', `${server}: "${called}" timed out: ${timedOut}`, { sent })
      return { failure, outcome: { kind: 'timed-out' } }
    }
    const judged = outcome.kind === 'result' ? judgedResult(outcome.value, errand) : outcome
    if (judged.kind === 'result') return { result: judged.value as JsonObject }
    return { failure: failureOf(judged, subject, sent), outcome: judged }
  } finally {
    clock.stop()
    throttle.end()
  }
}

function withMeta({ params, ownMeta }: Errand, given: JsonObject = {}): JsonObject {
  const before = isJsonObject(params._meta) ? params._meta : {}
  const meta = { ...before, ...metaPassedOn(given), ...ownMeta }
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta }
}

function judgedResult(value: unknown, { faultOf }: Errand): RoundsOutcome {
  if (asksForInput(value))
    return { kind: 'malformed', why: 'it asks for more input, which this session did not offer to give' }
  const fault = faultOf(value)
  return fault === undefined ? { kind: 'result', value } : { kind: 'malformed', why: `it ${fault}` }
}
