// Our side of the protocol: what an agent may ask of us. Files of its folder and permissions; no terminals, and nothing
// for a session that is not the one of this turn.

import type { ClientApp, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { printable } from '../core/printable.ts'
import { ToolgateError } from '../errors.ts'
import type { AgentFiles } from './agent-files.ts'

export type Sdk = typeof import('@agentclientprotocol/sdk')

export interface AgentClientOptions {
  /** The session of this turn. Absent: there is none yet. */
  readonly session: () => string | undefined
  readonly files: AgentFiles
  readonly permission: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>
}

export const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: false } as const

export function agentClient(
  { client, methods, RequestError }: Sdk,
  { session, files, permission }: AgentClientOptions,
): ClientApp {
  const here = async <T>(sessionId: string, work: () => Promise<T>): Promise<T> => {
    if (sessionId !== session()) throw RequestError.sessionNotFound(printable(sessionId, 100))
    try {
      return await work()
    } catch (error) {
      // Its words name virtual paths only; those of any other error may tell something of the host.
      if (!(error instanceof ToolgateError)) throw RequestError.internalError()
      const { code, message } = error.finding
      throw new RequestError(-32602, message, { code })
    }
  }
  const { session: sessions, fs } = methods.client
  return client({ name: 'toolgate' })
    .onRequest(sessions.requestPermission, ({ params }) => here(params.sessionId, () => permission(params)))
    .onRequest(fs.readTextFile, ({ params: { sessionId, path, line, limit } }) =>
      here(sessionId, async () => {
        const all = (line ?? undefined) === undefined && (limit ?? undefined) === undefined
        const lines = { first: Math.max(1, line ?? 1), count: limit ?? Number.MAX_SAFE_INTEGER }
        return { content: await files.read(path, all ? undefined : lines) }
      }),
    )
    .onRequest(fs.writeTextFile, ({ params: { sessionId, path, content } }) =>
      here(sessionId, () => files.write(path, content)),
    )
}
