// When the model gets a schema, not whether. Only what came over MCP can be deferred; the model then sees the
// name and fetches the rest through tool_search. Comes last, because only here is it known who stands.
//
//   mode   nothing is deferred when                         deferred are
//   off    always                                           –
//   on     nothing can be                                   all that can be
//   auto   all definitions fit the budget, and all tools    all that can be, save the most used and
//          the target's limit of tools                      then the cheapest that still fit
//
// Nothing is deferred without a search tool that stands. Who stays in mode auto is worked out in deferral-plan.ts.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defers, defineGate, excludes, type Verdict } from '../core/gate.ts'
import { deferralPlan } from './deferral-plan.ts'
import { quoted } from './words.ts'

interface Named {
  readonly name: string
  readonly [fact: string]: string | number | undefined
}
interface Figures extends Named {
  /** Estimated tokens of this definition. */
  readonly tokens: number
  /** Estimated tokens of all definitions that stand. */
  readonly total: number
  readonly budget: number
  readonly calls?: number
}

const times = {
  en: (calls: number) => (calls === 1 ? 'once' : `${calls} times`),
  zh: (calls: number) => `${calls} 次`,
}
/** What a sentence adds of use: nothing where nothing is known. */
const called = {
  en: (calls: number | undefined) =>
    calls === undefined
      ? ''
      : calls === 0
        ? ', and it was not called so far'
        : `, and it was called ${times.en(calls)}`,
  zh: (calls: number | undefined) =>
    calls === undefined ? '' : calls === 0 ? '，且至今未被调用' : `，且被调用过 ${times.zh(calls)}`,
}

const pinIt = {
  en: (e: Named) => `list ${quoted(e.name)} under \`tool_search.always\``,
  zh: (e: Named) => `将 ${quoted(e.name)} 列入 \`tool_search.always\``,
}
const pinned = (e: Named): readonly Change[] => [
  { on: 'facts', op: 'add', path: ['deferral', 'always'], value: e.name },
]

