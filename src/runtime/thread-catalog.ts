// The deferred tools of one thread: what it was given, and how it gets more. Whoever asks for the same thread in the
// same agent, in this process or another, sees the same promotions.
//
//   tool_search ─▶ find ─▶ promote ─┐
//   user message ─▶ routing ────────┼─▶ state of the thread (one transaction) ─▶ promoted-only, visible tools
//   new surface ──▶ reconcile ──────┘

import { budgetTokens } from '../assembly/facts-of.ts'
import type { PreparedRun } from '../assembly/run-input.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { findByMeaning } from '../catalog/embedding/find-by-meaning.ts'
import { findTools } from '../catalog/find-tools.ts'
import {
  type DroppedPromotion,
  demote,
  type Promotion,
  type PromotionChange,
  type PromotionLimits,
  type PromotionState,
  promote,
  promotedEntries,
  reconcile,
} from '../catalog/promotion.ts'
import { autoPromotions } from '../catalog/routing/auto-promotions.ts'
import type { RoutingMessage } from '../catalog/routing/latest-user-message.ts'
import { answerStructure, answerText, promotionsOf, toolSearchAnswer } from '../catalog/tool-search.ts'
import type { Config } from '../config/config.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { Surface } from '../core/surface.ts'
import { finding, ToolgateError } from '../errors.ts'
import type { StateStore, ThreadKey } from '../state/state-store.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { RunCatalog, RunCatalogs } from './run-catalogs.ts'
import type { SearchEmbedder } from './search-embedder.ts'

export interface ThreadCatalogInput {
  readonly catalogs: RunCatalogs
  /** Meaning beside words. Absent: words alone. */
  readonly embedder?: SearchEmbedder
  /** Opened when it is first asked for. Rejects with a ToolgateError when it cannot be. */
  readonly state: () => Promise<StateStore>
  readonly owner: ThreadOwner
  /** What holds at this moment. A search may end under another run than it began with. */
  readonly now: () => RunOfThread
}

/** One run of the thread: what was decided, under which configuration. */
export interface RunOfThread {
  readonly run: Pick<PreparedRun, 'surface'>
  readonly config: Config
}

/** What the model has now. */
export interface VisibleTools {
  /** Eager and promoted tools, in the order of the surface. */
  readonly tools: readonly Decision[]
  /** What was promoted and opens nothing now: the tool is not on the run, or has another definition. */
  readonly absent: readonly DroppedPromotion[]
}

export interface ThreadCatalog {
  /** Whether the thread was given the definition of this very decision. */
  readonly isPromoted: (decision: Decision) => Promise<boolean>
  readonly visible: () => Promise<VisibleTools>
  /** What is loaded and opens something now, the least recent first. */
  readonly promoted: () => Promise<readonly Promotion[]>
  /** See `CatalogAccess` of the tools. What is found in `of` is promoted under what holds when it was found. */
  readonly search: (
    request: { readonly query: unknown; readonly maxResults?: number },
    of: RunOfThread,
  ) => Promise<JsonObject>
  /** Promotes what the words of the latest user message route to. Gives what is promoted now and was not before. */
  readonly route: (messages: readonly RoutingMessage[]) => Promise<readonly Promotion[]>
  /** Promotes by exact name, for a person or a parent. Names that are not deferred are left out. */
  readonly load: (names: readonly string[]) => Promise<PromotionChange>
  readonly demote: (names: readonly string[]) => Promise<PromotionChange>
  /** A surface that holds from now on: what it changes is void for good, though nobody asks before it has passed. */
  readonly observe: (of: RunOfThread) => void
}

