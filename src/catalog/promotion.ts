// What a thread has been given of deferred tools. A promotion names a tool and the hash of its definition: it opens
// that definition and no other, whatever later bears the name.
//
//   before ──▶ kept: unless its name has another definition now ──▶ wanted that the catalog has, at the end
//                                                                      │
//   state ◀── least recent out until count and tokens fit ◀────────────┘
//
// The hash of the catalog alone would be too coarse a key: one server that flaps changes it, and every promotion of
// every other server would be gone. So an equal catalog hash means that nothing need be looked at, and another one
// means that each promotion is held against the definition that its name has now. A name that is not there opens nothing
// and waits: what comes back with the same definition is what the thread was shown.

import type { Catalog, CatalogEntry } from './catalog.ts'
import type { Promotion, PromotionState } from './promotion/promotion-state.ts'
import { promotionsMax } from './promotion/read-promotion-state.ts'

export type { Promotion, PromotionState } from './promotion/promotion-state.ts'
export { promotionsMax, readPromotionState } from './promotion/read-promotion-state.ts'

export interface PromotionLimits {
  /** Promotions of one thread and agent; never more than `promotionsMax`. */
  readonly max: number
  /** Estimated tokens of all promoted definitions together. Absent: no budget. */
  readonly budgetTokens?: number
}

/**
 * gone: the catalog has no such name; only what is wanted is dropped for that. changed: it has the name with another
 * definition. over-limit, over-budget: there was no room. demoted: somebody asked for it.
 */
export type DroppedWhy = 'gone' | 'changed' | 'over-limit' | 'over-budget' | 'demoted'

export interface DroppedPromotion {
  readonly name: string
  readonly why: DroppedWhy
}

export interface PromotionChange {
  /** `before` itself when nothing changed. Undefined: there was nothing, and there is nothing. */
  readonly state: PromotionState | undefined
  /** What is promoted now and was not before. */
  readonly added: readonly Promotion[]
  /** What was promoted or wanted, and has no promotion now. Each name once. */
  readonly dropped: readonly DroppedPromotion[]
}

/**
 * Takes in what is wanted, best first. `catalog` is the one of this moment, not the one that was searched: what a late
 * search found in an earlier catalog is taken in where the definition is still the same, and wipes nothing that is
 * newer. Of more than there is room for, the first are taken; then the least recently promoted give way. What alone
 * is over the budget is refused and pushes nothing out.
 */
export function promote(
  before: PromotionState | undefined,
  wanted: readonly Promotion[],
  catalog: Catalog,
  limits: PromotionLimits,
): PromotionChange {
  const room = roomOf(limits)
  const { kept, dropped } = held(before, catalog)
  const had = new Set(kept.keys())
  const taken = new Map<string, Promotion>()
  let tokens = 0
  for (const promotion of wanted) {
    const { name } = promotion
    if (taken.has(name)) continue
    const why = voidWhy(promotion, catalog) ?? crowdedWhy(room, taken.size + 1, tokens + tokensOf(promotion))
    if (why !== undefined) {
      dropped.push({ name, why })
      continue
    }
    taken.set(name, { ...promotion, tokens: tokensOf(promotion) })
    tokens += tokensOf(promotion)
  }
  for (const [name, promotion] of taken) {
    kept.delete(name)
    kept.set(name, promotion)
  }
  dropped.push(...squeeze(kept, room))
  return changeOf(before, kept, dropped, { catalog, had })
}

/**
 * The state held against another catalog, for each turn and each generation. What is changed is dropped for good: it has
 * to be promoted anew even when the earlier definition comes back. What is gone waits. The same catalog gives the same
 * state.
 */
export function reconcile(before: PromotionState | undefined, catalog: Catalog): PromotionChange {
  if (before === undefined || before.catalogHash === catalog.hash) return { state: before, added: [], dropped: [] }
  const { kept, dropped } = held(before, catalog)
  return changeOf(before, kept, dropped, { catalog })
}

/** Takes names out; names that are not promoted make no difference. The rest is held against the catalog. */
export function demote(
  before: PromotionState | undefined,
  names: readonly string[],
  catalog: Catalog,
): PromotionChange {
  const { kept, dropped } = held(before, catalog)
  for (const name of names) if (kept.delete(name)) dropped.push({ name, why: 'demoted' })
  return changeOf(before, kept, dropped, { catalog })
}

