// The arithmetic of deferral: who can be deferred, whether anything must be, and who still fits.
//
// Where not all fit, room goes first to what is never deferred (pinned tools, tools that did not come over MCP, the
// search tool), then to the others in this order, each that still fits:
//
//   1. by use, most called first
//   2. of equal use, by cost, cheapest first
//   3. of equal cost, in the order of sources
//
// One that does not fit is passed over, and the next one is tried: a dear tool does not shut out those behind it. So
// a tool is never deferred while one that is used no more and costs more stays, and more use never costs a tool its
// place.
//
// Use is compared by doublings (1, 2 to 3, 4 to 7, … calls), not call by call. A provider's cache of the prompt ends
// whenever the eager tools change; by doublings the order of two tools changes ever more seldom, and without any
// memory of what was eager before, so that equal facts give equal plans.

import type { Candidate } from '../core/candidate.ts'
import type { Standing } from '../core/gate.ts'
import type { DeferralFacts, RunFacts } from '../core/run-facts.ts'
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
  /** Calls that the agent made of it, whole; undefined where nothing is known of use at all. */
  readonly callsOf: (candidate: Candidate) => number | undefined
  /** Tokens that were left of the budget when a tool that could stay was passed over. */
  readonly leftFor: ReadonlyMap<Candidate, number>
}

/** Facts and the standing set in, the plan out. The same set in the same order gives the same plan. */
export function deferralPlan(facts: RunFacts, standing: Standing): DeferralPlan {
  const { mode, always, budgetTokens, use } = facts.deferral
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
  const calls = callsById(use)
  const callsOf = ({ id }: Candidate): number | undefined => (use === undefined ? undefined : (calls.get(id) ?? 0))
  // The search tool is eager from here on, so it takes its share first. It cannot be that all fit after all: they did
  // not fit without it.
  const { kept, leftFor } =
    because === 'budget' || because === 'cap'
      ? choice(deferrable, {
          tokens: budgetTokens - (total - sum(deferrable)) - sum(search),
          places: toolsMax - (tools.length - deferrable.length) - search.length,
          tokensOf,
          callsOf,
        })
      : nothingChosen
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
    callsOf,
    leftFor,
  }
}

const isSearch = ({ role }: Candidate): boolean => role === 'tool-search'

interface Choice {
  /** Could be deferred, and stay. */
  readonly kept: ReadonlySet<Candidate>
  readonly leftFor: ReadonlyMap<Candidate, number>
}

const nothingChosen: Choice = { kept: new Set(), leftFor: new Map() }

interface Room extends Pick<DeferralPlan, 'tokensOf' | 'callsOf'> {
  /** Less than nothing where what is never deferred takes more than there is. */
  readonly tokens: number
  readonly places: number
}

/** Those for whom there is room, taken in the order that stands at the head of this file. */
function choice(candidates: readonly Candidate[], { tokens, places, tokensOf, callsOf }: Room): Choice {
  const ranked = candidates
    .map((candidate) => ({ candidate, cost: tokensOf(candidate), use: doublings(callsOf(candidate) ?? 0) }))
    .sort((one, other) => other.use - one.use || one.cost - other.cost)
  const kept = new Set<Candidate>()
  const leftFor = new Map<Candidate, number>()
  let tokensLeft = tokens
  let placesLeft = places
  for (const { candidate, cost } of ranked) {
    if (cost > tokensLeft || placesLeft < 1) {
      leftFor.set(candidate, Math.max(0, tokensLeft))
      continue
    }
    kept.add(candidate)
    tokensLeft -= cost
    placesLeft -= 1
  }
  return { kept, leftFor }
}

/** 0 for no call, 1 for one, 2 for 2 to 3, 3 for 4 to 7, … Takes whole numbers up to `callsMax`. */
const doublings = (calls: number): number => 32 - Math.clz32(calls)

/** Beyond it counts are alike; it keeps sums exact, so that their order makes no difference. */
const callsMax = 1_000_000_000

function callsById(use: DeferralFacts['use'] = []): ReadonlyMap<string, number> {
  const calls = new Map<string, number>()
  // Facts may come out of a log that was edited, and a gate that throws leaves out every tool.
  for (const entry of use) {
    const count = Number.isFinite(entry?.calls) ? Math.floor(entry.calls) : 0
    if (count > 0) calls.set(entry.id, Math.min(callsMax, (calls.get(entry.id) ?? 0) + Math.min(callsMax, count)))
  }
  return calls
}