export function threadCatalog({ catalogs, embedder, state, owner, now }: ThreadCatalogInput): ThreadCatalog {
  const catalogOf = ({ run, config }: RunOfThread): RunCatalog => catalogs.of(run.surface, config.toolSearch)
  /** What this thread has, as far as it was seen here. */
  let seen: PromotionState | undefined
  let observed: Promise<void> = Promise.resolve()
  const changed = async (
    change: (before: PromotionState | undefined, of: RunOfThread, catalog: Catalog) => PromotionChange,
  ): Promise<PromotionChange> => {
    const { promotions } = await state()
    await observed
    let made: PromotionChange = { state: undefined, added: [], dropped: [] }
    const key = keyOf(now(), owner)
    seen = await promotions.update(key, (before) => {
      // Looked up here, inside of the one transaction: the catalog may have changed while others wrote.
      const of = now()
      made = change(before, of, catalogOf(of).catalog)
      return made.state
    })
    return made
  }
  /** The state, held against the catalog of this moment. */
  const heldState = async (): Promise<PromotionState | undefined> => {
    const { promotions } = await state()
    await observed
    const of = now()
    const stored = await promotions.read(keyOf(of, owner))
    seen = stored
    if (stored === undefined || stored.catalogHash === catalogOf(of).catalog.hash) return stored
    return (await changed((before, _, catalog) => reconcile(before, catalog))).state
  }
  const take = (wanted: readonly Promotion[]): Promise<PromotionChange> =>
    changed((before, of, catalog) => promote(before, wanted, catalog, limitsOf(of)))

  return {
    isPromoted: async ({ name, candidate }) =>
      (await heldState())?.promoted.some(
        (one) => one.name === name && one.definitionHash === candidate.definitionHash,
      ) === true,
    visible: async () => {
      const { surface } = now().run
      const held = await heldState()
      const promoted = new Set(promotedEntries(held, catalogOf(now()).catalog).map(({ name }) => name))
      return { tools: exposed(surface, promoted), absent: absentFrom(held, surface, promoted) }
    },
    promoted: async () => {
      const held = await heldState()
      const open = new Set(promotedEntries(held, catalogOf(now()).catalog).map(({ name }) => name))
      return (held?.promoted ?? []).filter(({ name }) => open.has(name))
    },
    search: async ({ query, maxResults }, of) => {
      const { catalog, index } = catalogOf(of)
      const { toolSearch } = of.config
      const words = await index()
      const meaning = await embedder?.over(words)
      const limits = {
        maxResults: maxResults ?? toolSearch.maxResults,
        moreMax: toolSearch.moreResults,
        charsMax: toolSearch.queryChars,
      }
      const found =
        meaning === undefined ? findTools(words, query, limits) : await findByMeaning(words, meaning, query, limits)
      if (found.kind === 'fault')
        throw new ToolgateError(finding(found.code, 'error', found.message, { subject: 'query', hint: found.hint }))
      const isEager = (name: string): boolean => of.run.surface.find(name)?.outcome === 'eager'
      const answer = toolSearchAnswer(found, catalog, { isEager })
      const wanted = promotionsOf(answer.found, found.kind === 'select' ? 'select' : 'search')
      const { dropped } = wanted.length === 0 ? { dropped: [] } : await take(wanted)
      const told = { answer, dropped }
      return { content: [{ type: 'text', text: answerText(told) }], structuredContent: answerStructure(told) }
    },
    route: async (messages) => {
      const of = now()
      const wanted = autoPromotions(messages, catalogOf(of).catalog, { top: of.config.toolSearch.autoPromote })
      return wanted.length === 0 ? [] : (await take(wanted)).added
    },
    load: async (names) => {
      const { catalog } = catalogOf(now())
      return take(
        promotionsOf(
          names.flatMap((name) => catalog.find(name) ?? []),
          'operator',
        ),
      )
    },
    demote: (names) => changed((before, _, catalog) => demote(before, names, catalog)),
    observe: (of) => {
      const { catalog } = catalogOf(of)
      if ((seen?.promoted.length ?? 0) === 0 || seen?.catalogHash === catalog.hash) return
      observed = observed
        .then(async () => {
          const { promotions } = await state()
          await promotions.update(keyOf(of, owner), (before) => reconcile(before, catalog).state)
        })
        // What cannot be stored now is void all the same: each promotion is held against its definition.
        .catch(() => {})
    },
  }
}

/** A child keeps its own: also one of its parent's kind, which bears the same name. */
const keyOf = ({ run }: RunOfThread, owner: ThreadOwner): ThreadKey => {
  const { agent, delegation } = run.surface.facts
  return { ...owner, agent: delegation.depth === 0 ? agent.name : `${agent.name} ${delegation.depth}` }
}

const exposed = (surface: Surface, promoted: ReadonlySet<string>): readonly Decision[] =>
  surface.decisions.filter(
    ({ outcome, name, candidate }) =>
      candidate.standIn !== true && (outcome === 'eager' || (outcome === 'deferred' && promoted.has(name))),
  )

/** A tool that is eager now is not missed, whatever was promoted of it. */
const absentFrom = (
  held: PromotionState | undefined,
  surface: Surface,
  promoted: ReadonlySet<string>,
): readonly DroppedPromotion[] =>
  (held?.promoted ?? [])
    .filter(({ name }) => !promoted.has(name) && surface.find(name)?.outcome !== 'eager')
    .map(({ name }) => ({ name, why: surface.find(name) === undefined ? 'gone' : 'changed' }))

/** What a thread may have promoted: as configured, and no more than the target takes beside the eager tools. */
function limitsOf({ run, config }: RunOfThread): PromotionLimits {
  const { promotedMax, promotedBudget } = config.toolSearch
  const { facts, totals } = run.surface
  const places = (facts.target.toolsMax ?? Number.POSITIVE_INFINITY) - totals.eager
  return {
    max: Math.max(0, Math.min(promotedMax, places)),
    ...(promotedBudget === undefined ? {} : { budgetTokens: budgetTokens(promotedBudget, facts.model.contextTokens) }),
  }
}