/**
 * What the model gets now, in the order of the catalog, so that a promotion moves nothing that was there and a prompt
 * cache keeps what stands before it. INVARIANT: name and hash both match, whatever the state says of its catalog.
 */
export function promotedEntries(state: PromotionState | undefined, catalog: Catalog): readonly CatalogEntry[] {
  if (state === undefined || state.promoted.length === 0) return []
  const hashes = new Map(state.promoted.map(({ name, definitionHash }) => [name, definitionHash]))
  return catalog.entries.filter(({ name, definitionHash }) => hashes.get(name) === definitionHash)
}

/** Why the catalog does not bear out a promotion; nothing when it does. */
function voidWhy({ name, definitionHash }: Promotion, catalog: Catalog): 'gone' | 'changed' | undefined {
  const entry = catalog.find(name)
  if (entry === undefined) return 'gone'
  return entry.definitionHash === definitionHash ? undefined : 'changed'
}

/** What the catalog does not belie, least recent first, and the rest. */
function held(before: PromotionState | undefined, catalog: Catalog) {
  const kept = new Map<string, Promotion>()
  const dropped: DroppedPromotion[] = []
  for (const promotion of before?.promoted ?? []) {
    if (voidWhy(promotion, catalog) === 'changed') dropped.push({ name: promotion.name, why: 'changed' })
    else kept.set(promotion.name, promotion)
  }
  return { kept, dropped }
}

interface Room {
  readonly max: number
  readonly tokens: number
}

/** What is no number leaves no room: a limit that cannot be read is no licence. */
function roomOf({ max, budgetTokens = Number.POSITIVE_INFINITY }: PromotionLimits): Room {
  return { max: max >= 0 ? Math.min(max, promotionsMax) : 0, tokens: budgetTokens >= 0 ? budgetTokens : 0 }
}

function crowdedWhy(room: Room, count: number, tokens: number): 'over-limit' | 'over-budget' | undefined {
  if (count > room.max) return 'over-limit'
  return tokens > room.tokens ? 'over-budget' : undefined
}

/** What is no number of tokens costs nothing, as where they are estimated. */
const tokensOf = ({ tokens }: Promotion): number =>
  tokens > 0 && tokens <= Number.MAX_SAFE_INTEGER ? Math.ceil(tokens) : 0

/** Takes out what alone is over the budget, then the least recent until the rest fits. */
function squeeze(kept: Map<string, Promotion>, room: Room): readonly DroppedPromotion[] {
  const out: DroppedPromotion[] = []
  const take = (name: string, why: DroppedWhy): void => {
    kept.delete(name)
    out.push({ name, why })
  }
  for (const [name, promotion] of kept) if (promotion.tokens > room.tokens) take(name, 'over-budget')
  let tokens = [...kept.values()].reduce((sum, promotion) => sum + promotion.tokens, 0)
  for (const [name, promotion] of kept) {
    const why = crowdedWhy(room, kept.size, tokens)
    if (why === undefined) break
    take(name, why)
    tokens -= promotion.tokens
  }
  return out
}

function changeOf(
  before: PromotionState | undefined,
  kept: ReadonlyMap<string, Promotion>,
  dropped: readonly DroppedPromotion[],
  { catalog, had = new Set(kept.keys()) }: { readonly catalog: Catalog; readonly had?: ReadonlySet<string> },
): PromotionChange {
  const promoted = [...kept.values()]
  const told = new Map<string, DroppedPromotion>()
  for (const one of dropped) if (!kept.has(one.name) && !told.has(one.name)) told.set(one.name, one)
  return {
    state: stateOf(before, promoted, catalog),
    added: promoted.filter(({ name }) => !had.has(name)),
    dropped: [...told.values()],
  }
}

function stateOf(
  before: PromotionState | undefined,
  promoted: readonly Promotion[],
  { hash }: Catalog,
): PromotionState | undefined {
  if (before === undefined && promoted.length === 0) return undefined
  if (before?.catalogHash === hash && isSame(before.promoted, promoted)) return before
  return Object.freeze({ version: 1, catalogHash: hash, promoted: Object.freeze(promoted) })
}

const isSame = (some: readonly Promotion[], others: readonly Promotion[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => sameKeys.every((key) => one[key] === others[index]?.[key]))

const sameKeys = ['name', 'definitionHash', 'by', 'tokens'] as const
