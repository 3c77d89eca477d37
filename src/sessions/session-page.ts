// A page of a server's list of tools, or why there is none.

import { listingBytesMax } from './listing/listing-limits.ts'
import type { Connection } from './open-connection.ts'
import { DeadlinePassed } from './open-deadline.ts'
import { ask } from './session-ask.ts'
import { loginWords, Unavailable } from './unavailable.ts'
import { methodNotFound } from './wire/message-inbox.ts'

export interface PageRequest {
  readonly server: string
  readonly cursor: string | undefined
  readonly signal: AbortSignal
  /** False when the server says that it has no tools. */
  readonly hasTools: boolean
}

/** The result of tools/list as received. Rejects with an Unavailable, or a DeadlinePassed when the signal was aborted. */
export async function listPage(connection: Connection, request: PageRequest): Promise<unknown> {
  const { cursor, signal, server, hasTools } = request
  const { outcome } = await ask(connection, {
    method: 'tools/list',
    params: cursor === undefined ? {} : { cursor },
    bytesMax: Math.max(listingBytesMax, connection.messageBytesMax),
    signal,
  })
  const failed = (what: string) => new Unavailable('listing-failed', what)
  switch (outcome.kind) {
    case 'result':
      return outcome.value
    case 'stopped':
      throw new DeadlinePassed('nobody waits for the list any more')
    case 'error':
      // Without the capability, a server may refuse the question itself.
      if (!hasTools && outcome.code === methodNotFound)
        throw new Unavailable('listed-nothing', 'it answered and says that it has no tools')
      throw failed(`tools/list failed: error ${outcome.code}: ${outcome.message}`)
    case 'malformed':
      throw failed(`tools/list failed: its answer is invalid: ${outcome.why}`)
    case 'too-large':
      throw failed('list-too-big: it sent more than a list of tools may weigh')
    case 'refused': {
      const { status, words } = outcome
      if (status === 401 || status === 403)
        throw new Unavailable('login-needed', loginWords(connection.place, status, server))
      throw failed(`tools/list was refused (HTTP ${status})${words === '' ? '' : `: ${words}`}`)
    }
    case 'barred':
      throw outcome.why
    case 'unreached':
      throw new Unavailable('failed-to-start', `${connection.place ?? 'it'} could not be reached (${outcome.why})`)
    case 'lost': {
      const over = connection.ending()
      if (over === undefined) throw failed(`the connection ended while it listed its tools (${outcome.why})`)
      throw failed(`it ${over.how} while it listed its tools${over.said === '' ? '' : `; it said: ${over.said}`}`)
    }
  }
}
