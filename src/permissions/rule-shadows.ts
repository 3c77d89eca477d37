// Rules that can never count: a stronger rule covers all they match, or the same rule stands there twice.

import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { originText } from '../core/origin.ts'
import type { Rule } from '../core/run-facts.ts'
import { finding } from '../errors.ts'
import type { CompiledRule } from './compile-rules.ts'
import { foldWide } from './fold-wide.ts'
import { about, shown } from './rule-findings.ts'

/** A warning for each rule that is shadowed, with the rule that shadows it. */
export function shadowFindings(
  rules: readonly Rule[],
  compiled: ReadonlyMap<Rule, CompiledRule<Rule>>,
  meets: ReadonlyMap<Rule, readonly Candidate[]>,
): Finding[] {
  const first = new Map<string, Rule>()
  const whole = rules.filter((rule) => compiled.get(rule)?.parsed.conditions.length === 0)
  const strongest = coverage(whole, meets)
  return rules.flatMap((rule) => {
    const one = compiled.get(rule)
    if (one === undefined) return []
    const key = `${rule.effect} ${rule.effect === 'allow' ? rule.text.trim() : spelling(one)}`
    const twin = first.get(key)
    if (twin !== undefined) return [shadow(rule, `says the same as ${placed(twin)}`)]
    first.set(key, rule)

    const met = meets.get(rule) ?? []
    const above = met.map((candidate) => strongest(candidate, rule, one.parsed.conditions.length > 0))
    const [over] = above
    if (over === undefined || above.includes(undefined)) return []
    return [shadow(rule, `never counts: ${placed(over)} covers all ${met.length} that it matches`)]
  })
}

const strength = { deny: 2, ask: 1, allow: 0 } as const

/** For a candidate, a rule about the whole tool that is stronger than the given one; an equal one beats conditions. */
function coverage(whole: readonly Rule[], meets: ReadonlyMap<Rule, readonly Candidate[]>) {
  const over = new Map<Candidate, Rule[]>()
  for (const rule of whole) {
    for (const candidate of meets.get(rule) ?? []) {
      const list = over.get(candidate)
      if (list === undefined) over.set(candidate, [rule])
      else list.push(rule)
    }
  }
  return (candidate: Candidate, rule: Rule, conditional: boolean): Rule | undefined =>
    over
      .get(candidate)
      ?.find((other) => strength[other.effect] > strength[rule.effect] || (conditional && other.effect === rule.effect))
}

/** How a rule reads when spelling does not matter; conditions are compared as written, since values are. */
function spelling({ rule, parsed }: CompiledRule<Rule>): string {
  const open = parsed.conditions.length > 0 ? rule.text.indexOf('(') : rule.text.length
  return `${foldWide(rule.text.slice(0, open).trim())}${rule.text.slice(open).trim()}`
}

const shadow = (rule: Rule, what: string): Finding =>
  finding('rule-shadowed', 'warning', `${rule.effect} rule ${shown(rule.text)} ${what}`, {
    ...about(rule),
    hint: 'remove one of the two',
  })

function placed(rule: Rule): string {
  const place = originText(rule.origin)
  return `${rule.effect} rule ${shown(rule.text)}${place === '' ? '' : ` (${place})`}`
}
