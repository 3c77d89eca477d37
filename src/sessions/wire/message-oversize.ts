// A message that is longer than anybody reads: only the call that waits for it fails, and as soon as it is known whose
// it is. The channel goes on with the next message.

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import type { Answer, Asked, Inbox } from './message-inbox.ts'
import { idAtEnd, type Look, type MessageId } from './message-look.ts'

export interface Oversize {
  /** A message that has reached so many bytes: the length up to which it may be read, or `skip`. */
  readonly long: (look: Look, bytes: number) => number | 'skip'
  /** A message that was skipped has ended. */
  readonly ended: (end: Buffer, bytes: number) => void
}

export interface OversizeOptions {
  readonly inbox: Inbox
  /** Longest message for which nobody set another limit. */
  readonly bytesMax: number
  /** Whose answer comes on this channel, when it is one's alone. Absent: everybody's. */
  readonly owner?: MessageId | undefined
  readonly deliver: (message: JSONRPCMessage) => void
}

export function oversize({ inbox, bytesMax, owner, deliver }: OversizeOptions): Oversize {
  let isOwnerUnknown = false
  const fail = (id: MessageId, answer: Answer) => {
    for (const message of inbox.settle(id, answer) ?? []) deliver(message)
  }
  const limitOf = (asked: Asked | undefined): number => asked?.bytesMax ?? bytesMax
  return {
    long: (look, bytes) => {
      const id = look.id ?? owner
      if (look.isAsking || id !== undefined) {
        const limit = look.isAsking || id === undefined ? bytesMax : limitOf(inbox.askedWith(id))
        if (bytes < limit) return limit
        if (!look.isAsking && id !== undefined) fail(id, { kind: 'too-large', bytes, bytesMax: limit })
        isOwnerUnknown = false
        return 'skip'
      }
      const limit = Math.max(bytesMax, ...inbox.waiting().map((asked) => asked.bytesMax))
      if (bytes < limit) return limit
      isOwnerUnknown = true
      return 'skip'
    },
    ended: (end, bytes) => {
      if (!isOwnerUnknown) return
      isOwnerUnknown = false
      const id = idAtEnd(end)
      // Whoever waits may be the one, and would wait for ever.
      for (const one of id === undefined ? inbox.waiting().flatMap((asked) => asked.id ?? []) : [id])
        fail(one, { kind: 'too-large', bytes, bytesMax: limitOf(inbox.askedWith(one)) })
    },
  }
}
