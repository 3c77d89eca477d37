// How an answer goes out: whole or as a stream, at the pace of its step, and broken where the step wants it so.

import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '../../core/json.ts'
import type { RecordedRequest } from './recorded-request.ts'
import type { ScriptFailure, ScriptStep } from './script.ts'
import { type ModelAnswer, scriptedNote, type Wire, type WireEvent } from './wires/wire.ts'

export interface Delivery {
  readonly response: ServerResponse
  readonly wire: Wire
  readonly answer: ModelAnswer
  readonly step: ScriptStep
  /** Absent: this time the step answers. */
  readonly failure?: ScriptFailure
  readonly stream: boolean
  readonly body: JsonObject
  /** Aborted when the client is gone, or the server ends. */
  readonly signal: AbortSignal
}

/** Sends the answer. Never rejects; a client that went away is an outcome. */
export async function deliver(delivery: Delivery): Promise<RecordedRequest['outcome']> {
  const { response, wire, step, failure, stream, signal } = delivery
  try {
    await pause(step.delay_ms, signal)
    if (failure?.status !== undefined) {
      sendJson(response, failure.status, wire.error(failure.status, failureText(failure)))
    } else if (failure?.cut === 'start') response.destroy()
    else if (stream) await sendStream(delivery)
    else if (failure?.stream === 'error') sendJson(response, 500, wire.error(500, failureText(failure)))
    else if (failure === undefined) sendJson(response, 200, wire.whole(delivery.answer))
    else sendPart(delivery, failure)
    return failure === undefined ? 'answered' : 'failed'
  } catch (error) {
    if (signal.aborted) return 'left'
    throw error
  }
}

const pause = async (ms: number | undefined, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  if (ms !== undefined && ms > 0) await after(ms, undefined, { signal })
}

const failureText = ({ message }: ScriptFailure): string => message ?? 'the script has a failure here'

/** What every answer bears, so that nobody takes it for a model's. */
const marks = { 'x-scripted-model': scriptedNote }

/** An answer or an error as JSON. `x-should-retry` is what the clients of both providers look at. */
export function sendJson(response: ServerResponse, status: number, value: JsonObject, retry = true): void {
  const headers = { 'content-type': 'application/json', ...marks, ...(retry ? {} : { 'x-should-retry': 'false' }) }
  response.writeHead(status, headers).end(JSON.stringify(value))
}

/** Less than a whole answer: half of it, or what is none. */
function sendPart({ response, wire, answer }: Delivery, failure: ScriptFailure): void {
  const bytes = Buffer.from(JSON.stringify(wire.whole(answer)))
  const half = bytes.subarray(0, bytes.length >> 1)
  const body = failure.stream === 'garbage' ? Buffer.from(garbage) : half
  const length = failure.cut === undefined ? body.length : bytes.length
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length, ...marks })
  if (failure.cut === undefined) response.end(body)
  else response.write(body, () => response.destroy())
}

const garbage = '{"this is": no JSON'

async function sendStream({ response, wire, answer, step, failure, body, signal }: Delivery): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...marks })
  const events = [...wire.events(answer, body)]
  // A broken answer ends within its content: after the beginning, before the end.
  const whole = failure === undefined
  const sent = whole ? events : events.slice(0, Math.max(1, events.length >> 1))
  for (const event of sent) {
    await write(response, textOf(event), signal)
    await pause(step.pace_ms, signal)
  }
  if (failure?.cut === 'middle') {
    response.destroy()
    return
  }
  if (failure?.stream === 'error') {
    await write(response, textOf(wire.errorEvent(failureText(failure), sent.length)), signal)
  }
  if (failure?.stream === 'garbage') await write(response, textOf({ ...sent.at(-1), data: garbage }), signal)
  response.end()
}

const textOf = ({ event, data }: WireEvent): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** Waits until the text is handed on, so that a cut after it loses nothing of it. */
function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => response.write(text, (error) => (error ? reject(error) : resolve())))
}
