// Which tools of the surface fit a prompt. Only what is exposed is ranked: nothing else can be called. What would
// have matched but is excluded is told apart, and only when asked. Schema `toolgate.route/1`.

import { decisionDocuments } from '../catalog/search/catalog-documents.ts'
import type { Explanation } from '../catalog/search/explain.ts'
import { weightyWords } from '../catalog/search/query-terms.ts'
import { searchIndex } from '../catalog/search/search-index.ts'
import type { SearchField } from '../catalog/search/weights.ts'
import type { Decision } from '../core/decision.ts'
import type { Run } from './run.ts'
import type { CountTokens } from './tokens.ts'
import { type DecisionReport, decisionReport } from './tools-report.ts'
import type { Lang } from './words.ts'

export interface RouteMatch extends DecisionReport {
  readonly score: number
  /** True when the prompt names the tool. */
  readonly exact: boolean
  /** Which words of the prompt matched, and where; by weight of the place. */
  readonly matched: readonly { readonly term: string; readonly in: readonly RouteField[] }[]
}

export interface Route {
  readonly schema: 'toolgate.route/1'
  readonly prompt: string
  /** Words of the prompt that carry weight. */
  readonly terms: readonly string[]
  readonly surface: string
  /** Exposed tools that match, best first. */
  readonly matches: readonly RouteMatch[]
  /** How many match in all. */
  readonly total: number
  /** Excluded tools that would have matched, with the reason; `[]` unless asked for. */
  readonly hidden: readonly RouteMatch[]
}

export interface RouteOptions {
  readonly lang: Lang
  /** Most matches, of either kind. Absent: 5. */
  readonly limit?: number
  readonly hidden?: boolean
  readonly count?: CountTokens
}

const fields = ['name', 'keywords', 'arguments', 'description', 'server'] as const
export type RouteField = (typeof fields)[number]

/** A route tells of a description as a whole, and of arguments as a whole. */
const toldAs: { readonly [field in SearchField]: RouteField } = {
  name: 'name',
  keywords: 'keywords',
  server: 'server',
  lead: 'description',
  rest: 'description',
  arguments: 'arguments',
  argumentTexts: 'arguments',
}

/** Ranks the surface for a prompt: exact names first, then by score, priority, and the order of sources. */
export function route(run: Run, prompt: string, { lang, limit = 5, hidden = false, count }: RouteOptions): Route {
  const { surface, gates } = run
  const asked = prompt.slice(0, promptChars)
  const most = Math.max(0, Math.floor(limit))
  const told = (found: Found): RouteMatch => ({
    ...decisionReport(found.decision, gates, { lang, count }),
    ...found.match,
  })
  const exposed = surface.decisions.filter((decision) => decision.outcome !== 'excluded')
  const { found, total } = ranked(exposed, asked, most)
  const excluded = hidden ? ranked(surface.withOutcome('excluded'), asked, most).found : []
  return {
    schema: 'toolgate.route/1',
    prompt: asked,
    terms: [...new Set(weightyWords(asked))],
    surface: surface.hash,
    matches: found.map(told),
    total,
    hidden: excluded.map(told),
  }
}

interface Found {
  readonly decision: Decision
  readonly match: Pick<RouteMatch, 'score' | 'exact' | 'matched'>
}

const promptChars = 4000

function ranked(
  decisions: readonly Decision[],
  prompt: string,
  limit: number,
): { readonly found: readonly Found[]; readonly total: number } {
  const { documents, decisionOf } = decisionDocuments(decisions)
  const index = searchIndex(documents)
  const { hits, total } = index.rank(prompt, limit)
  const found = hits.flatMap(({ document: { name }, score, exact }): Found[] => {
    const decision = decisionOf.get(name)
    const matched = matchedBy(index.explain(prompt, name))
    return decision === undefined ? [] : [{ decision, match: { score: Math.round(score * 100) / 100, exact, matched } }]
  })
  return { found, total }
}

const matchedBy = (explanation: Explanation | undefined): RouteMatch['matched'] =>
  (explanation?.words ?? []).flatMap(({ word, matches }) => {
    const places = new Set(matches.flatMap((match) => match.fields.map((field) => toldAs[field])))
    return places.size === 0 ? [] : [{ term: word, in: fields.filter((field) => places.has(field)) }]
  })
