// The part of the oracle that reads lists people write: rules, and the tools of skills.

import type { Candidate } from '../../src/core/candidate.ts'
import type { RunFacts, SkillsFacts } from '../../src/core/run-facts.ts'
import { matchesRule, spellings } from './rule-matcher.ts'
import { type Cuts, type Having, type Ids, minus, none, union } from './sets.ts'

/** What rules take away, and of which tools a person is asked. */
export function byRules({ permissions, attended }: RunFacts, having: Having): { cuts: Cuts; asked: Ids } {
  const { rules, otherwise } = permissions
  const all = having(() => true)
  const whole = (effect: string, kind: 'wide' | 'exact', only?: 'bare'): Ids =>
    having((c) => rules.some((rule) => rule.effect === effect && matchesRule(rule.text, c, kind, only) === 'whole'))
  const named = (effect: string, kind: 'wide' | 'exact'): Ids =>
    having((c) => rules.some((rule) => rule.effect === effect && matchesRule(rule.text, c, kind) !== 'none'))

  const askedByRule = whole('ask', 'wide')
  const asked = union(askedByRule, otherwise === 'ask' ? minus(all, whole('allow', 'exact')) : none)
  const needingPerson = having((c) => c.needs.includes('person'))
  const withoutAsking = minus(named('allow', 'exact'), askedByRule)
  const cuts: Cuts = [
    ['denied-by-name', whole('deny', 'wide', 'bare')],
    ['denied', whole('deny', 'wide')],
    [
      'denied-otherwise',
      otherwise === 'deny' ? minus(all, union(named('allow', 'exact'), named('ask', 'wide'))) : none,
    ],
    ['nobody-to-ask', attended.on ? none : union(needingPerson, minus(asked, withoutAsking))],
  ]
  return { cuts, asked }
}

/** What skills take away. */
export function bySkills({ list, mode, alwaysReachable }: SkillsFacts, having: Having): Cuts {
  const inUse = list.filter((skill) => skill.enabled && (skill.active || mode === 'enabled'))
  const declaring = inUse.filter((skill) => skill.malformed !== undefined || skill.allowedTools !== undefined)
  const infrastructure = having((c) => keptBy(c).some((form) => alwaysReachable.includes(form)))
  // Two juries: the operator's skills and those of the thread. Both must agree.
  return [false, true].flatMap((thread): Cuts => {
    const jury = declaring.filter((skill) => (skill.byThread === true) === thread)
    const sound = jury.filter((skill) => skill.malformed === undefined)
    const reachable = union(...sound.map((skill) => spelledIn(skill.allowedTools ?? [], having)), infrastructure)
    const asked = having((c) => c.standIn !== true)
    const lost = jury.length > 0 ? minus(asked, reachable) : none
    return [
      ['skill-list-malformed', sound.length === 0 ? lost : none],
      ['no-skill-allows', lost],
    ]
  })
}

/** A bare name keeps no tool of a server. */
const keptBy = ({ server, name, originalName }: Candidate): string[] =>
  server === undefined ? [name] : [`${server}/${originalName}`, ...(name === originalName ? [] : [name])]

/** Tools that a list names exactly. */
export const spelledIn = (list: readonly string[], having: Having): Ids =>
  having((c) => spellings(c).some((form) => list.includes(form)))

/** Tools that a list grants: named exactly, or by an exact rule. */
export const grantedBy = (list: readonly string[], having: Having): Ids =>
  union(
    spelledIn(list, having),
    having((c) => list.some((text) => matchesRule(text, c, 'exact') === 'whole')),
  )

/** Tools that a list of denials takes away whole. */
export const deniedBy = (list: readonly string[], having: Having): Ids =>
  having((c) => list.some((text) => matchesRule(text, c, 'wide') === 'whole'))
