// What the properties of calls share: a configuration in service without processes. Surfaces, children, promotions, the
// caller and its middlewares are the product's; what stands behind the tools only notes that it was reached.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childRun } from '../../src/assembly/derived-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import type { PromotionState } from '../../src/catalog/promotion.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { callApprovals } from '../../src/runtime/approvals/call-approvals.ts'
import type { Generation } from '../../src/runtime/generation.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../../src/runtime/middleware.ts'
import type { CallEntry } from '../../src/runtime/records/call-entry.ts'
import { runCatalogs } from '../../src/runtime/run-catalogs.ts'
import { type Calls, openViews, type View } from '../../src/runtime/view.ts'
import type { SessionPool } from '../../src/sessions/pool/pool.ts'
import type { OpenSession } from '../../src/sessions/session.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore, ThreadKey } from '../../src/state/state-store.ts'
import type { Tool, ToolCallContext } from '../../src/tools/tool.ts'
import type { World } from '../oracle/world.ts'
import { config as usualConfig } from '../sources/scripted.ts'
import { bareEntry } from '../sources/server-entry.ts'
import { decide, gates } from './harness.ts'
import type { Plan } from './run-time-plans.ts'

/** A tool was reached. */
export interface Reach {
  /** Identity of the tool, as what stands behind it knows itself. */
  readonly id: string
  readonly nonce: number
  readonly key: unknown
}

/** One thing that the store of promotions did. */
export interface StoreStep {
  readonly key: ThreadKey
  readonly before: PromotionState | undefined
  readonly after: PromotionState | undefined
  /** The run at a depth, at that moment. */
  readonly surfaceOf: (depth: number) => PreparedRun
}

/** A view of the configuration with the calls of its threads. */
export interface Seat {
  readonly depth: number
  readonly thread: string
  readonly view: View
  readonly calls: Calls
}

/** A question that was put, by the number of its call. */
export interface Asked {
  readonly agent: string
  readonly definitionHash: string
  readonly answer: ApprovalAnswer
}

export interface Stage {
  readonly seats: readonly Seat[]
  readonly now: () => Generation
  /** The surface of a world holds from now on. */
  readonly put: (world: number) => void
  readonly reached: Reach[]
  readonly recorded: CallEntry[]
  readonly stored: StoreStep[]
  /** Questions that were put for a call, and the answers. */
  readonly asked: Map<number, Asked>
  /** What the person will say to a call, by its number. Absent: nobody is there. */
  readonly answers: Map<number, ApprovalAnswer>
}

export interface StageOptions {
  /** Waits wherever the product waits for something outside of it. Absent: nowhere. */
  readonly pause?: (where: string) => Promise<unknown>
  /** True: the store gives nothing at this moment. */
  readonly isBroken?: () => boolean
  readonly promotedMax?: number
  /** True: what nobody answers now is kept, and answers for good are remembered. */
  readonly asksLater?: boolean
}

export interface Theatre {
  readonly open: (plan: Plan, options?: StageOptions) => Promise<Stage>
  readonly close: () => Promise<void>
}

/** Opened once for many stages, one after the other: each has a state of its own, and all the same empty folders. */
export async function openTheatre(): Promise<Theatre> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'toolgate-properties-'))
  let store: StateStore | undefined
  return {
    open: async (plan, options = {}) => {
      await store?.close()
      store = await openState('sqlite::memory:')
      return openStage(plan, { options, stateFolder, store })
    },
    close: async () => {
      await store?.close()
      rmSync(stateFolder, { recursive: true, force: true })
    },
  }
}

interface Ground {
  readonly options: StageOptions
  readonly stateFolder: string
  readonly store: StateStore
}

