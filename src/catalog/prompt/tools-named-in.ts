// Which tools a text names: a system prompt or a skill that says "use create_report" orders a tool that may not be
// there, or whose schema the model does not have (C-139). One pass over the words; each is looked up once.

import type { Decision, Outcome } from '../../core/decision.ts'
import type { Surface } from '../../core/surface.ts'

export interface NamedTool {
  /** Surface name. */
  readonly name: string
  readonly outcome: Outcome
  /** As the text writes it: the surface name, or another spelling of the tool. */
  readonly as: string
  /** Where it is first written so, in characters from the beginning. */
  readonly at: number
}

/**
 * The tools that a text names, by first mention; all of them where a word means several. Whole words only: the
 * surface name before every other spelling. A word that people also use of other things, without a separator, digit or
 * inner capital (`task`, `search`), counts only as code: between backticks, or before a parenthesis.
 */
export function toolsNamedIn(text: string, surface: Surface): readonly NamedTool[] {
  const named: NamedTool[] = []
  /** Whether a word that was looked up means a tool. */
  const known = new Map<string, boolean>()
  const look = (word: string, at: number): boolean => {
    const before = known.get(word)
    if (before !== undefined) return before
    if (word.length > lengthMax || !(isIdentifier.test(word) || isCode(text, at, word.length))) return false
    const decisions = meant(word, surface)
    for (const { name, outcome } of decisions) named.push({ name, outcome, as: word, at })
    known.set(word, decisions.length > 0)
    return decisions.length > 0
  }
  for (const { 0: run, index } of text.matchAll(/[A-Za-z0-9_]+(?:[.:/-]+[A-Za-z0-9_]+)*/g)) {
    if (look(run, index) || !joined.test(run)) continue
    // `functions.read_file`, `tools/read_file`: the parts of a path may be names as well.
    for (const { 0: part, index: offset } of run.matchAll(/[A-Za-z0-9_]+(?:-+[A-Za-z0-9_]+)*/g))
      look(part, index + offset)
  }
  return named
}

/** Longer than the name of any target; what is longer is nobody's name. */
const lengthMax = 300
const isIdentifier = /[_.:/-]|\d|[a-z][A-Z]/
const joined = /[.:/]/

function isCode(text: string, at: number, length: number): boolean {
  const end = at + length
  if (text[end] === '`') return text[at - 1] === '`'
  return text[end] === '(' && !/^\(e?s\)/.test(text.slice(end, end + 4))
}

/** Stand-ins mean a server, not a tool. */
function meant(word: string, surface: Surface): readonly Decision[] {
  const tools = surface.named(word).filter(({ candidate }) => candidate.standIn !== true)
  const exact = tools.filter(({ name }) => name === word)
  return exact.length > 0 ? exact : tools
}
