// The streams of a session of the 2025 revisions, with what was said on them of late: a client whose connection broke
// comes back with the id of the last event that it saw, and gets what followed.

import type { ServerResponse } from 'node:http'
import type { HttpLimits } from './limits.ts'
import { beginEvents, eventText, keptAlive, writeEvents } from './reply.ts'

export interface EventStream {
  readonly push: (message: unknown) => void
  /** Goes on at this response, after the event of that number. One response at a time: the former ends. */
  readonly attach: (response: ServerResponse, after: number) => void
  /** Number of the last event that was written to somebody. */
  readonly written: () => number
  readonly isAttached: () => boolean
  /** Nothing follows. */
  readonly finish: () => void
}

export interface EventLog {
  readonly open: () => EventStream
  /** The stream and the number of an event. Undefined: nothing is known of it any more. */
  readonly find: (eventId: string) => { readonly stream: EventStream; readonly after: number } | undefined
}

/** Streams that are over and can still be come back to. */
const finishedMax = 64

interface Entry {
  readonly stream: number
  readonly number: number
  readonly text: string
}

export function eventLog(
  limits: Pick<HttpLimits, 'replayEvents' | 'replayBytes' | 'keepAliveMs'>,
  headers: { readonly [name: string]: string },
): EventLog {
  const streams = new Map<number, EventStream>()
  const finished: number[] = []
  let entries: Entry[] = []
  let chars = 0
  let serial = 0

  const keep = (entry: Entry) => {
    entries.push(entry)
    chars += entry.text.length
    let drop = 0
    while (entries.length - drop > limits.replayEvents || (chars > limits.replayBytes && drop < entries.length)) {
      chars -= entries[drop]?.text.length ?? 0
      drop += 1
    }
    if (drop > 0) entries = entries.slice(drop)
  }
  const open = (): EventStream => {
    serial += 1
    const own = serial
    let number = 0
    let written = 0
    let out: ServerResponse | undefined
    let isOver = false
    const write = (at: number, text: string) => {
      if (out === undefined) return
      writeEvents(out, text)
      written = at
    }
    const stream: EventStream = {
      push: (message) => {
        if (isOver) return
        number += 1
        const text = eventText(message, `${own}-${number}`)
        write(number, text)
        keep({ stream: own, number, text })
      },
      attach: (response, after) => {
        out?.end()
        out = response
        response.once('close', () => {
          if (out === response) out = undefined
        })
        beginEvents(response, headers)
        keptAlive(response, limits.keepAliveMs)
        for (const entry of entries) if (entry.stream === own && entry.number > after) write(entry.number, entry.text)
        if (isOver) response.end()
      },
      written: () => written,
      isAttached: () => out !== undefined,
      finish: () => {
        if (isOver) return
        isOver = true
        out?.end()
        finished.push(own)
        if (finished.length > finishedMax) streams.delete(finished.shift() ?? 0)
      },
    }
    streams.set(own, stream)
    return stream
  }
  return {
    open,
    find: (eventId) => {
      const match = /^(\d{1,12})-(\d{1,12})$/.exec(eventId)
      const stream = match === null ? undefined : streams.get(Number(match[1]))
      return stream === undefined ? undefined : { stream, after: Number(match?.[2]) }
    },
  }
}
