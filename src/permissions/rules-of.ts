// What a list of rules says of one tool, sorted by effect and by whether it speaks of the whole tool.

import type { Candidate } from '../core/candidate.ts'
import type { Rule } from '../core/run-facts.ts'
import { compileRules, type RuleMatch, type RuleMatcher } from './compile-rules.ts'

/** Rules of one effect that name a tool, in canonical order. */
export interface NamedBy {
  /** About every call of it. */
  readonly whole: readonly RuleMatch<Rule>[]
  /** With conditions on arguments. */
  readonly part: readonly RuleMatch<Rule>[]
  readonly all: readonly RuleMatch<Rule>[]
}

export interface RulesOfTool {
  /** Deny and ask rules that cannot be read; each may mean any tool. */
  readonly unreadable: RuleMatcher<Rule>['faults']
  readonly denies: NamedBy
  readonly asks: NamedBy
  readonly allows: NamedBy
  /** For a server that never listed its tools: a rule may allow some of them, so only starting it tells. */
  readonly part: boolean
}

/**
 * Compiles the rules once (deny and ask are read widely, allow exactly) and gives the reader of candidates. Tools that
 * the same rules meet in the same way get the same object, so whoever judges by it can judge them once.
 */
export function rulesOf(rules: readonly Rule[]): (candidate: Candidate) => RulesOfTool {
  const against = compileRules(
    rules.filter(({ effect }) => effect !== 'allow'),
    'wide',
  )
  const granting = compileRules(
    rules.filter(({ effect }) => effect === 'allow'),
    'exact',
  )
  const known = new Map<string, RulesOfTool>()
  return (candidate) => {
    const matches = against.peek(candidate)
    const grants = granting.peek(candidate)
    const part = candidate.standIn === true && granting.mayMatchPart(candidate)
    const key = `${keyOf(matches)}|${keyOf(grants)}${part ? '|' : ''}`
    let found = known.get(key)
    if (found === undefined) {
      found = {
        unreadable: against.faults,
        denies: namedBy(matches, 'deny'),
        asks: namedBy(matches, 'ask'),
        allows: namedBy(grants, 'allow'),
        part,
      }
      known.set(key, found)
    }
    return found
  }
}

function keyOf(matches: readonly RuleMatch<Rule>[]): string {
  let key = ''
  for (const { mark } of matches) key += mark
  return key
}

const none: NamedBy = Object.freeze({ whole: [], part: [], all: [] })

function namedBy(matches: readonly RuleMatch<Rule>[], effect: Rule['effect']): NamedBy {
  if (!matches.some(({ rule }) => rule.effect === effect)) return none
  const all = matches.filter(({ rule }) => rule.effect === effect)
  return {
    whole: all.filter(({ parsed }) => parsed.conditions.length === 0),
    part: all.filter(({ parsed }) => parsed.conditions.length > 0),
    all,
  }
}
