// A child never has more than its parent: its surface is judged here against what the parent has, tool by tool
// by identity, and then against its own lists. Delegation itself ends at a depth.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes } from '../core/gate.ts'
import type { DelegationFacts, Rule, RunFacts } from '../core/run-facts.ts'
import { compileRules, type RuleMatch } from '../permissions/compile-rules.ts'
import { grantList } from './grant-list.ts'
import { listed, listedZh, quoted } from './words.ts'

/** Every limit that keeps the candidate out, lifted by as much as it needs. */
function letIn(candidate: Candidate, { delegation }: RunFacts): readonly Change[] {
  const { enabled, depth, depthMax, parent, allow } = delegation
  const changes: Change[] = []
  const change = (op: Change['op'], key: readonly string[], value?: Change['value']) =>
    changes.push({ on: 'facts', op, path: ['delegation', ...key], ...(value === undefined ? {} : { value }) })
  if (candidate.role === 'subagent') {
    if (!enabled) change('set', ['enabled'], true)
    if (depth >= depthMax) change('set', ['depthMax'], depth + 1)
  }
  if (parent !== undefined && !parent.tools.includes(candidate.id)) change('add', ['parent', 'tools'], candidate.id)
  for (const { rule } of wholeToolDenials(delegation)(candidate)) change('remove', ['deny'], rule.text)
  if (allow?.length === 0) change('unset', ['allow'])
  else if (allow !== undefined && grantList(allow)(candidate) === undefined) change('add', ['allow'], candidate.name)
  return changes
}

