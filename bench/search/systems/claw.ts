// The search of claw-code's ToolSearch, from a description of its scores: every word of the query that occurs in a tool's
// text adds points, wherever it stands in a word. Equal scores are in the order of names.

import type { SearchSystem } from '../system.ts'

/** ASCII letters and digits in lower case, without one last "tool". */
const canonical = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase()
    .replace(/tool$/, '')

interface Haystack {
  readonly name: string
  readonly lower: string
  readonly canonicalName: string
  readonly text: string
  readonly canonicalText: string
}

export const claw: SearchSystem = {
  id: 'claw',
  about: 'points for each word that occurs in name or description as a piece of text',
  build(documents) {
    const tools = documents.map(({ name, description }): Haystack => {
      const lower = name.toLowerCase()
      const canonicalName = canonical(name)
      return {
        name,
        lower,
        canonicalName,
        text: `${lower} ${description.toLowerCase()} ${canonicalName}`,
        canonicalText: `${canonicalName} ${description.split(/\s+/).map(canonical).join(' ')}`,
      }
    })
    return (query, limit) => {
      const trimmed = query.trim()
      if (trimmed.startsWith('select:')) return selected(tools, trimmed.slice('select:'.length)).slice(0, limit)
      return ranked(tools, trimmed.toLowerCase().split(/\s+/)).slice(0, limit)
    }
  },
}

const selected = (tools: readonly Haystack[], list: string): string[] =>
  list.split(',').flatMap((asked) => {
    const found = tools.find((tool) => tool.canonicalName === canonical(asked))
    return found === undefined ? [] : [found.name]
  })

function ranked(tools: readonly Haystack[], asked: readonly string[]): string[] {
  const must = asked.flatMap((term) => (term.startsWith('+') ? [term.slice(1)] : []))
  const terms = asked
    .map((term) => term.replace(/^\+/, ''))
    .filter((term) => term !== '')
    .map((term) => ({ term, short: canonical(term) }))
  return tools
    .filter(({ text }) => must.every((term) => text.includes(term)))
    .map((tool) => ({ tool, score: terms.reduce((sum, one) => sum + points(tool, one), 0) }))
    .filter(({ score }) => score > 0 || terms.length === 0)
    .sort((a, b) => b.score - a.score || (a.tool.lower < b.tool.lower ? -1 : 1))
    .map(({ tool }) => tool.name)
}

function points(tool: Haystack, { term, short }: { readonly term: string; readonly short: string }): number {
  let sum = 0
  if (tool.text.includes(term)) sum += 2
  if (tool.lower === term) sum += 8
  if (tool.lower.includes(term)) sum += 4
  if (tool.canonicalName === short) sum += 12
  if (tool.canonicalText.includes(short)) sum += 3
  return sum
}
