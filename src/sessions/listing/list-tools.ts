// Reading a server's list of tools to its end, whatever the server does: every page as it was sent, every
// irregularity named, and an end in any case.

import { Unavailable } from '../unavailable.ts'
import { listingBytesMax } from './listing-limits.ts'

export interface ToolPages {
  /** As received; nothing is known of their form. */
  readonly tools: readonly unknown[]
  /** What was wrong with the pages, one sentence each, beginning with a stable word. */
  readonly problems: readonly string[]
  /** How long the server says that the list may be kept (2026-07-28), milliseconds: the shortest of its pages. Absent: it said nothing. */
  readonly ttlMs?: number
}

export interface PageSource {
  /** The result of tools/list for a cursor, as received. */
  readonly page: (cursor: string | undefined) => Promise<unknown>
  /** Bytes received so far. */
  readonly received: () => number
}

/** Ten thousand tools at twenty a page; the largest server that was measured has 344 tools in all. */
const pagesMax = 500
const toolsMax = 20_000

/**
 * All tools of a server. Throws Unavailable `listing-failed` when the first page is no list, and when the pages lead
 * nowhere: a cursor that comes twice or is no text, or no end. What stands before such a place is not kept, for nobody
 * can tell what is missing behind it.
 */
export async function listTools(source: PageSource): Promise<ToolPages> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  const before = source.received()
  let ttlMs: number | undefined
  let cursor: string | undefined
  const read = (problems: readonly string[] = []): ToolPages => ({
    tools,
    problems,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  })
  for (let page = 1; ; page += 1) {
    if (page > pagesMax) throw failed('list-too-many-pages', `its list of tools has not ended after ${pagesMax} pages`)
    const result = await source.page(cursor)
    const list = toolsOf(result)
    if (list === undefined && page === 1) throw failed('list-shape', 'the answer to tools/list holds no list of tools')
    if (list === undefined)
      return read([`list-shape: page ${page} holds no list of tools; the ${page - 1} before it were kept`])
    for (const tool of list) tools.push(tool)
    if (tools.length > toolsMax) throw failed('list-too-big', `its list holds more than ${toolsMax} tools`)
    if (source.received() - before > listingBytesMax)
      throw failed('list-too-big', `its list is over ${listingBytesMax} bytes`)
    const { nextCursor: next, ttlMs: hint } = result as { readonly nextCursor?: unknown; readonly ttlMs?: unknown }
    if (typeof hint === 'number' && hint >= 0) ttlMs = Math.min(hint, ttlMs ?? hint)
    // The specification knows absent only; null is what several languages write for it.
    if (next === undefined || next === null) return read()
    if (typeof next !== 'string')
      throw failed('list-cursor-type', `the cursor of page ${page} is no text, so the rest of its list cannot be had`)
    if (seen.has(next)) throw failed('list-cursor-loop', `page ${page} leads back to a page before it, without end`)
    seen.add(next)
    cursor = next
  }
}

const failed = (word: string, what: string): Unavailable => new Unavailable('listing-failed', `${word}: ${what}`)

function toolsOf(result: unknown): readonly unknown[] | undefined {
  if (result === null || typeof result !== 'object' || !('tools' in result)) return undefined
  return Array.isArray(result.tools) ? result.tools : undefined
}
