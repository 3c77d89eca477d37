// Every way in which a session can be had, so that each behaviour is shown on each of them: the wire, and the era.

import { afterEach } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { type OpenOptions, openSession } from '../../src/sessions/open-session.ts'
import type { CallOptions, OpenSession } from '../../src/sessions/session.ts'
import { scriptedServer } from '../../src/testing/scripted-handles.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { freshFolder, listening, scriptedProgram, serverConfig } from '../sources/scripted.ts'

export interface Wire {
  readonly wire: 'stdio' | 'http' | 'sse'
  readonly era: 'legacy' | 'modern'
}

export const wires: readonly Wire[] = [
  { wire: 'stdio', era: 'legacy' },
  { wire: 'stdio', era: 'modern' },
  { wire: 'http', era: 'legacy' },
  { wire: 'http', era: 'modern' },
  { wire: 'sse', era: 'legacy' },
]

export interface Opened {
  readonly session: OpenSession
  readonly received: () => readonly ReceivedMessage[]
  /** Ends the server of a remote session without a word. */
  readonly kill: () => Promise<void>
  readonly config: McpServerConfig
}

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A session with a server that follows a plan; it ends with the test. */
export async function opened(
  { wire, era }: Wire,
  plan: ServerPlan,
  more: Partial<OpenOptions> & { readonly headers?: { readonly [name: string]: string } } = {},
): Promise<Opened> {
  const { headers = {}, ...options } = more
  const spoken: ServerPlan =
    era === 'modern' ? { discover: true, initialize: { code: -32601, message: 'Method not found' }, ...plan } : plan
  const started = await startOn(wire, spoken)
  const config = serverConfig('lab', { ...started.config, headers })
  const session = await openSession(config, {
    env: { PATH: process.env.PATH ?? '' },
    cwd: freshFolder(),
    timeoutMs: 20_000,
    ...options,
  })
  ending.push(session.end)
  return { session, received: started.received, kill: started.kill, config }
}

async function startOn(wire: Wire['wire'], plan: ServerPlan) {
  if (wire === 'stdio') {
    const { command, args, received } = scriptedServer(plan, { program: scriptedProgram })
    return { config: { command, args }, received, kill: async () => {} }
  }
  const server = await listening(plan, { wire })
  ending.push(server.close)
  return { config: { transport: wire, url: server.url }, received: server.received, kill: server.close }
}

/** Calls a tool with limits that no test reaches by accident. */
export const call = (session: OpenSession, tool: string, options: Partial<CallOptions> = {}, args = {}) =>
  session.call(tool, args, { idleTimeoutMs: 20_000, totalTimeoutMs: 30_000, ...options })

/** The text of a result. */
export const textOf = (result: unknown): unknown =>
  (result as { readonly content?: readonly { readonly text?: unknown }[] }).content?.[0]?.text

/** Waits until something holds, for ten seconds at most. */
export async function until(holds: () => boolean): Promise<boolean> {
  for (let left = 1000; left > 0; left -= 1) {
    if (holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return holds()
}
