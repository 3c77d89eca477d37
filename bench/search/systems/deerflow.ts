// The search of DeerFlow 2's `tool_search`, from a description of its rules. What is no query form of its own is one
// regular expression over "name description", matched without regard to case; an invalid one is taken literally.
//
// Python compiles it there. Here it is the backtracking engine of JavaScript, so what could run for long is taken
// literally as well: a benchmark must not hang on a query of a set.

import type { SearchDocument } from '../../../src/catalog/search/search-document.ts'
import type { SearchSystem } from '../system.ts'

const hitsMax = 5
const choicesMax = 12

export const deerflow: SearchSystem = {
  id: 'deerflow',
  about: 'the whole query as one regex; name hits before description hits, then in order; at most 5',
  build(documents) {
    const tools = documents.map(({ name, description }) => ({ name, text: `${name} ${description}` }))
    return (query, limit) => searched(tools, query.trim()).slice(0, limit)
  },
}

interface Text {
  readonly name: SearchDocument['name']
  readonly text: string
}

function searched(tools: readonly Text[], query: string): readonly string[] {
  if (query === '' || query === '+') return []
  if (query.startsWith('select:')) {
    const asked = new Set(query.slice('select:'.length).split(',').map(trimmed))
    return tools.filter(({ name }) => asked.has(name)).map(({ name }) => name)
  }
  if (query.startsWith('+')) {
    const [, must = '', rest = ''] = /^\+(\S*)\s*(.*)$/s.exec(query) ?? []
    const standing = tools.filter(({ name }) => name.toLowerCase().includes(must.toLowerCase()))
    if (rest === '') return namesOf(standing)
    const pattern = patternOf(rest, 'gi')
    return ordered(standing, ({ text }) => [...text.matchAll(pattern)].length)
  }
  const pattern = patternOf(query, 'i')
  return ordered(
    tools.filter(({ text }) => pattern.test(text)),
    ({ name }) => (pattern.test(name) ? 2 : 1),
  )
}

const trimmed = (text: string): string => text.trim()
const namesOf = (tools: readonly Text[]): readonly string[] => tools.slice(0, hitsMax).map(({ name }) => name)

/** Highest first; equal ones in the order they were in. */
function ordered(tools: readonly Text[], score: (tool: Text) => number): readonly string[] {
  const scored = tools.map((tool) => ({ tool, score: score(tool) }))
  return namesOf(scored.sort((a, b) => b.score - a.score).map(({ tool }) => tool))
}

/** The query as a regular expression, else as the text that it is. */
export function patternOf(query: string, flags: string): RegExp {
  if (!mayRunLong(query)) {
    try {
      return new RegExp(query, flags)
    } catch {
      // Invalid: taken literally.
    }
  }
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags)
}

/** A repeated group, two repetitions, or many choices: what a backtracking engine can take powers of the text for. */
function mayRunLong(query: string): boolean {
  return (
    /\)[*+{]/.test(query) ||
    (query.match(/[*+{]/g)?.length ?? 0) > 1 ||
    (query.match(/[?|]/g)?.length ?? 0) > choicesMax
  )
}
