// Lists that grant tools: an agent's `tools`, a child's `allow`. Plain names are taken in every exact spelling;
// everything longer is read by the one rule language, so that a form that works in one list works in all.

import type { Candidate } from '../core/candidate.ts'
import { compileRules } from '../permissions/compile-rules.ts'
import { speller } from './exact-forms.ts'

/**
 * The words of a list in; for a candidate the word that grants it out, or undefined. A word that cannot be read,
 * that is too wide, or that has a condition on arguments grants nothing: a list of tools cannot watch calls.
 */
export function grantList(words: readonly string[]): (candidate: Candidate) => string | undefined {
  const spelledIn = speller(words)
  const matcher = compileRules(
    words.map((text) => ({ text })),
    'exact',
  )
  return (candidate) =>
    spelledIn(candidate) ?? matcher.match(candidate).find(({ parsed }) => parsed.conditions.length === 0)?.rule.text
}
