// The answer of `tool_search`, as a model gets it: definitions of the best, names of some more, and in words what was
// not found. Every part is text of strangers, so each definition is one line of JSON in which nothing can open or
// close markup, and names that were asked for are repeated only escaped.

import type { JsonObject } from '../core/json.ts'
import { estimateTokens } from '../core/tokens.ts'
import type { Catalog, CatalogEntry } from './catalog.ts'
import type { Found, FoundByRank, FoundBySelect } from './find-tools.ts'
import type { DroppedPromotion, Promotion } from './promotion.ts'
import { promptText } from './prompt/prompt-text.ts'
import type { SearchDocument } from './search/search-document.ts'

export interface ToolSearchAnswer {
  /** Tools whose definitions are given, in their order. */
  readonly found: readonly CatalogEntry[]
  /** Tools that are named after them. */
  readonly more: readonly CatalogEntry[]
  /** How many match in all. */
  readonly total: number
  /** What else there is to say, one sentence each. */
  readonly notes: readonly string[]
}

export interface AnswerContext {
  /** Whether the model has a tool of this name already, with its definition and outside of the catalog. */
  readonly isEager: (name: string) => boolean
}

/** What was found, with what has to be said of it. */
export function toolSearchAnswer(
  found: Exclude<Found, { kind: 'fault' }>,
  catalog: Catalog,
  context: AnswerContext,
): ToolSearchAnswer {
  const entries = (documents: readonly SearchDocument[]): readonly CatalogEntry[] =>
    documents.flatMap(({ name }) => catalog.find(name) ?? [])
  switch (found.kind) {
    case 'empty':
      return { found: [], more: [], total: 0, notes: [nothingAsked(catalog)] }
    case 'select': {
      const own = entries(found.found)
      return { found: own, more: [], total: own.length, notes: selectNotes(found, context) }
    }
    case 'ranked':
      return { found: entries(found.found), more: entries(found.more), total: found.total, notes: rankNotes(found) }
  }
}

/** An empty query is a question for what there is: the servers, with how many tools each has. */
function nothingAsked({ entries }: Catalog): string {
  const counts = new Map<string, number>()
  for (const { server } of entries) if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1)
  const listed = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 50)
    .map(([server, tools]) => `${promptText(server, 64)} (${tools})`)
  const servers = listed.length === 0 ? '' : ` There are tools of: ${listed.join(', ')}.`
  return `The query is empty, so nothing was loaded.${servers} Name the service and the action.`
}

function selectNotes({ unknown, ambiguous }: FoundBySelect, { isEager }: AnswerContext): readonly string[] {
  const there = unknown.filter(({ asked }) => isEager(asked))
  const missing = unknown.filter(({ asked }) => !isEager(asked))
  return [
    ...(there.length === 0 ? [] : [`You have ${names(there.map(({ asked }) => asked))} already: call it.`]),
    ...missing.map(
      ({ asked, nearest }) =>
        `There is no deferred tool ${quoted(asked)}${nearest.length === 0 ? '.' : `; the nearest: ${names(nearest)}.`}`,
    ),
    ...ambiguous.map(({ asked, names: of }) => `${quoted(asked)} may be any of ${names(of)}: select one by that name.`),
  ]
}

function rankNotes({ found, total, strength, relaxed, incomplete, by }: FoundByRank): readonly string[] {
  const notes: string[] = []
  if (relaxed) notes.push('No tool has all the words that were required with "+"; these fit the words best.')
  if (incomplete) notes.push('The pattern is costly, so not every text was looked at: use plain words.')
  if (total === 0) notes.push(nothingFits)
  else if (strength === 'weak' && found.length > 0 && by !== 'pattern')
    notes.push('These match only weakly: look at the descriptions before you call one, or search with other words.')
  return notes
}

const nothingFits =
  'No deferred tool matches. Try other words (the service and the action), or a part of a name with "+".'

const quoted = (text: string): string => `"${promptText(text, 128)}"`
const names = (list: readonly string[]): string => list.map((name) => promptText(name, 128)).join(', ')

/** A definition as models are given it, on one line of JSON without a character that means something in markup. */
export const definitionLine = ({ name, definition }: CatalogEntry): string =>
  inert(JSON.stringify({ name, description: definition.description, parameters: definition.inputSchema }))

const inert = (json: string): string =>
  json.replace(meaningful, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

/** What could open a tag or an entity, ends a line somewhere, or is not seen. Inside JSON these stand in strings alone. */
const meaningful = /[<>&\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u007f-\u009f]/gu

export interface AnswerText {
  readonly answer: ToolSearchAnswer
  /** What had to give way for it. `[]`: nothing. */
  readonly dropped: readonly DroppedPromotion[]
}

/** The text that the model reads. */
export function answerText({ answer, dropped }: AnswerText): string {
  const { found, more, total } = answer
  const refused = new Set(dropped.map(({ name }) => name))
  const loaded = found.filter(({ name }) => !refused.has(name))
  const gone = dropped.filter(({ name }) => !found.some((entry) => entry.name === name))
  const unloaded = found.filter(({ name }) => refused.has(name))
  return [
    ...(loaded.length === 0
      ? []
      : [`Loaded ${loaded.length === 1 ? 'this tool' : `these ${loaded.length} tools`}; call from your next step on:`]),
    ...loaded.map(definitionLine),
    ...(unloaded.length === 0
      ? []
      : [`Not loaded, because there is no room for more at one time: ${names(unloaded.map(({ name }) => name))}.`]),
    ...(gone.length === 0
      ? []
      : [`Put away to make room; search again to use: ${names(gone.map(({ name }) => name))}.`]),
    ...(more.length === 0
      ? []
      : [
          `Further matches, by name only (load with select:NAME,NAME): ${names(more.map(({ name }) => name))}.` +
            (total > found.length + more.length ? ` ${total} match in all.` : ''),
        ]),
    ...answer.notes,
  ].join('\n')
}

/** The same as data, for programs that read structured results. */
export function answerStructure({ answer, dropped }: AnswerText): JsonObject {
  const refused = new Set(dropped.map(({ name }) => name))
  return {
    tools: answer.found
      .filter(({ name }) => !refused.has(name))
      .map(({ name, definition }) => ({
        name,
        description: definition.description,
        inputSchema: definition.inputSchema,
      })),
    more: answer.more.map(({ name }) => name),
    total: answer.total,
    notes: [...answer.notes],
  }
}

/** What an answer promotes. */
export const promotionsOf = (entries: readonly CatalogEntry[], by: Promotion['by']): readonly Promotion[] =>
  entries.map(({ name, definitionHash, definitionChars }) => ({
    name,
    definitionHash,
    by,
    tokens: estimateTokens(definitionChars),
  }))
