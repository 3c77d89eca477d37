// Opening a server that is reached. The SDK asks for the revision both ways on one connection; the older HTTP with its
// one stream of events knows `initialize` only.

import type { McpServerConfig } from '../config/config.ts'
import {
  type Attempt,
  type Connection,
  type Contact,
  clientFor,
  connected,
  type Ending,
  listeningPost,
} from './open-connection.ts'
import type { SessionFinding } from './session.ts'
import { httpChannel } from './wire/http-channel.ts'
import { looseTransport } from './wire/loose-transport.ts'

/** Time for a server to take notice that a session is over. */
const leaveMs = 500

export async function overHttp(server: McpServerConfig, attempt: Attempt): Promise<Contact> {
  const { url = '', headers } = server
  const { messageBytesMax, auth } = attempt
  const transport = server.transport === 'sse' ? 'sse' : 'http'
  const post = listeningPost(attempt)
  const unknown = unknownAnswers()
  const inbox = post.inbox(unknown.note)
  const channel = httpChannel(
    { transport, url, headers, messageBytesMax, ...(auth === undefined ? {} : { auth }) },
    inbox,
  )
  const loose = looseTransport(channel.transport, inbox, { follows: true })
  let ending: Ending | undefined
  const over = channel.over.then((how) => {
    ending = { how, said: '' }
    return ending
  })
  const open = async (): Promise<Connection> => {
    const client = clientFor(transport === 'sse' ? 'legacy' : 'auto', post.parts.desk, attempt)
    await connected(client, loose, attempt)
    return {
      client,
      inbox,
      messageBytesMax,
      pid: undefined,
      place: placeOf(url),
      received: channel.received,
      findings: unknown.findings,
      ...post.parts,
      hasSessionId: () => loose.sessionId !== undefined,
      over,
      ending: () => ending,
    }
  }
  return {
    connection: open(),
    ending: () => ending,
    lastWords: () => undefined,
    unreachable: channel.unreachable,
    refusedWith: channel.refusedWith,
    end: async () => {
      await Promise.race([
        channel.leave().catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, leaveMs).unref()),
      ])
      await loose.close().catch(() => {})
    },
  }
}

/** A query may hold a token, and so may what stands before the host. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function unknownAnswers() {
  let times = 0
  let first = ''
  return {
    note: (words: string) => {
      times += 1
      if (times === 1) first = words
    },
    findings: (): readonly SessionFinding[] => (times === 0 ? [] : [{ word: 'unknown-answer', times, first }]),
  }
}
