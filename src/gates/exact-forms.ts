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

/** The first spelling of the candidate that stands in the list, or undefined. */
export function namedIn(list: ReadonlySet<string>, candidate: Candidate): string | undefined {
  return list.size === 0 ? undefined : exactForms(candidate).find((form) => list.has(form))
}