async function openStage(plan: Plan, { options, stateFolder, store }: Ground): Promise<Stage> {
  const { pause = async () => {}, isBroken = () => false, promotedMax = 128 } = options
  const reached: Reach[] = []
  const recorded: CallEntry[] = []
  const stored: StoreStep[] = []
  const answers: Stage['answers'] = new Map()
  const asked: Stage['asked'] = new Map()
  const arrives = async (id: string, args: JsonObject): Promise<void> => {
    reached.push({ id, nonce: Number(args.nonce), key: args.key })
    await pause('inside of a tool')
  }

  const servers = ['s1', 's2'].map((name) => bareEntry(name))
  const usual = usualConfig({ folder: stateFolder, mcpServers: servers })
  const limits = { ...usual.limits, callTimeoutMs: 60_000, callTotalMs: 60_000 }
  const config = { ...usual, limits, toolSearch: { ...usual.toolSearch, promotedMax } }
  const runs = plan.worlds.map((world) => runOf(world, plan.wishes, arrives))
  let number = 0
  const generationOf = (world: number): Generation => {
    number += 1
    const run = runs[world % runs.length] ?? (runs[0] as PreparedRun)
    return { number, since: '2026-01-01T00:00:00Z', because: 'a test', config, run }
  }
  let current = generationOf(0)

  const runAt =
    ({ run }: Generation) =>
    (depth: number): PreparedRun =>
      depth === 0 ? run : childRun(runAt({ ...current, run })(depth - 1), 'helper')
  const unavailable = (): void => {
    if (isBroken()) throw new Error('the store is not there')
  }
  const promotions: StateStore['promotions'] = {
    ...store.promotions,
    read: async (key) => {
      await pause('before a read')
      unavailable()
      const state = await store.promotions.read(key)
      await pause('after a read')
      return state
    },
    update: async (key, change) => {
      await pause('before an update')
      unavailable()
      let last: StoreStep | undefined
      const state = await store.promotions.update(key, (before) => {
        const after = change(before)
        last = { key, before, after, surfaceOf: runAt(current) }
        return after
      })
      if (last !== undefined) stored.push(last)
      await pause('after an update')
      return state
    },
  }
  const state = async (): Promise<StateStore> => ({ ...store, promotions })
  const pool = poolThat(arrives)
  const { view: root, observe } = openViews({
    catalogs: runCatalogs(),
    state,
    now: () => current,
    isClosed: () => false,
    pool,
    stateFolder,
    recordOf: () => (entry) => recorded.push(entry),
    approvalsOf: (owner) => (agent) => callApprovals({ state, owner, agent, tell: () => {} }),
  })
  const child = root.derived((run) => childRun(run, 'helper'))
  const views = [root, child, child.derived((run) => childRun(run, 'helper'))]
  const approving =
    (agent: string) =>
    async ({ call }: ApprovalRequest): Promise<ApprovalAnswer> => {
      await pause('a person thinks')
      const nonce = Number(call.args.nonce)
      const answer = answers.get(nonce) ?? 'later'
      const { definitionHash } = call.decision.candidate
      asked.set(nonce, { agent, definitionHash, answer })
      return answer
    }
  const seats = await Promise.all(
    ['t1', 't2'].flatMap((thread) =>
      views.map(async (view, depth): Promise<Seat> => {
        const approve = approving(depth === 0 ? 'main' : 'helper')
        const more = { approve, asksLater: options.asksLater === true, wholeResults: true }
        return { depth, thread, view, calls: await view.callsOf({ user: 'ada', thread }, more) }
      }),
    ),
  )
  return {
    seats,
    now: () => current,
    put: (world) => {
      current = generationOf(world)
      observe(current)
    },
    reached,
    recorded,
    stored,
    asked,
    answers,
  }
}

function runOf(world: World, wishes: RunFacts, arrives: (id: string, args: JsonObject) => Promise<void>): PreparedRun {
  const { facts, candidates } = world
  return {
    surface: decide(world),
    gates,
    preset: 'default',
    servers: [],
    findings: [],
    candidates,
    baseFacts: facts,
    policy: {},
    invokers: new Map(candidates.map((candidate) => [candidate.id, toolBehind(candidate, arrives)])),
    lineage: ['main'],
    extras: new Map(),
    introductions: new Map(),
    skills: [],
    startedChild: (name, { lineage, tools }, sandbox) => ({
      ...wishes,
      agent: { ...wishes.agent, name },
      target: facts.target,
      sandbox,
      delegation: {
        ...facts.delegation,
        depth: lineage.length,
        parent: { agent: lineage.at(-1) ?? '', tools },
      },
    }),
  }
}

function toolBehind(candidate: Candidate, arrives: (id: string, args: JsonObject) => Promise<void>): Tool {
  const { id, name, definition, form, needs, effects } = candidate
  const execute = async (args: JsonObject, { catalog }: ToolCallContext) => {
    await arrives(id, args)
    return catalog === undefined ? 'done' : catalog.search({ query: args.query })
  }
  return { name, ...definition, form, needs, effects, execute }
}

function poolThat(arrives: (id: string, args: JsonObject) => Promise<void>): SessionPool {
  const use: SessionPool['use'] = (server, _owner, work) => {
    const call: OpenSession['call'] = async (originalName, args) => {
      await arrives(`mcp:${server.name}/${originalName}`, args)
      return { content: [] }
    }
    return work({ call } as OpenSession)
  }
  return { use } as SessionPool
}