const reasons = {
  'stands-for-a-server': abstains({
    say: { en: () => 'it stands for a server and has no schema', zh: () => '它代表服务器，没有 schema' },
  }),
  'deferral-off': abstains({
    say: {
      en: () => 'deferral is off, so every schema is given at once',
      zh: () => '延迟暴露已关闭，所有 schema 直接给出',
    },
  }),
  'not-deferrable': abstains({
    say: {
      en: () => 'only tools that came over MCP are ever deferred',
      zh: () => '只有来自 MCP 的工具才会被延迟',
    },
  }),
  'pinned-eager': admits<{ readonly as: string }>({
    say: {
      en: (e) => `it is pinned as ${quoted(e.as)}, so its schema is given at once`,
      zh: (e) => `它以 ${quoted(e.as)} 之名被固定，schema 直接给出`,
    },
  }),
  'no-search-tool': admits({
    say: {
      en: () => 'tool_search is not there on this run, so no schema could be fetched later and it is given at once',
      zh: () => '本次运行没有 tool_search，之后无法再获取 schema，因此直接给出',
    },
  }),
  'fits-budget': admits<{ readonly total: number; readonly budget: number }>({
    say: {
      en: (e) => `all definitions together take about ${e.total} tokens and fit the budget of ${e.budget}`,
      zh: (e) => `全部定义合计约 ${e.total} 个 token，在预算 ${e.budget} 之内`,
    },
  }),
  'used-enough': admits<{
    readonly calls: number
    readonly tokens: number
    readonly spent: number
    readonly budget: number
  }>({
    say: {
      en: (e) =>
        `it was called ${times.en(e.calls)}, and with its ${e.tokens} tokens it fits: ${e.spent} of ${e.budget} are spent`,
      zh: (e) =>
        `它被调用过 ${times.zh(e.calls)}，约需 ${e.tokens} 个 token，仍在预算内：共用去 ${e.spent} / ${e.budget}`,
    },
  }),
  'cheap-enough': admits<{ readonly tokens: number; readonly spent: number; readonly budget: number }>({
    say: {
      en: (e) => `with its ${e.tokens} tokens it is among the cheapest, which fit: ${e.spent} of ${e.budget} are spent`,
      zh: (e) => `它约需 ${e.tokens} 个 token，属于最省的一批，仍在预算内：共用去 ${e.spent} / ${e.budget}`,
    },
  }),
  'cap-not-met': admits<{ readonly eager: number; readonly toolsMax: number }>({
    say: {
      en: (e) => `it stays, though ${e.eager} tools are given at once and the target takes ${e.toolsMax}`,
      zh: (e) => `它被保留，但直接给出的工具有 ${e.eager} 个，而目标只接受 ${e.toolsMax} 个`,
    },
  }),
  'deferral-on': defers<Named>({
    say: {
      en: () => 'deferral is on, so the model has its name now and its schema on request',
      zh: () => '延迟暴露已开启，模型现在只有其名字，需要时再获取 schema',
    },
    hint: {
      en: (e) => `${pinIt.en(e)}, or set \`tool_search.enabled: auto\``,
      zh: (e) => `${pinIt.zh(e)}，或设置 \`tool_search.enabled: auto\``,
    },
    change: pinned,
  }),
  'over-budget': defers<Figures>({
    say: {
      en: (e) =>
        `all definitions together take about ${e.total} tokens, the budget is ${e.budget}, and this one takes ${e.tokens}${called.en(e.calls)}`,
      zh: (e) => `全部定义合计约 ${e.total} 个 token，预算为 ${e.budget}，而它需要 ${e.tokens}${called.zh(e.calls)}`,
    },
    hint: {
      en: (e) => `${pinIt.en(e)}, or raise \`tool_search.budget\` to ${e.total} tokens`,
      zh: (e) => `${pinIt.zh(e)}，或将 \`tool_search.budget\` 提高到 ${e.total} 个 token`,
    },
    change: pinned,
  }),
  'used-but-too-dear': defers<Figures & { readonly calls: number; readonly left: number }>({
    say: {
      en: (e) =>
        `it was called ${times.en(e.calls)}, but it takes ${e.tokens} tokens and ${e.left} of ${e.budget} are left for it`,
      zh: (e) =>
        `它被调用过 ${times.zh(e.calls)}，但需要 ${e.tokens} 个 token，而预算 ${e.budget} 中只剩 ${e.left} 可用`,
    },
    hint: {
      en: (e) => `${pinIt.en(e)}, or raise \`tool_search.budget\` to ${e.total} tokens`,
      zh: (e) => `${pinIt.zh(e)}，或将 \`tool_search.budget\` 提高到 ${e.total} 个 token`,
    },
    change: pinned,
  }),
  'more-than-target-takes': defers<
    Named & { readonly standing: number; readonly toolsMax: number; readonly calls?: number }
  >({
    say: {
      en: (e) => `${e.standing} tools stand and the target takes ${e.toolsMax} in one request${called.en(e.calls)}`,
      zh: (e) => `共有 ${e.standing} 个工具，而目标一次请求只接受 ${e.toolsMax} 个${called.zh(e.calls)}`,
    },
    hint: {
      en: (e) => `${pinIt.en(e)}, or leave other tools out`,
      zh: (e) => `${pinIt.zh(e)}，或排除其他工具`,
    },
    change: pinned,
  }),
  'catalog-filled': admits<{ readonly deferred: number }>({
    say: {
      en: (e) => `${e.deferred} deferred ${e.deferred === 1 ? 'tool waits' : 'tools wait'} to be fetched through it`,
      zh: (e) => `有 ${e.deferred} 个延迟的工具需要通过它获取`,
    },
  }),
  'catalog-empty': excludes<{ readonly why: 'off' | 'fits' | 'none-deferrable' }>({
    say: {
      en: (e) => `nothing is deferred, so there is nothing to search: ${emptyBecause.en[e.why]}`,
      zh: (e) => `没有延迟的工具，因此无需搜索：${emptyBecause.zh[e.why]}`,
    },
    hint: {
      en: (e) =>
        e.why === 'none-deferrable'
          ? 'add an MCP server whose tools are not all pinned'
          : 'set `tool_search.enabled: true` to defer what came over MCP',
      zh: (e) =>
        e.why === 'none-deferrable'
          ? '请添加一个其工具未全部固定的 MCP 服务器'
          : '如需延迟来自 MCP 的工具，请设置 `tool_search.enabled: true`',
    },
    change: (e) =>
      e.why === 'none-deferrable' ? [] : [{ on: 'facts', op: 'set', path: ['deferral', 'mode'], value: 'on' }],
  }),
}