export const delegation = defineGate({
  id: 'delegation',
  asks: {
    en: 'If this run is a child, may it have the tool, and may it start children?',
    zh: '若本次运行是子智能体，它能否拥有该工具，能否再启动子智能体？',
  },
  reasons: {
    'no-child': abstains({
      say: { en: () => 'this run is nobody’s child', zh: () => '本次运行不是子智能体' },
    }),
    'may-delegate': admits<{ readonly depth: number; readonly depthMax: number }>({
      say: {
        en: (e) => `delegation is on, and depth ${e.depth} is below the limit of ${e.depthMax}`,
        zh: (e) => `委派已开启，当前深度 ${e.depth} 低于上限 ${e.depthMax}`,
      },
    }),
    'parent-has-it': admits<{ readonly parent: string }>({
      say: {
        en: (e) => `its parent ${quoted(e.parent)} has it`,
        zh: (e) => `其父智能体 ${quoted(e.parent)} 拥有它`,
      },
    }),
    'delegation-off': excludes({
      say: { en: () => 'delegation is off', zh: () => '委派未开启' },
      hint: { en: () => 'set `delegation.enabled: true`', zh: () => '请设置 `delegation.enabled: true`' },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'depth-reached': excludes<{ readonly depth: number; readonly depthMax: number }>({
      say: {
        en: (e) => `this run is at depth ${e.depth}, and only runs below depth ${e.depthMax} may delegate`,
        zh: (e) => `本次运行位于深度 ${e.depth}，只有深度低于 ${e.depthMax} 的运行可以委派`,
      },
      hint: {
        en: (e) => `raise the depth limit of delegation to ${e.depth + 1}, or let the parent do it`,
        zh: (e) => `请将委派的深度上限提高到 ${e.depth + 1}，或由父智能体完成`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'parent-lacks-it': excludes<{ readonly parent: string }>({
      say: {
        en: (e) => `its parent ${quoted(e.parent)} does not have it, and a child never has more`,
        zh: (e) => `其父智能体 ${quoted(e.parent)} 没有它，子智能体不能拥有更多`,
      },
      hint: {
        en: (e) => `give the tool to ${quoted(e.parent)} first; \`why\` for that agent says what keeps it out`,
        zh: (e) => `请先让 ${quoted(e.parent)} 拥有该工具，可对该智能体使用 \`why\` 查看原因`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'child-denies': excludes<{ readonly rule: string }>({
      say: {
        en: (e) => `the child's own list denies it: ${quoted(e.rule)}`,
        zh: (e) => `子智能体自己的列表拒绝了它：${quoted(e.rule)}`,
      },
      hint: {
        en: (e) => `remove ${quoted(e.rule)} from the child's deny list`,
        zh: (e) => `请从子智能体的拒绝列表中移除 ${quoted(e.rule)}`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'child-allows-nothing': excludes({
      say: {
        en: () => 'the child has an empty list of allowed tools, which means none',
        zh: () => '子智能体的允许列表为空，即不允许任何工具',
      },
      hint: {
        en: () => 'name the tools the child should have, or remove the empty list for all of its parent’s',
        zh: () => '请写明子智能体所需的工具；若想沿用父智能体的全部工具，请删除空列表',
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'child-does-not-allow': excludes<{ readonly allowed: readonly string[] }>({
      say: {
        en: (e) => `it is not among the tools the child is allowed: ${listed(e.allowed)}`,
        zh: (e) => `它不在子智能体获准的工具之中：${listedZh(e.allowed)}`,
      },
      hint: {
        en: (_e, candidate) => `add ${quoted(candidate.name)} to the child's allowed tools`,
        zh: (_e, candidate) => `将 ${quoted(candidate.name)} 加入子智能体的允许列表`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
  },
  open: (facts, _standing, because) => {
    const {
      enabled,
      depth,
      depthMax,
      parent,
      allow,
      origin,
      allowOrigin = origin,
      denyOrigin = origin,
    } = facts.delegation
    const parentHas = new Set(parent?.tools)
    const granted = grantList(allow ?? [])
    const denials = denialsOf(facts.delegation)

    return (candidate) => {
      const delegates = candidate.role === 'subagent'
      if (delegates && !enabled) return because('delegation-off', {}, { origin })
      if (delegates && depth >= depthMax) return because('depth-reached', { depth, depthMax }, { origin })
      if (parent !== undefined && !parentHas.has(candidate.id)) {
        return because('parent-lacks-it', { parent: parent.agent }, { origin })
      }
      const denied = denials(candidate)
      const [whole] = denied.filter(isWhole)
      if (whole !== undefined) return because('child-denies', { rule: whole.rule.text }, { origin: denyOrigin })
      if (allow?.length === 0) return because('child-allows-nothing', {}, { origin: allowOrigin })
      if (allow !== undefined && granted(candidate) === undefined) {
        return because('child-does-not-allow', { allowed: allow }, { origin: allowOrigin })
      }
      const extras =
        denied.length === 0 ? { origin } : { origin, amends: { conditions: denied.map(({ rule }) => rule) } }
      if (delegates) return because('may-delegate', { depth, depthMax }, extras)
      if (parent !== undefined) return because('parent-has-it', { parent: parent.agent }, extras)
      return denied.length === 0 ? because('no-child', {}) : because('no-child', {}, extras)
    }
  },
})

type Denials = (candidate: Candidate) => readonly RuleMatch<Rule>[]

/**
 * The child's deny list, read widely, its rules bound to the place they were written at. Throws when a rule
 * cannot be read: a ban that nobody understands must not be one that nobody keeps.
 */
function denialsOf({ deny, denyOrigin, origin }: DelegationFacts): Denials {
  if (deny === undefined || deny.length === 0) return () => []
  const at = denyOrigin ?? origin ?? { in: 'delegation', key: 'deny' }
  const matcher = compileRules(
    deny.map((text): Rule => ({ effect: 'deny', text, scope: 'child', origin: at })),
    'wide',
  )
  const [faulty] = matcher.faults
  if (faulty !== undefined) throw new Error(`a deny rule of the child cannot be read: ${faulty.fault.message}`)
  return matcher.match
}

const isWhole = ({ parsed }: RuleMatch<Rule>): boolean => parsed.conditions.length === 0

const wholeToolDenials =
  (facts: DelegationFacts): Denials =>
  (candidate) =>
    denialsOf(facts)(candidate).filter(isWhole)
