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

/**
 * The words of a list in; for a candidate the first of its spellings that stands in the list out, or undefined. The
 * longer spellings are made only where a word of the list looks like one.
 */
export function speller(words: Iterable<string>): (candidate: Candidate) => string | undefined {
  const list = new Set(words)
  const slashes = [...list].some((word) => word.includes('/'))
  const qualifies = [...list].some((word) => word.startsWith('mcp__'))
  return (candidate) => {
    const { name, originalName, id, server } = candidate
    if (list.size === 0 || candidate.standIn === true) return undefined
    if (list.has(name)) return name
    if (slashes || id.indexOf('/') < 0) {
      if (list.has(id)) return id
      const slashed = `${server}/${originalName}`
      if (server !== undefined && list.has(slashed)) return slashed
    }
    if (!qualifies || server === undefined || candidate.protocol !== 'mcp') return undefined
    const qualified = `mcp__${server}__${originalName}`
    return list.has(qualified) ? qualified : undefined
  }
}
