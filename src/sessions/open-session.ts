// Opening a session with a server: it is started or reached, and shakes hands in an era that both sides speak.
// INVARIANT: when the opening fails, nothing of the server is running.

import type { McpServerConfig } from '../config/config.ts'
import type { Attempt, Contact, OpenOptions } from './open-connection.ts'
import { deadlineOf } from './open-deadline.ts'
import { overHttp, placeOf } from './open-http.ts'
import { overStdio } from './open-stdio.ts'
import type { OpenSession } from './session.ts'
import { sessionOn } from './session-client.ts'
import { type Phase, Unavailable, unavailableFor } from './unavailable.ts'

export type { OpenOptions } from './open-connection.ts'

/** The largest result that is worth reading whole; a model reads a thousandth of it. */
const messageBytesMaxDefault = 10 * 1024 * 1024

/** Opens a session, which whoever asked for it ends. Rejects with an Unavailable. */
export async function openSession(server: McpServerConfig, options: OpenOptions): Promise<OpenSession> {
  const missing = notConfigured(server)
  if (missing !== undefined) throw new Unavailable('not-configured', missing)
  const { timeoutMs, messageBytesMax = messageBytesMaxDefault } = options
  const deadline = deadlineOf(timeoutMs, options.signal)
  const attempt: Attempt = { ...options, signal: deadline.signal, messageBytesMax }
  let phase: Phase = 'start'
  let contact: Contact | undefined
  try {
    deadline.signal.throwIfAborted()
    contact = await (server.transport === 'stdio' ? overStdio : overHttp)(server, attempt)
    phase = 'initialize'
    const connection = await deadline.orPassed(contact.connection)
    return sessionOn(connection, { server: server.name, pageTimeoutMs: timeoutMs, end: contact.end })
  } catch (error) {
    const why = unavailableFor(error, {
      server: server.name,
      phase,
      place: server.url === undefined ? undefined : placeOf(server.url),
      status: contact?.refusedWith(),
      unreachable: contact?.unreachable(),
      ending: contact?.ending(),
      lastWords: contact?.lastWords(),
      deadlineMs: timeoutMs,
      stopped: options.signal?.aborted === true,
    })
    await contact?.end()
    throw why
  } finally {
    deadline.clear()
  }
}

function notConfigured(server: McpServerConfig): string | undefined {
  if (server.transport === 'stdio')
    return server.command === undefined || server.command === '' ? 'it has no command' : undefined
  if (server.url === undefined) return 'it has no url'
  return URL.canParse(server.url) ? undefined : 'its url cannot be read'
}