const emptyBecause = {
  en: {
    off: 'deferral is off',
    fits: 'all definitions fit the budget',
    'none-deferrable': 'no tool that came over MCP could be',
  },
  zh: { off: '延迟暴露已关闭', fits: '全部定义都在预算之内', 'none-deferrable': '没有可延迟的 MCP 工具' },
} as const

export const deferral = defineGate({
  id: 'deferral',
  asks: {
    en: 'Does the model get the schema at once, or when it asks?',
    zh: '模型是直接获得其 schema，还是在需要时再获取？',
  },
  reasons,
  open: (facts, standing, because) => {
    const plan = deferralPlan(facts, standing)
    const { total, eager, spent } = plan
    const { budgetTokens: budget, origin, budgetOrigin, useOrigin } = facts.deferral
    const { toolsMax, origin: targetOrigin } = facts.target
    const byMode = { origin }
    const byBudget = { origin: budgetOrigin ?? origin }
    const byUse = { origin: useOrigin ?? byBudget.origin }
    const byTarget = { origin: targetOrigin }

    const searchTool = (): Verdict => {
      if (plan.deferred > 0) return because('catalog-filled', { deferred: plan.deferred }, byMode)
      const why = plan.because === 'off' || plan.because === 'fits' ? plan.because : 'none-deferrable'
      return because('catalog-empty', { why }, byMode)
    }
    const later = (candidate: Candidate): Verdict => {
      const name = standing.nameOf(candidate)
      if (plan.because === 'on') return because('deferral-on', { name }, byMode)
      const tokens = plan.tokensOf(candidate)
      const calls = plan.callsOf(candidate)
      const known = calls === undefined ? {} : { calls }
      const left = plan.leftFor.get(candidate) ?? 0
      const isUsed = calls !== undefined && calls > 0
      const isForPlaces = plan.because === 'cap' || (isUsed && tokens <= left)
      if (isForPlaces && toolsMax !== undefined) {
        return because('more-than-target-takes', { name, standing: plan.tools, toolsMax, ...known }, byTarget)
      }
      if (isUsed) return because('used-but-too-dear', { name, calls, tokens, left, total, budget }, byBudget)
      return because('over-budget', { name, tokens, total, budget, ...known }, byBudget)
    }
    return (candidate) => {
      if (candidate.standIn === true) return because('stands-for-a-server', {})
      if (candidate.role === 'tool-search') return searchTool()
      if (plan.isDeferred(candidate)) return later(candidate)
      const as = plan.pinnedAs.get(candidate)
      if (as !== undefined && plan.because !== 'off') return because('pinned-eager', { as }, byMode)
      if (toolsMax !== undefined && eager > toolsMax) return because('cap-not-met', { eager, toolsMax }, byTarget)
      if (plan.because === 'off') return because('deferral-off', {})
      if (!plan.isDeferrable(candidate)) return because('not-deferrable', {})
      if (plan.because === 'no-search') return because('no-search-tool', {}, byMode)
      if (plan.because === 'fits') return because('fits-budget', { total, budget }, byBudget)
      const tokens = plan.tokensOf(candidate)
      const calls = plan.callsOf(candidate) ?? 0
      if (calls > 0) return because('used-enough', { calls, tokens, spent, budget }, byUse)
      return because('cheap-enough', { tokens, spent, budget }, byBudget)
    }
  },
})
