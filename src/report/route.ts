// Which tools of the surface fit a prompt. Only what is exposed is ranked: nothing else can be called. What would
// have matched but is excluded is told apart, and only when asked. Schema `toolgate.route/1`.

import MiniSearch, { type SearchResult } from 'minisearch'
import type { Decision } from '../core/decision.ts'
import { foldName, type JsonObject } from '../core/json.ts'
import { spellings } from '../core/surface.ts'
import { isPair, termsOf } from './route-terms.ts'
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

/** Ranks the surface for a prompt: exact names first, then by score, priority, and the order of sources. */
export function route(run: Run, prompt: string, { lang, limit = 5, hidden = false, count }: RouteOptions): Route {
  const { surface, gates } = run
  const asked = prompt.slice(0, promptChars)
  const terms = [...new Set(termsOf(asked))].slice(0, termsMax)
  const most = Math.max(0, Math.floor(limit))
  const exposed = surface.decisions.filter((decision) => decision.outcome !== 'excluded')
  const told = (found: Found): RouteMatch => ({
    ...decisionReport(found.decision, gates, { lang, count }),
    ...found.match,
  })
  const matches = ranked(exposed, asked, terms)
  const excluded = hidden ? ranked(surface.withOutcome('excluded'), asked, terms) : []
  return {
    schema: 'toolgate.route/1',
    prompt: asked,
    terms,
    surface: surface.hash,
    matches: matches.slice(0, most).map(told),
    total: matches.length,
    hidden: excluded.slice(0, most).map(told),
  }
}

interface Found {
  readonly decision: Decision
  readonly match: Pick<RouteMatch, 'score' | 'exact' | 'matched'>
}

const promptChars = 4000
const termsMax = 64

function ranked(decisions: readonly Decision[], prompt: string, terms: readonly string[]): readonly Found[] {
  const index = new MiniSearch<{ id: number }>({
    fields: [...fields],
    tokenize: (text) => termsOf(text),
    processTerm: (term) => term,
  })
  index.addAll(decisions.map((decision, id) => ({ id, ...textOf(decision) })))
  // The terms are handed over as one text of whole terms; they must not be split a second time.
  const results = index.search(terms.join('\n'), {
    tokenize: (text) => text.split('\n').filter((term) => term !== ''),
    boost: { name: 4, keywords: 4, arguments: 1.2, description: 1, server: 1.5 },
    prefix: (term) => term.length >= 4 && !isPair(term),
    fuzzy: (term) => (term.length >= 5 && !isPair(term) ? 0.2 : false),
    weights: { prefix: 0.5, fuzzy: 0.3 },
  })
  const scores = new Map(results.map((result) => [result.id as number, result]))
  const named = namesIn(prompt)
  const found = decisions.flatMap((decision, id): { found: Found; id: number }[] => {
    const result = scores.get(id)
    const exact = spellings(decision).some((name) => named.has(foldName(name)))
    if (result === undefined && !exact) return []
    return [{ found: { decision, match: matchOf(result, terms, exact) }, id }]
  })
  found.sort((a, b) => better(a.found, b.found) || a.id - b.id)
  return found.map((entry) => entry.found)
}

function better(a: Found, b: Found): number {
  const priority = ({ decision }: Found): number => decision.candidate.routing?.priority ?? 0
  return Number(b.match.exact) - Number(a.match.exact) || b.match.score - a.match.score || priority(b) - priority(a)
}

function matchOf(result: SearchResult | undefined, terms: readonly string[], exact: boolean): Found['match'] {
  if (result === undefined) return { score: 0, exact, matched: [] }
  const places = new Map<string, Set<string>>()
  for (const [term, found] of Object.entries(result.match)) {
    const asked = result.queryTerms.find((word) => word === term || term.startsWith(word)) ?? term
    const word = terms.includes(asked) ? asked : term
    places.set(word, new Set([...(places.get(word) ?? []), ...found]))
  }
  return {
    score: Math.round(result.score * 100) / 100,
    exact,
    matched: [...places].map(([term, where]) => ({ term, in: fields.filter((field) => where.has(field)) })),
  }
}

/** The prompt as a whole and its blank-separated words, without the punctuation around them. */
function namesIn(prompt: string): ReadonlySet<string> {
  const words = prompt.split(/\s/).slice(0, 1000)
  return new Set([prompt, ...words, ...words.map(trimmed)].map((word) => foldName(word.slice(0, 200))))
}

function trimmed(word: string): string {
  const marks = '"\'`.,;:!?()[]{}<>“”‘’。，；：！？（）'
  let from = 0
  let to = word.length
  while (from < to && marks.includes(word[from] ?? ' ')) from++
  while (to > from && marks.includes(word[to - 1] ?? ' ')) to--
  return word.slice(from, to)
}

function textOf({ candidate, name, definition }: Decision): { readonly [field in RouteField]: string } {
  return {
    name: name === candidate.originalName ? name : `${candidate.originalName} ${candidate.declaredName ?? ''}`,
    keywords: candidate.routing?.keywords.join(' ') ?? '',
    arguments: argumentNames(definition.inputSchema),
    description: definition.description.slice(0, 4000),
    server: candidate.server ?? '',
  }
}

/** Names of the arguments; nothing where a schema is not what it should be. */
function argumentNames(schema: JsonObject | null): string {
  const properties = schema?.properties
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return ''
  return Object.keys(properties).slice(0, 100).join(' ')
}
