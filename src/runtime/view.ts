// A way to look at a configuration in service: its own run at each moment, or one that comes from it (of a child, with
// other skills in use). Every view makes its calls through the same sessions, state and records.

import type { PreparedRun } from '../assembly/run-input.ts'
import type { Promotion, PromotionChange } from '../catalog/promotion.ts'
import type { RoutingMessage } from '../catalog/routing/latest-user-message.ts'
import { canonicalJson } from '../core/json.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { type CallerInput, type CallerOptions, caller } from './caller.ts'
import type { Generation } from './generation.ts'
import { type ThreadCatalog, type ThreadCatalogInput, threadCatalog, type VisibleTools } from './thread-catalog.ts'
import type { CallOutcome, ToolRequest } from './tool-call.ts'

/** One thread at this moment. All but `call` reject with a ToolgateError when the stored state cannot be had. */
export interface Calls {
  /** Never rejects. */
  readonly call: (request: ToolRequest) => Promise<CallOutcome>
  /** What a model has now: eager tools, and what was promoted. To be asked before each request of the model. */
  readonly visible: () => Promise<VisibleTools>
  /** What the thread has loaded and can call now. */
  readonly promoted: () => Promise<readonly Promotion[]>
  /** To be asked when a turn begins: promotes what the words of the latest user message route to. */
  readonly route: (messages: readonly RoutingMessage[]) => Promise<readonly Promotion[]>
  /** Promotes deferred tools by exact name, as a person does. */
  readonly load: (names: readonly string[]) => Promise<PromotionChange>
  readonly demote: (names: readonly string[]) => Promise<PromotionChange>
}

export interface View {
  /** Throws a ToolgateError where what this view shows is not there any more, such as a child that an edit removed. */
  readonly current: () => Generation
  /** The calls of one thread. Throws a ToolgateError `invalid-id`. */
  readonly callsOf: (owner: ThreadOwner, options?: CallerOptions) => Promise<Calls>
  /** A view of the run that `derive` makes of each run of this one. `derive` is pure; what it throws, `current` throws. */
  readonly derived: (derive: (run: PreparedRun) => PreparedRun) => View
}

export type Derive = (generation: Generation) => Generation

export interface ViewsInput
  extends Omit<CallerInput, keyof CallerOptions | 'generation' | 'owner' | 'catalog' | 'record' | 'approvalsOf'>,
    Omit<ThreadCatalogInput, 'owner' | 'now'> {
  readonly now: () => Generation
  readonly recordOf: (owner: ThreadOwner) => NonNullable<CallerInput['record']>
  readonly approvalsOf: (owner: ThreadOwner) => NonNullable<CallerInput['approvalsOf']>
}

export interface Views {
  readonly view: View
  /** A generation that holds from now on. */
  readonly observe: (generation: Generation) => void
}

export function openViews(input: ViewsInput): Views {
  const { catalogs, embedder, state, now, recordOf, approvalsOf, ...common } = input
  /** Whoever has the calls of a thread keeps its catalog; nobody else does. */
  const followed = new Set<{ readonly catalog: WeakRef<ThreadCatalog>; readonly derive: Derive }>()
  const follow = (catalog: ThreadCatalog, derive: Derive): ThreadCatalog => {
    followed.add({ catalog: new WeakRef(catalog), derive })
    return catalog
  }
  const viewThrough = (derive: Derive): View => {
    const current = (): Generation => derive(now())
    const threads = new Map<string, WeakRef<ThreadCatalog>>()
    const catalogOf = (owner: ThreadOwner): ThreadCatalog => {
      const key = canonicalJson([owner.user, owner.thread])
      const known = threads.get(key)?.deref()
      if (known !== undefined) return known
      for (const [other, ref] of threads) if (ref.deref() === undefined) threads.delete(other)
      const made = { catalogs, state, owner, now: current, ...(embedder === undefined ? {} : { embedder }) }
      const catalog = follow(threadCatalog(made), derive)
      threads.set(key, new WeakRef(catalog))
      return catalog
    }
    return {
      current,
      callsOf: async (owner, options = {}) => {
        const catalog = catalogOf(owner)
        const own = { generation: current, owner, catalog, record: recordOf(owner), approvalsOf: approvalsOf(owner) }
        const { call } = await caller({ ...common, ...own, ...options })
        const { visible, promoted, route, load, demote } = catalog
        return { call, visible, promoted, route, load, demote }
      },
      derived: (of) =>
        viewThrough(remembered((generation) => ({ ...derive(generation), run: of(derive(generation).run) }))),
    }
  }
  return {
    view: viewThrough((generation) => generation),
    observe: (generation) => {
      for (const one of followed) {
        const catalog = one.catalog.deref()
        if (catalog === undefined) followed.delete(one)
        else quietly(() => catalog.observe(one.derive(generation)))
      }
    },
  }
}

/** Made once of each generation, so that a surface is one object as long as it holds. */
function remembered(derive: Derive): Derive {
  const made = new WeakMap<Generation, Generation>()
  return (generation) => {
    const known = made.get(generation) ?? derive(generation)
    made.set(generation, known)
    return known
  }
}

/** What a view cannot show any more changes nothing in it. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // `current` says why, to whoever asks.
  }
}
