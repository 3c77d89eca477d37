// Which tools are beyond the number that a target takes in one request, where deferral cannot take the rest.
//
// Order of preference: pinned tools and built-ins, then tools of the configuration, then the rest; inside each, the
// order of sources. While deferral works, only what must stay eager is counted, the search tool with it.

import type { Candidate } from '../core/candidate.ts'
import type { RunFacts } from '../core/run-facts.ts'

/** Why deferral does not help a tool that finds no place. */
export type OverCapCause = 'deferral-off' | 'no-tool-search' | 'must-stay-eager'

export type OverCap = {
  readonly cap: number
  /** Place in the order of preference, 1-based; above the cap. */
  readonly rank: number
  /** How many tools compete for the places. */
  readonly standing: number
  readonly cause: OverCapCause
}

/** What the gate deferral makes of a tool: only MCP tools that `deferral.always` does not name can be deferred. */
export type PinnedOf = (candidate: Candidate) => boolean

/**
 * The tools that find no place, each with its rank. Empty where the target has no cap, or where all that must be
 * sent fits.
 */
export function overCap(
  candidates: readonly Candidate[],
  { target, deferral }: Pick<RunFacts, 'target' | 'deferral'>,
  isPinned: PinnedOf,
): ReadonlyMap<Candidate, OverCap> {
  const over = new Map<Candidate, OverCap>()
  const cap = target.toolsMax
  const search = candidates.filter((candidate) => candidate.role === 'tool-search')
  const tools = candidates.filter((candidate) => candidate.role !== 'tool-search')
  if (cap === undefined || tools.length <= cap) return over

  const eager = tools.filter((candidate) => candidate.protocol !== 'mcp' || isPinned(candidate))
  const staying = new Set(eager)
  const deferrable = new Set(tools.filter((candidate) => !staying.has(candidate)))
  const canDefer = search.length > 0 && deferrable.size > 0
  const defers = canDefer && deferral.mode !== 'off'
  const competing = defers ? eager : tools
  const prefers = (place: number): Candidate[] =>
    competing.filter((candidate) => placeOf(candidate, isPinned) === place)
  const ranked = [...(defers ? search : []), ...prefers(0), ...prefers(1), ...prefers(2)]
  const helps = canDefer && !defers && eager.length + search.length <= cap
  for (const [index, candidate] of ranked.entries()) {
    if (index < cap) continue
    const byDeferral = canDefer && !defers && (deferrable.has(candidate) || helps)
    const cause = byDeferral
      ? 'deferral-off'
      : deferrable.size > 0 && search.length === 0
        ? 'no-tool-search'
        : 'must-stay-eager'
    over.set(candidate, { cap, rank: index + 1, standing: ranked.length, cause })
  }
  return over
}

function placeOf(candidate: Candidate, isPinned: PinnedOf): 0 | 1 | 2 {
  if (candidate.source === 'builtin' || isPinned(candidate)) return 0
  return candidate.source === 'config' ? 1 : 2
}
