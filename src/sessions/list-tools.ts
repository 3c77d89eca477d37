// Reading a server's list of tools to its end, whatever the server does: every page as it was sent, every
// irregularity named, and an end in any case.

import { listingBytesMax } from './listing-limits.ts'
import { Unavailable } from './unavailable.ts'

export interface ToolPages {
  /** As received; nothing is known of their form. */
  readonly tools: readonly unknown[]
  /** What was wrong with the pages, one sentence each, beginning with a stable word. */
  readonly problems: readonly string[]
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
 * All tools of a server. A cursor that comes twice or is no text ends the list, and what was read is kept. Throws
 * Unavailable `listing-failed` when the first page is no list, and when the list does not end.
 */
export async function listTools(source: PageSource): Promise<ToolPages> {
  const tools: unknown[] = []
  const problems: string[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    if (page > pagesMax) throw endless('list-too-many-pages', `its list of tools has not ended after ${pagesMax} pages`)
    const result = await source.page(cursor)
    const list = toolsOf(result)
    if (list === undefined && page === 1)
      throw new Unavailable('listing-failed', 'list-shape: the answer to tools/list holds no list of tools')
    if (list === undefined)
      return {
        tools,
        problems: [...problems, `list-shape: page ${page} holds no list of tools; the ${page - 1} before it were kept`],
      }
    for (const tool of list) tools.push(tool)
    if (tools.length > toolsMax) throw endless('list-too-big', `its list holds more than ${toolsMax} tools`)
    if (source.received() > listingBytesMax) throw endless('list-too-big', `its list is over ${listingBytesMax} bytes`)
    const next = (result as { readonly nextCursor?: unknown }).nextCursor
    // The specification knows absent only; null is what several languages write for it.
    if (next === undefined || next === null) return { tools, problems }
    if (typeof next !== 'string')
      return {
        tools,
        problems: [...problems, `list-cursor-type: the cursor of page ${page} is no text; the list ends there`],
      }
    if (seen.has(next))
      return {
        tools,
        problems: [...problems, `list-cursor-loop: page ${page} leads back to a page before it; the list ends there`],
      }
    seen.add(next)
    cursor = next
  }
}

const endless = (word: string, what: string): Unavailable => new Unavailable('listing-failed', `${word}: ${what}`)

function toolsOf(result: unknown): readonly unknown[] | undefined {
  if (result === null || typeof result !== 'object' || !('tools' in result)) return undefined
  return Array.isArray(result.tools) ? result.tools : undefined
}
