// What a server says by itself, told to whoever listens. A server speaks as soon as it has shaken hands, which is
// before anybody can listen, so that the first words are kept for a while.

import { printable } from '../core/printable.ts'
import type { NotificationListener, SessionFinding } from './session.ts'

const keptMax = 1000
const keptBytesMax = 1024 * 1024

export interface Notifications {
  readonly tell: (method: string, params: Parameters<NotificationListener>[1], bytes: number) => void
  readonly onNotification: (listener: NotificationListener) => () => void
  /** Nothing as long as nobody listened: what nobody wants is not missed. */
  readonly findings: () => readonly SessionFinding[]
}

export function notifications(): Notifications {
  const listeners = new Set<NotificationListener>()
  /** Absent once somebody has listened. */
  let kept: Parameters<NotificationListener>[] | undefined = []
  let keptBytes = 0
  let dropped = 0
  let first = ''

  const keep = (method: string, params: Parameters<NotificationListener>[1], bytes: number) => {
    if (kept === undefined) return
    if (kept.length < keptMax && keptBytes + bytes <= keptBytesMax) {
      kept.push([method, params])
      keptBytes += bytes
      return
    }
    dropped += 1
    if (dropped === 1) first = printable(method, 100)
  }
  return {
    tell: (method, params, bytes) => {
      if (kept !== undefined) return keep(method, params, bytes)
      for (const listener of [...listeners]) quietly(() => listener(method, params))
    },
    onNotification: (listener) => {
      listeners.add(listener)
      const waiting = kept ?? []
      kept = undefined
      for (const [method, params] of waiting) quietly(() => listener(method, params))
      return () => void listeners.delete(listener)
    },
    findings: () =>
      kept !== undefined || dropped === 0 ? [] : [{ word: 'notifications-dropped', times: dropped, first }],
  }
}

/** What a listener makes of it must not end the reading of messages. */
function quietly(tell: () => void): void {
  try {
    tell()
  } catch {
    // Its own fault; the channel has nobody to tell.
  }
}
