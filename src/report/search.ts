// What `tool_search` answers to a query, word for word as a model gets it, and for people why: how each hit ranked,
// and what would have been found if no gate had left it out. Nothing is promoted. Schema `toolgate.search/1`.

import type { Catalog } from '../catalog/catalog.ts'
import { catalogOf } from '../catalog/catalog.ts'
import { type FindOptions, type Found, findTools } from '../catalog/find-tools.ts'
import { catalogDocuments, decisionDocuments } from '../catalog/search/catalog-documents.ts'
import type { Explanation } from '../catalog/search/explain.ts'
import { type SearchIndex, searchIndex } from '../catalog/search/search-index.ts'
import { answerText, toolSearchAnswer } from '../catalog/tool-search.ts'
import type { Sha256 } from '../core/json.ts'
import { estimateTokens } from '../core/tokens.ts'
import type { Run } from './run.ts'
import type { CountTokens } from './tokens.ts'
import { type DecisionReport, decisionReport } from './tools-report.ts'
import type { Lang } from './words.ts'

export interface SearchReport {
  readonly schema: 'toolgate.search/1'
  readonly query: string
  readonly surface: string
  /** Hash of the catalog. */
  readonly catalog: string
  /** Tools in the catalog. 0: nothing is deferred, and the model has no `tool_search`. */
  readonly deferred: number
  /** Why the query was refused. Absent: it was not. */
  readonly fault?: { readonly code: string; readonly message: string; readonly hint: string }
  /** The text that the model reads. `''`: the query was refused, or there is nothing to search. */
  readonly text: string
  /** Tokens of that text. */
  readonly tokens: number
  /** How the query was read. */
  readonly form: 'empty' | 'select' | 'words' | 'require' | 'pattern' | 'fault'
  /** Names of the tools whose definitions are given, best first. */
  readonly found: readonly string[]
  /** Names of the tools that are named after them. */
  readonly more: readonly string[]
  /** How many match in all. */
  readonly total: number
  readonly strength?: 'exact' | 'good' | 'weak' | 'none'
  /** Why each of `found` and `more` ranked where it does; `[]` unless asked for. */
  readonly explained: readonly Explanation[]
  /** Tools that a gate left out and that would have been found; `[]` unless asked for. A model is never told of them. */
  readonly hidden: readonly DecisionReport[]
}

export interface SearchSettings {
  readonly maxResults?: number
  readonly moreResults?: number
  readonly queryChars?: number
  readonly synonyms?: readonly (readonly string[])[]
}

export interface SearchReportOptions {
  readonly lang: Lang
  readonly sha256: Sha256
  /** As configured. Absent: as `tool_search` does where nothing is. */
  readonly settings?: SearchSettings
  readonly explain?: boolean
  readonly hidden?: boolean
  readonly count?: CountTokens
  /** How the index is asked, where more than words counts. Absent: by words alone. */
  readonly find?: (index: SearchIndex, query: string, limits: FindOptions) => Promise<Found>
}

/** Answers a query from the catalog of a run. Total: a query of any form gives a report. */
export async function searchReport(run: Run, query: string, options: SearchReportOptions): Promise<SearchReport> {
  const { surface } = run
  const { settings = {}, sha256 } = options
  const catalog = catalogOf(surface, sha256)
  const synonyms = settings.synonyms ?? []
  const limits = {
    ...(settings.maxResults === undefined ? {} : { maxResults: settings.maxResults }),
    ...(settings.moreResults === undefined ? {} : { moreMax: settings.moreResults }),
    ...(settings.queryChars === undefined ? {} : { charsMax: settings.queryChars }),
  }
  const index = searchIndex(catalogDocuments(catalog.entries), { synonyms })
  const found = await (options.find ?? findTools)(index, query, limits)
  const told = toldBy(found, catalog, (name) => surface.find(name)?.outcome === 'eager')
  const names = [...told.found, ...told.more]
  const ranking = found.kind === 'ranked' ? rankingText(query, found) : query
  return {
    schema: 'toolgate.search/1',
    query,
    surface: surface.hash,
    catalog: catalog.hash,
    deferred: catalog.entries.length,
    ...told,
    tokens: options.count?.(told.text) ?? estimateTokens(told.text.length),
    explained:
      options.explain === true && found.kind === 'ranked' && found.by !== 'pattern'
        ? names.flatMap((name) => index.explain(ranking, name) ?? [])
        : [],
    hidden: options.hidden === true ? hiddenBy(run, query, options, { ...limits, synonyms }) : [],
  }
}

/** The words that rank: of a query with required words, those too. */
const rankingText = (query: string, { by }: Extract<Found, { kind: 'ranked' }>): string =>
  by === 'require' ? query.replace(/(?<=^|\s)\+{1,200}/g, '') : query

function toldBy(
  found: Found,
  catalog: Catalog,
  isEager: (name: string) => boolean,
): Pick<SearchReport, 'fault' | 'text' | 'form' | 'found' | 'more' | 'total' | 'strength'> {
  if (found.kind === 'fault') {
    const { code, message, hint } = found
    return { fault: { code, message, hint }, text: '', form: 'fault', found: [], more: [], total: 0 }
  }
  const answer = toolSearchAnswer(found, catalog, { isEager })
  return {
    text: catalog.entries.length === 0 ? '' : answerText({ answer, dropped: [] }),
    form: found.kind === 'ranked' ? found.by : found.kind,
    found: answer.found.map(({ name }) => name),
    more: answer.more.map(({ name }) => name),
    total: answer.total,
    ...(found.kind === 'ranked' ? { strength: found.strength } : {}),
  }
}

function hiddenBy(
  { surface, gates }: Run,
  query: string,
  { lang, count }: SearchReportOptions,
  { synonyms, ...limits }: { readonly synonyms: readonly (readonly string[])[] },
): readonly DecisionReport[] {
  const excluded = surface.withOutcome('excluded').filter(({ candidate }) => candidate.standIn !== true)
  const { documents, decisionOf } = decisionDocuments(excluded)
  const found = findTools(searchIndex(documents, { synonyms }), query, limits)
  return (found.kind === 'fault' ? [] : found.found).flatMap(({ name }) => {
    const decision = decisionOf.get(name)
    return decision === undefined ? [] : [decisionReport(decision, gates, { lang, count })]
  })
}
