// One server from its start to its end: started, asked for its tools, ended. The deadline covers all of it, and
// whatever goes wrong comes out as a state with words.

import type { McpServerConfig } from '../config/config.ts'
import { serverEnvironment } from './base-environment.ts'
import { listTools } from './list-tools.ts'
import { type ListedBy, listingIdentity } from './listing-identity.ts'
import { type Contact, contact, type Session } from './open-session.ts'
import { DeadlinePassed, type Phase, Unavailable, unavailableFor } from './unavailable.ts'

export interface Listing extends ListedBy {
  /** As received. */
  readonly tools: readonly unknown[]
  /** What was wrong with the list as such, one sentence each. */
  readonly problems: readonly string[]
  readonly tookMs: number
}

export interface ListOptions {
  /** The configuration's folder: where servers start that name no folder. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Which era worked the last time. */
  readonly era?: ListedBy['era'] | undefined
  readonly signal?: AbortSignal | undefined
}

/** The tools of a server, or why there are none. Never rejects; when it resolves, nothing of the server is running. */
export async function listServer(server: McpServerConfig, options: ListOptions): Promise<Listing | Unavailable> {
  const missing = notConfigured(server)
  if (missing !== undefined) return new Unavailable('not-configured', missing)
  const startedAt = performance.now()
  const deadline = deadlineOf(server.startTimeoutMs, options.signal)
  let phase: Phase = { step: 'start' }
  let reached: Contact | undefined
  try {
    const env = serverEnvironment(options.environment, server.env)
    const { era } = options
    const opening = {
      env,
      cwd: server.cwd ?? options.folder,
      era,
      signal: deadline.signal,
      timeoutMs: server.startTimeoutMs,
    }
    reached = await contact(server, opening)
    phase = { step: 'initialize' }
    const session = await deadline.orPassed(reached.session)
    let page = 0
    const pages = await listTools({
      received: session.received,
      page: (cursor) => {
        page += 1
        phase = { step: 'tools/list', page }
        return deadline.orPassed(session.page(cursor))
      },
    })
    if (pages.tools.length === 0) return new Unavailable('listed-nothing', 'it answered and offers no tools')
    return listingOf(server, session, pages, performance.now() - startedAt)
  } catch (error) {
    return failure(error, { server, phase, reached, stopped: options.signal?.aborted === true })
  } finally {
    deadline.clear()
    await reached?.end()
  }
}

function listingOf(
  server: McpServerConfig,
  session: Session,
  pages: Pick<Listing, 'tools' | 'problems'>,
  tookMs: number,
): Listing {
  const { lines, first } = session.noise()
  const noise =
    lines === 0
      ? []
      : [
          `it prints text to standard output, where only messages belong (${lines} ${lines === 1 ? 'line' : 'lines'}): ${first}`,
        ]
  return {
    identity: listingIdentity(server),
    era: session.era,
    ...(session.protocolVersion === undefined ? {} : { protocolVersion: session.protocolVersion }),
    tools: pages.tools,
    problems: [...pages.problems, ...noise],
    tookMs,
  }
}

interface Attempt {
  readonly server: McpServerConfig
  readonly phase: Phase
  readonly reached: Contact | undefined
  readonly stopped: boolean
}

async function failure(error: unknown, attempt: Attempt): Promise<Unavailable> {
  const { server, phase, reached, stopped } = attempt
  if (reached?.overflowed() === true)
    return new Unavailable('listing-failed', 'list-too-big: it sent more than a list of tools may weigh')
  // Without the capability, a server may refuse the question itself.
  const session = phase.step === 'tools/list' ? await reached?.session.catch(() => undefined) : undefined
  const refused = error instanceof Error && 'code' in error && error.code === methodNotFound
  if (session?.hasTools === false && refused)
    return new Unavailable('listed-nothing', 'it answered and says that it has no tools')
  return unavailableFor(error, {
    phase,
    place: placeOf(server),
    status: reached?.refusedWith(),
    unreachable: reached?.unreachable(),
    gone: reached?.gone(),
    lastWords: reached?.lastWords(),
    deadlineMs: server.startTimeoutMs,
    stopped,
  })
}

/** JSON-RPC 2.0. */
const methodNotFound = -32601

function notConfigured(server: McpServerConfig): string | undefined {
  if (server.transport === 'stdio')
    return server.command === undefined || server.command === '' ? 'it has no command' : undefined
  if (server.url === undefined) return 'it has no url'
  return URL.canParse(server.url) ? undefined : 'its url cannot be read'
}

/** A query may hold a token, and so may what stands before the host. */
function placeOf(server: McpServerConfig): string | undefined {
  if (server.url === undefined || !URL.canParse(server.url)) return undefined
  const { origin, pathname } = new URL(server.url)
  return `${origin}${pathname}`
}

interface Deadline {
  readonly signal: AbortSignal
  /** What the promise gives, or a DeadlinePassed when that is earlier. */
  readonly orPassed: <T>(promise: Promise<T>) => Promise<T>
  readonly clear: () => void
}

function deadlineOf(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const pass = () => controller.abort(new DeadlinePassed())
  const timer = setTimeout(pass, timeoutMs)
  if (outer?.aborted === true) pass()
  outer?.addEventListener('abort', pass, { once: true })
  const passed = new Promise<never>((_, reject) => {
    const fail = () => reject(new DeadlinePassed())
    if (controller.signal.aborted) fail()
    else controller.signal.addEventListener('abort', fail, { once: true })
  })
  passed.catch(() => {})
  return {
    signal: controller.signal,
    orPassed: (promise) => Promise.race([promise, passed]),
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', pass)
    },
  }
}
