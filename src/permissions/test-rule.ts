// Rules tried out: what each one matches, and what is wrong with it. For `check`, for a page, and for a person who
// wants to know why a rule does not do what they meant.

import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import type { Rule } from '../core/run-facts.ts'
import { type CompiledRule, compileRules, type MatchedBy, type RuleMatcher } from './compile-rules.ts'
import { conditionFindings, faultFinding, matchesNothing } from './rule-findings.ts'
import { shadowFindings } from './rule-shadows.ts'
import { ruleTextOf } from './rule-text.ts'

/** One rule and the tools that it names. */
export interface TestedRule {
  readonly rule: Rule
  /** Identities of the candidates, in their order. Empty for a rule that cannot be read. */
  readonly matches: readonly string[]
  /** How many candidates there were. */
  readonly of: number
}

export interface RuleTests {
  /** In the order the rules were given in. */
  readonly rules: readonly TestedRule[]
  readonly findings: readonly Finding[]
}

/**
 * Tries every rule on every candidate. Findings: rules that cannot be read or allow too widely (errors), that match
 * nothing, can never count, or have conditions on arguments that no tool they name has (warnings).
 */
export function testRules(rules: readonly Rule[], candidates: readonly Candidate[]): RuleTests {
  const matchers = [
    compileRules(
      rules.filter(({ effect }) => effect !== 'allow'),
      'wide',
    ),
    compileRules(
      rules.filter(({ effect }) => effect === 'allow'),
      'exact',
    ),
  ]
  const meets = new Map<Rule, Candidate[]>(rules.map((rule) => [rule, []]))
  for (const matcher of matchers) {
    for (const candidate of candidates)
      for (const { rule } of matcher.match(candidate)) meets.get(rule)?.push(candidate)
  }
  const compiled = new Map<Rule, CompiledRule<Rule>>(
    matchers.flatMap((matcher) => matcher.rules.map((one) => [one.rule, one])),
  )
  const standIns = candidates.filter(({ standIn }) => standIn === true)
  const findings = [
    ...matchers.flatMap(({ faults }) => faults.map(({ rule, fault }) => faultFinding(rule, fault))),
    ...rules.flatMap((rule) => {
      const one = compiled.get(rule)
      const met = meets.get(rule) ?? []
      if (one === undefined) return []
      if (met.length > 0) return conditionFindings(one, met)
      // What a server that never listed anything offers is not known, so a rule for it may well match.
      return mayMeet(one, standIns) ? [] : [matchesNothing(one, candidates)]
    }),
    ...shadowFindings(rules, compiled, meets),
  ]
  return {
    rules: rules.map((rule) => ({ rule, matches: (meets.get(rule) ?? []).map(({ id }) => id), of: candidates.length })),
    findings,
  }
}

function mayMeet({ rule, parsed }: CompiledRule<Rule>, standIns: readonly Candidate[]): boolean {
  if (parsed.subject.kind !== 'name' && parsed.subject.kind !== 'tool') return false
  const matcher = compileRules([rule], rule.effect === 'allow' ? 'exact' : 'wide')
  return standIns.some((standIn) => matcher.mayMatchPart(standIn))
}

export interface RuleTest {
  readonly matches: boolean
  /** By what it met the tool. Absent when it did not. */
  readonly by?: MatchedBy
  /** Why, in one sentence, for people. */
  readonly why: { readonly en: string; readonly zh: string }
}

/** One rule on one tool: whether it names it, and why or why not. Never throws. */
export function testRule(text: string, effect: Rule['effect'], candidate: Candidate): RuleTest {
  const kind = effect === 'allow' ? 'exact' : 'wide'
  const matcher = compileRules([{ text }], kind)
  const [faulty] = matcher.faults
  if (faulty !== undefined) {
    const { message, hint } = faulty.fault
    return { matches: false, why: { en: `${message}; ${hint}`, zh: `规则无法使用：${message}；${hint}` } }
  }
  const [match] = matcher.match(candidate)
  if (match === undefined) return { matches: false, why: whyNot(text, candidate, kind, matcher) }
  const { by, parsed } = match
  const calls = parsed.conditions.length
  return {
    matches: true,
    by,
    why: {
      en: `it names the tool by its ${by}${calls > 0 ? ', for calls that meet the condition' : ''}`,
      zh: `它按${byZh[by]}匹配该工具${calls > 0 ? '，仅限满足条件的调用' : ''}`,
    },
  }
}

const byZh: { readonly [by in MatchedBy]: string } = {
  name: '名称',
  server: '服务器',
  identity: '标识',
  group: '分组',
  effect: '作用类别',
  role: '角色',
}

function whyNot(
  text: string,
  candidate: Candidate,
  kind: 'wide' | 'exact',
  matcher: RuleMatcher<{ readonly text: string }>,
): RuleTest['why'] {
  const name = printable(candidate.name, 80)
  if (candidate.standIn === true && matcher.mayMatchPart(candidate)) {
    return {
      en: 'it names some tools of this server, which has not listed any yet',
      zh: '它只匹配该服务器的部分工具，而该服务器尚未列出任何工具',
    }
  }
  if (kind === 'exact' && compileRules([{ text }], 'wide').match(candidate).length > 0) {
    const exact = printable(ruleTextOf(candidate), 160)
    return {
      en: `an allow rule is exact, byte for byte and with its server, and would have to be "${exact}"`,
      zh: `allow 规则须逐字节一致并带上服务器名，应写作 "${exact}"`,
    }
  }
  return {
    en: `it names neither "${name}" nor its server, group, role or effects`,
    zh: `它既不匹配 "${name}"，也不匹配其服务器、分组、角色或作用类别`,
  }
}
