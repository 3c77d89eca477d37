// The arithmetic of deferral: who can be deferred, whether anything must be, and who still fits.

import type { Candidate } from '../core/candidate.ts'
import type { Standing } from '../core/gate.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { estimateTokens } from '../core/tokens.ts'
import { speller } from './exact-forms.ts'

export interface DeferralPlan {
  /** Why the deferred are deferred, or why nothing is. */
  readonly because: 'off' | 'none-deferrable' | 'no-search' | 'fits' | 'on' | 'budget' | 'cap'
  /** Of those that stand: came over MCP, and is not pinned. */
  readonly isDeferrable: (candidate: Candidate) => boolean
  readonly isDeferred: (candidate: Candidate) => boolean
  readonly deferred: number
  /** The word of the list `always` that keeps a tool eager. */
  readonly pinnedAs: ReadonlyMap<Candidate, string>
  /** Tools that stand, without tool_search. */
  readonly tools: number
  /** Their estimated tokens. */
  readonly total: number
  /** Tools whose schema is given at once, tool_search with them when it is needed. */
  readonly eager: number
  /** Their estimated tokens. */
  readonly spent: number
  readonly tokensOf: (candidate: Candidate) => number
}

/** Facts and the standing set in, the plan out. The same set in the same order gives the same plan. */
export function deferralPlan(facts: RunFacts, standing: Standing): DeferralPlan {
  const { mode, always, budgetTokens } = facts.deferral
  const toolsMax = facts.target.toolsMax ?? Number.POSITIVE_INFINITY
  const tokensOf = (candidate: Candidate): number => estimateTokens(standing.charsOf(candidate))
  const sum = (candidates: readonly Candidate[]): number =>
    candidates.reduce((tokens, candidate) => tokens + tokensOf(candidate), 0)

  const real = standing.candidates.filter((candidate) => candidate.standIn !== true)
  const search = real.filter(isSearch)
  const tools = real.filter((candidate) => !isSearch(candidate))
  const pinnedAs = new Map<Candidate, string>()
  const wanted = new Set(always)
  const spelledIn = speller(always)
  const deferrable = tools.filter((candidate) => {
    if (candidate.protocol !== 'mcp') return false
    const name = standing.nameOf(candidate)
    const as = wanted.has(name) ? name : spelledIn(candidate)
    if (as !== undefined) pinnedAs.set(candidate, as)
    return as === undefined
  })
  const total = sum(tools)

  const reason = (): DeferralPlan['because'] => {
    if (deferrable.length === 0) return 'none-deferrable'
    if (mode === 'off') return 'off'
    if (search.length === 0) return 'no-search'
    if (mode === 'on') return 'on'
    if (total > budgetTokens) return 'budget'
    return tools.length > toolsMax ? 'cap' : 'fits'
  }
  const because = reason()
  const defers = because === 'on' || because === 'budget' || because === 'cap'
  /** Could be deferred, and still fits. */
  const kept = new Set<Candidate>()
  if (because === 'budget' || because === 'cap') {
    // The search tool is eager from here on, so it takes its share first. It cannot be that all fit after all:
    // they did not fit without it.
    let tokensLeft = budgetTokens - (total - sum(deferrable)) - sum(search)
    let placesLeft = toolsMax - (tools.length - deferrable.length) - search.length
    for (const candidate of cheapestFirst(deferrable, tokensOf)) {
      tokensLeft -= tokensOf(candidate)
      placesLeft -= 1
      if (tokensLeft < 0 || placesLeft < 0) break
      kept.add(candidate)
    }
  }
  const deferred = defers ? deferrable.length - kept.size : 0
  const needed = deferred === 0 ? [] : search
  const isDeferrable = (candidate: Candidate): boolean =>
    candidate.protocol === 'mcp' &&
    candidate.standIn !== true &&
    !isSearch(candidate) &&
    (pinnedAs.size === 0 || !pinnedAs.has(candidate))
  return {
    because,
    isDeferrable,
    isDeferred: (candidate) => defers && isDeferrable(candidate) && !kept.has(candidate),
    deferred,
    pinnedAs,
    tools: tools.length,
    total,
    eager: tools.length - deferred + needed.length,
    spent: (defers ? total - sum(deferrable) + sum([...kept]) : total) + sum(needed),
    tokensOf,
  }
}

const isSearch = ({ role }: Candidate): boolean => role === 'tool-search'

/** By tokens; those of equal cost stay in the order of sources, because the sort is stable. */
const cheapestFirst = (candidates: readonly Candidate[], tokensOf: (candidate: Candidate) => number) =>
  candidates
    .map((candidate) => ({ candidate, tokens: tokensOf(candidate) }))
    .sort((one, other) => one.tokens - other.tokens)
    .map(({ candidate }) => candidate)
