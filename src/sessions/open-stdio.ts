// Opening a server that is started. Era: `initialize` first, and only a server that answers it with an error is asked
// in the 2026 way, on the same process. (The SDK's automatic negotiation starts the server a second time.) What worked
// is remembered by the caller and tried first the next time.

import { type ProtocolEra, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../config/config.ts'
import {
  type Attempt,
  type Connection,
  type Contact,
  clientFor,
  connected,
  type Ending,
  listeningPost,
  modernRevision,
} from './open-connection.ts'
import { startProcess } from './processes/server-process.ts'
import { looseTransport } from './wire/loose-transport.ts'
import { type StdioChannel, stdioChannel } from './wire/stdio-channel.ts'

/** Starts the server. Rejects with a StartFailure when there is no process. */
export async function overStdio({ command = '', args }: McpServerConfig, attempt: Attempt): Promise<Contact> {
  const { env, cwd, messageBytesMax } = attempt
  const started = await startProcess({ command, args, env, cwd })
  const post = listeningPost(attempt)
  let channel: StdioChannel | undefined
  const inbox = post.inbox((words) => channel?.noteUnknownAnswer(words))
  const opened = stdioChannel(started, inbox, messageBytesMax)
  channel = opened
  const endingBy = (how: string): Ending => ({ how, said: started.lastWords() })
  const ending = () => {
    const how = opened.ended()
    return how === undefined ? undefined : endingBy(how)
  }
  const over = opened.over.then(endingBy)
  const eras: readonly ProtocolEra[] = attempt.era === 'modern' ? ['modern', 'legacy'] : ['legacy', 'modern']
  const connection = firstThatWorks(eras, async (era): Promise<Connection> => {
    const client = clientFor(era === 'modern' ? { pin: modernRevision } : 'legacy', post.parts.desk, attempt)
    await connected(client, looseTransport(opened.transport(), inbox, { follows: false }), attempt)
    return {
      client,
      inbox,
      messageBytesMax,
      pid: started.pid,
      place: undefined,
      received: opened.received,
      findings: opened.findings,
      ...post.parts,
      hasSessionId: () => false,
      over,
      ending,
    }
  })
  return {
    connection: afterEnding(connection, over),
    ending,
    lastWords: started.lastWords,
    unreachable: () => undefined,
    refusedWith: () => undefined,
    end: async () => {
      opened.close('was ended')
      await started.end()
    },
  }
}

/** The eras in turn; only an answer that refuses the handshake leads to the next. The first refusal is the one that is told. */
async function firstThatWorks<T>(eras: readonly ProtocolEra[], open: (era: ProtocolEra) => Promise<T>): Promise<T> {
  let refusal: unknown
  for (const era of eras) {
    try {
      return await open(era)
    } catch (error) {
      refusal ??= error
      if (!isRefusal(error, era)) throw error
    }
  }
  throw refusal
}

function isRefusal(error: unknown, era: ProtocolEra): boolean {
  if (error instanceof ProtocolError) return true
  if (!(error instanceof SdkError)) return false
  return (
    error.code === SdkErrorCode.EraNegotiationFailed || (era === 'modern' && error.code === SdkErrorCode.RequestTimeout)
  )
}

/** A process that left says more than the connection that broke: its words are waited for a moment. */
async function afterEnding<T>(connection: Promise<T>, over: Promise<Ending>): Promise<T> {
  try {
    return await connection
  } catch (error) {
    // One that was answered with an error is alive; anything else may be how its end looks from here.
    if (!(error instanceof ProtocolError))
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 300))])
    throw error
  }
}
