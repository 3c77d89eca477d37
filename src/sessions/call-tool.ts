// A call of a tool from its request to its result, with both of its time limits, its cancellation and its progress.
// INVARIANT: one call is one request; whatever went wrong, it is not sent again.

import type { JsonObject } from '../core/json.ts'
import { CallFailure } from './call-failure.ts'
import { type CallSubject, failureOf } from './call-outcome.ts'
import { progressThrottle } from './call-progress.ts'
import { asksForInput, faultOfResult } from './call-result.ts'
import type { Connection } from './open-connection.ts'
import type { CallOptions } from './session.ts'
import { ask, type Outcome } from './session-ask.ts'

export interface ToolRequest {
  readonly server: string
  readonly originalName: string
  readonly args: JsonObject
}

export type Tried =
  | { readonly result: JsonObject }
  /** `outcome` says what it tells of the session. */
  | { readonly failure: CallFailure; readonly outcome: Outcome | { readonly kind: 'timed-out' } }

/** Signs of progress are passed on 20 times a second at most: nobody reads faster, and a flood costs no more. */
const progressEveryMs = 50
/** Milliseconds; Node's timers know no longer time. */
const longestTimer = 2 ** 31 - 1

/** Calls a tool. Never rejects. */
export async function callTool(connection: Connection, request: ToolRequest, options: CallOptions): Promise<Tried> {
  const { server, originalName, args } = request
  const { signal, onProgress, idleTimeoutMs, totalTimeoutMs, definition } = options
  const { place, ending, hasSessionId } = connection
  const subject: CallSubject = { server, tool: originalName, place, ending, hasSessionId }
  const throttle = progressThrottle(progressEveryMs, onProgress ?? (() => {}))
  const stop = new AbortController()
  let timedOut: string | undefined
  const stopAt = (ms: number, words: string) =>
    setTimeout(
      () => {
        timedOut ??= words
        stop.abort(words)
      },
      Math.min(ms, longestTimer),
    )
  const cancel = () => stop.abort('the call was cancelled')
  if (signal?.aborted === true) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const total = stopAt(totalTimeoutMs, `no result within ${seconds(totalTimeoutMs)} in all`)
  const idle = stopAt(idleTimeoutMs, `no answer and no sign of progress within ${seconds(idleTimeoutMs)}`)
  try {
    const { outcome, sent } = await ask(connection, {
      method: 'tools/call',
      params: { name: originalName, arguments: args },
      bytesMax: connection.messageBytesMax,
      signal: stop.signal,
      definition,
      onProgress: (progress) => {
        idle.refresh()
        throttle.note(progress)
      },
    })
    if (outcome.kind === 'stopped' && timedOut !== undefined) {
      const failure = new CallFailure('call-timed-out', `${server}: "${originalName}" timed out: ${timedOut}`, { sent })
      return { failure, outcome: { kind: 'timed-out' } }
    }
    const judged = outcome.kind === 'result' ? judgedResult(outcome.value) : outcome
    if (judged.kind === 'result') return { result: judged.value as JsonObject }
    return { failure: failureOf(judged, subject, sent), outcome: judged }
  } finally {
    clearTimeout(total)
    clearTimeout(idle)
    signal?.removeEventListener('abort', cancel)
    throttle.end()
  }
}

function judgedResult(value: unknown): Outcome {
  if (asksForInput(value))
    return { kind: 'malformed', why: 'it asks for more input, which this session did not offer to give' }
  const fault = faultOfResult(value)
  return fault === undefined ? { kind: 'result', value } : { kind: 'malformed', why: `it ${fault}` }
}

const seconds = (ms: number): string => `${ms / 1000} s`
