// The answer to one POST: JSON as long as nothing else is said, which costs the least; a stream of events from the first
// message before the answer on.

import type { ServerResponse } from 'node:http'
import { safeHeaders, sendJson } from './refusal.ts'

export interface Reply {
  /** A message before the answer. */
  readonly event: (message: unknown) => void
  /** The answer, and the end. */
  readonly answer: (message: unknown, status?: number) => void
  /** Called when the client is gone before the answer was written. */
  readonly onGone: (told: () => void) => void
}

/** A client that does not read is cut off when so much waits for it. */
const unreadBytesMax = 8 * 1024 * 1024

export const eventText = (message: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`

export function beginEvents(response: ServerResponse, headers: { readonly [name: string]: string } = {}): void {
  response.writeHead(200, {
    ...safeHeaders,
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    ...headers,
  })
  response.flushHeaders()
}

export function writeEvents(response: ServerResponse, text: string): void {
  if (response.destroyed || response.writableEnded) return
  response.write(text)
  if (response.writableLength > unreadBytesMax) response.destroy()
}

/** Comments, so that whoever stands in between does not take a quiet stream for a dead one. Ends with the response. */
export function keptAlive(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => writeEvents(response, ': alive\n\n'), everyMs).unref()
  response.once('close', () => clearInterval(timer))
}

export function reply(response: ServerResponse, { keepAliveMs }: { readonly keepAliveMs: number }): Reply {
  let streaming = false
  let over = false
  return {
    event: (message) => {
      if (over) return
      if (!streaming) {
        streaming = true
        beginEvents(response)
        keptAlive(response, keepAliveMs)
      }
      writeEvents(response, eventText(message))
    },
    answer: (message, status = 200) => {
      if (over) return
      over = true
      if (!streaming) sendJson(response, status, { body: message })
      else if (!response.destroyed) response.end(eventText(message))
    },
    onGone: (told) => {
      response.once('close', () => {
        if (over) return
        over = true
        told()
      })
    },
  }
}
