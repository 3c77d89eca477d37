// The exact spellings by which a list (an agent's tools, a skill's allowed-tools, pinned tools) may name a tool.
// Compared byte for byte: what opens or keeps a tool never guesses. No wildcard: a star is not a spelling.

import type { Candidate } from '../core/candidate.ts'

/**
 * All spellings of a candidate: surface name, id, `server/tool` and `mcp__server__tool`. The original name alone is
 * none of them (any server could offer a tool of that name), nor is the declared name (it is a label for people). A
 * stand-in has none, because no tool of that name exists; a list cannot mean it.
 */
export function exactForms(candidate: Candidate): readonly string[] {
  if (candidate.standIn === true) return []
  const { name, originalName, id, server } = candidate
  const forms = [name, id]
  if (server !== undefined) {
    forms.push(`${server}/${originalName}`)
    if (candidate.protocol === 'mcp') forms.push(`mcp__${server}__${originalName}`)
  }
  return forms
}

/** The first spelling of the candidate that stands in the list, or undefined. Longer spellings are made only when asked for. */
export function namedIn(list: SpelledList, candidate: Candidate): string | undefined {
  const { name, originalName, id, server } = candidate
  if (list.size === 0 || candidate.standIn === true) return undefined
  if (list.has(name)) return name
  if (list.has(id)) return id
  if (server === undefined) return undefined
  const slashed = `${server}/${originalName}`
  if (list.has(slashed)) return slashed
  const qualified = `mcp__${server}__${originalName}`
  return candidate.protocol === 'mcp' && list.has(qualified) ? qualified : undefined
}

/** A Set of words, or a Map by word. */
interface SpelledList {
  readonly size: number
  readonly has: (word: string) => boolean
}
