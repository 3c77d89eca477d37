// What a search report says, in both languages.

import type { ExplainedMatch } from '../catalog/search/explain.ts'
import type { SearchField } from '../catalog/search/weights.ts'
import type { Lang } from './words.ts'

export interface SearchPhrases {
  readonly nothingDeferred: string
  /** Tokens of the answer, and tools that were searched. */
  readonly cost: (tokens: number, deferred: number) => string
  readonly why: string
  readonly hidden: string
  readonly exact: string
  readonly noMatch: string
  readonly by: { readonly [by in Exclude<ExplainedMatch['by'], 'itself'>]: string }
  readonly fields: { readonly [field in SearchField]: string }
  readonly nameCover: (share: number, factor: number) => string
  readonly diversity: (left: number) => string
  readonly clause: (clause: string) => string
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

export const searchPhrases: { readonly [lang in Lang]: SearchPhrases } = {
  en: {
    nothingDeferred:
      'nothing is deferred on this run, so the model has no tool_search; `toolgate why tool_search` says why, ' +
      '`toolgate route` ranks the whole surface',
    cost: (tokens, deferred) => `about ${tokens} tokens; ${deferred} deferred tools were searched; nothing was loaded`,
    why: 'why they rank so',
    hidden: 'would be found, but a gate left it out (the model is not told)',
    exact: 'named by the query',
    noMatch: 'not in it',
    by: { root: 'word part', synonym: 'synonym', spelling: 'spelling', compound: 'compound', stem: 'form' },
    fields: {
      name: 'name',
      keywords: 'keywords',
      server: 'server',
      lead: 'first sentence',
      rest: 'description',
      arguments: 'arguments',
      argumentTexts: 'argument texts',
    },
    nameCover: (share, factor) => `${percent(share)} of its name asked for: × ${factor.toFixed(2)}`,
    diversity: (left) => `words that better hits have too: × ${left.toFixed(2)}`,
    clause: (clause) => `best clause: ${clause}`,
  },
  zh: {
    nothingDeferred:
      '本次运行没有延迟的工具，因此模型没有 tool_search；`toolgate why tool_search` 说明原因，`toolgate route` 可对整个工具面排序',
    cost: (tokens, deferred) => `约 ${tokens} 个 token；搜索了 ${deferred} 个延迟的工具；未加载任何工具`,
    why: '排序原因',
    hidden: '本可找到，但已被闸门排除（不会告知模型）',
    exact: '查询中指名',
    noMatch: '未出现',
    by: { root: '词干部分', synonym: '同义词', spelling: '拼写', compound: '复合词', stem: '词形' },
    fields: {
      name: '名称',
      keywords: '关键词',
      server: '服务器',
      lead: '首句',
      rest: '描述',
      arguments: '参数',
      argumentTexts: '参数说明',
    },
    nameCover: (share, factor) => `名称的 ${percent(share)} 被问及：× ${factor.toFixed(2)}`,
    diversity: (left) => `更好的结果已含这些词：× ${left.toFixed(2)}`,
    clause: (clause) => `最匹配的分句：${clause}`,
  },
}
