// The tools of one server, through a session that is opened for it or one that is open already. The deadline covers
// all of it, and whatever goes wrong comes out as a state with words.

import type { AuthProvider } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../config/config.ts'
import { type Deadline, DeadlinePassed, deadlineOf } from '../open-deadline.ts'
import { openSession } from '../open-session.ts'
import { sessionPlace, type ThreadPlace } from '../processes/session-place.ts'
import type { OpenSession, SessionFinding } from '../session.ts'
import { timedOut, Unavailable } from '../unavailable.ts'
import { listTools, type ToolPages } from './list-tools.ts'
import { type ListedBy, type Listing, readIntroduction } from './listing.ts'
import { listingIdentity } from './listing-identity.ts'

export interface ListOptions {
  /** The configuration's folder: where servers start that name no folder. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Absent: it starts where the configuration lies. */
  readonly thread?: ThreadPlace
  /** Which era worked the last time. */
  readonly era?: ListedBy['era'] | undefined
  readonly signal?: AbortSignal | undefined
  /** Longest message that is read, the list aside. Absent: 10 MiB. */
  readonly messageBytesMax?: number
  /** HTTP: the login. Absent: none. */
  readonly auth?: AuthProvider
}

export interface KeptListing {
  readonly listing: Listing
  /** To be ended by whoever took it. */
  readonly session: OpenSession
}

/** The tools of a server, or why there are none. Never rejects; when it resolves, nothing of the server is running. */
export async function listServer(server: McpServerConfig, options: ListOptions): Promise<Listing | Unavailable> {
  const kept = await listAndKeep(server, options)
  if (kept instanceof Unavailable) return kept
  await kept.session.end()
  return kept.listing
}

/** As `listServer`, but a session that gave its tools stays open and is handed over. */
export async function listAndKeep(server: McpServerConfig, options: ListOptions): Promise<KeptListing | Unavailable> {
  const startedAt = performance.now()
  const deadline = deadlineOf(server.startTimeoutMs, options.signal)
  let session: OpenSession | undefined
  try {
    const { folder, environment, era, messageBytesMax, auth, signal } = options
    const place = sessionPlace(server, {
      configFolder: folder,
      environment,
      ...(options.thread === undefined ? {} : { workspace: options.thread }),
    })
    session = await openSession(place.server, {
      env: place.env,
      cwd: place.cwd,
      timeoutMs: server.startTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
      ...(era === undefined ? {} : { era }),
      ...(messageBytesMax === undefined ? {} : { messageBytesMax }),
      ...(auth === undefined ? {} : { auth }),
    })
    const pages = await listedWithin(deadline, session, server, signal)
    return { listing: listingOf(server, session, { pages, tookMs: performance.now() - startedAt }), session }
  } catch (error) {
    await session?.end()
    return error instanceof Unavailable ? error : unexpected(error)
  } finally {
    deadline.clear()
  }
}

/** The tools of a server through a session that is open, and stays so, or why there are none. Never rejects. */
export async function listOpen(
  server: McpServerConfig,
  session: OpenSession,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Listing | Unavailable> {
  const startedAt = performance.now()
  const deadline = deadlineOf(server.startTimeoutMs, options.signal)
  try {
    const pages = await listedWithin(deadline, session, server, options.signal)
    return listingOf(server, session, { pages, tookMs: performance.now() - startedAt })
  } catch (error) {
    return error instanceof Unavailable ? error : unexpected(error)
  } finally {
    deadline.clear()
  }
}

/** Rejects with an Unavailable, a list without tools included. */
async function listedWithin(
  deadline: Deadline,
  session: OpenSession,
  server: McpServerConfig,
  stop: AbortSignal | undefined,
): Promise<ToolPages> {
  let page = 0
  try {
    const pages = await listTools({
      received: session.received,
      page: (cursor) => {
        page += 1
        return deadline.orPassed(session.page(cursor, { signal: deadline.signal }))
      },
    })
    if (pages.tools.length === 0) throw new Unavailable('listed-nothing', 'it answered and offers no tools')
    return pages
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    const { startTimeoutMs: deadlineMs } = server
    throw timedOut(`to tools/list (page ${page})`, {
      deadlineMs,
      stopped: stop?.aborted === true,
      lastWords: undefined,
    })
  }
}

function listingOf(
  server: McpServerConfig,
  session: OpenSession,
  { pages, tookMs }: { readonly pages: ToolPages; readonly tookMs: number },
): Listing {
  const { tools, problems, ttlMs } = pages
  return {
    identity: listingIdentity(server),
    era: session.era,
    ...(session.protocolVersion === undefined ? {} : { protocolVersion: session.protocolVersion }),
    ...introductionOf(session),
    tools,
    problems: [...problems, ...session.findings().map(wordsOf)],
    ...(ttlMs === undefined ? {} : { ttlMs }),
    tookMs,
  }
}

/** What cannot be stored as JSON of bounded size is left out. */
function introductionOf({ capabilities, instructions }: OpenSession): Pick<Listing, 'introduction'> {
  const introduction = readIntroduction({ capabilities, instructions })
  return introduction === undefined ? {} : { introduction }
}

function wordsOf({ word, times, first }: SessionFinding): string {
  if (word === 'unknown-answer') return `it sends answers that nobody asked for (${times}): ${first}`
  if (word === 'notifications-dropped') return `it sent more notifications than are kept (${times} dropped): ${first}`
  const lines = times === 1 ? 'line' : 'lines'
  return `it prints text to standard output, where only messages belong (${times} ${lines}): ${first}`
}

const unexpected = (error: unknown): Unavailable =>
  new Unavailable('listing-failed', error instanceof Error ? error.message : String(error))
