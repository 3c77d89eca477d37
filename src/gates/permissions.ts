// The rules of operators and users: deny beats ask beats allow, whoever wrote them and in whatever order. A rule
// on whole tools is decided here; one with conditions on arguments travels on with the tool, for each call.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes, type Verdict } from '../core/gate.ts'
import type { Json } from '../core/json.ts'
import type { Rule, RunFacts } from '../core/run-facts.ts'
import { compileRules, type RuleMatch } from '../permissions/compile-rules.ts'
import { ruleTextOf } from '../permissions/rule-text.ts'
import { type NamedBy, type RulesOfTool, rulesOf } from '../permissions/rules-of.ts'
import { listed, listedZh, quoted } from './words.ts'

type RuleEvidence = {
  /** The rule it rests on, and the scope that it was written in. */
  readonly rule: string
  readonly scope: string
  /** Other rules that name the tool, as `effect text`; the first few. */
  readonly others: readonly string[]
  readonly othersTotal: number
}

type DenyEvidence = RuleEvidence & {
  /** Every deny rule that names the whole tool; the first few. */
  readonly denies: readonly string[]
  readonly deniesTotal: number
}

/** Most rules that are told in one verdict. */
const rulesTold = 8

const by = {
  en: ({ rule, scope }: RuleEvidence) => `the rule ${quoted(rule)} of scope ${quoted(scope)}`,
  zh: ({ rule, scope }: RuleEvidence) => `作用域 ${quoted(scope)} 中的规则 ${quoted(rule)}`,
}

const removal = {
  hint: {
    en: ({ denies, deniesTotal }: DenyEvidence) =>
      deniesTotal === 1
        ? `remove or narrow the deny rule ${listed(denies)}`
        : `remove or narrow all ${deniesTotal} deny rules that name it: ${listed(denies)}`,
    zh: ({ denies, deniesTotal }: DenyEvidence) =>
      `请删除或收窄提到它的 ${deniesTotal} 条 deny 规则：${listedZh(denies)}`,
  },
  change: (_e: unknown, candidate: Candidate, facts: RunFacts) => letIn(candidate, facts),
}

export const permissions = defineGate({
  id: 'permissions',
  asks: {
    en: 'Do the rules deny the tool, allow it, or want a person to be asked?',
    zh: '规则是否拒绝该工具、允许该工具，或要求先询问人？',
  },
  reasons: {
    'no-rule-applies': abstains({
      say: { en: () => 'no rule names it', zh: () => '没有规则提到它' },
    }),
    // The name stays taken: a bare name means the tool of that name, so nobody else may offer it under it.
    'denied-by-name': excludes<DenyEvidence>({
      say: { en: (e) => `${by.en(e)} denies its name`, zh: (e) => `${by.zh(e)} 拒绝了它的名称` },
      reserves: true,
      ...removal,
    }),
    denied: excludes<DenyEvidence>({
      say: { en: (e) => `${by.en(e)} denies it`, zh: (e) => `${by.zh(e)} 拒绝了它` },
      ...removal,
    }),
    'rule-unreadable': excludes<{ readonly rule: string; readonly scope: string; readonly fault: string }>({
      say: {
        en: (e) => `the rule ${quoted(e.rule)} of scope ${quoted(e.scope)} cannot be read, so it may mean any tool`,
        zh: (e) => `作用域 ${quoted(e.scope)} 中的规则 ${quoted(e.rule)} 无法解析，因此可能指任何工具`,
      },
      hint: {
        en: (e) => `mend or remove the rule: ${e.fault}`,
        zh: (e) => `请修正或删除该规则：${e.fault}`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'denied-otherwise': excludes({
      say: {
        en: () => 'no rule names it, and `permissions.otherwise` denies what no rule names',
        zh: () => '没有规则提到它，而 `permissions.otherwise` 拒绝未被提到的工具',
      },
      hint: {
        en: (_e, candidate) => `add ${quoted(ruleTextOf(candidate))} to \`permissions.allow\``,
        zh: (_e, candidate) => `请将 ${quoted(ruleTextOf(candidate))} 加入 \`permissions.allow\``,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    'nobody-to-ask': excludes<{
      readonly wanted: 'rule' | 'otherwise' | 'tool'
      readonly rule?: string
      readonly scope?: string
    }>({
      say: {
        en: (e) => `${wants.en(e)}, and nobody is there on this run`,
        zh: (e) => `${wants.zh(e)}，而本次运行无人值守`,
      },
      hint: {
        en: (e) => `run it with a person present${e.wanted === 'tool' ? '' : ', or deny or allow the tool by a rule'}`,
        zh: (e) => `请在有人值守时运行${e.wanted === 'tool' ? '' : '，或用规则明确拒绝或允许该工具'}`,
      },
      change: (_e, candidate, facts) => letIn(candidate, facts),
    }),
    asks: admits<RuleEvidence>({
      say: {
        en: (e) => `${by.en(e)} wants a person to be asked before each call`,
        zh: (e) => `${by.zh(e)} 要求每次调用前询问人`,
      },
    }),
    'asks-otherwise': admits({
      say: {
        en: () => '`permissions.otherwise` wants a person to be asked before each call that no rule allows',
        zh: () => '`permissions.otherwise` 要求在规则未允许的每次调用前询问人',
      },
    }),
    allowed: admits<RuleEvidence>({
      say: { en: (e) => `${by.en(e)} allows it`, zh: (e) => `${by.zh(e)} 允许它` },
    }),
    'allowed-with-conditions': admits<RuleEvidence & { readonly conditions: readonly string[] }>({
      say: {
        en: (e) => `it is kept, and each call is held against ${listed(e.conditions)}`,
        zh: (e) => `予以保留，每次调用都会对照 ${listedZh(e.conditions)} 检查`,
      },
    }),
    'allowed-in-part': admits({
      say: {
        en: () => 'its tools are not known yet, and a rule may allow some of them',
        zh: () => '其工具尚未知晓，且有规则可能允许其中一部分',
      },
    }),
  },
  open: (facts, _standing, because) => {
    const { otherwise, otherwiseOrigin } = facts.permissions
    const rulesFor = rulesOf(facts.permissions.rules)
    const attended = facts.attended.on
    const nobody = { origin: facts.attended.origin }

    // A verdict rests on which rules meet the tool and how, and on whether it needs a person: on nothing else.
    const given = { person: new Map<RulesOfTool, Verdict>(), free: new Map<RulesOfTool, Verdict>() }
    return (candidate) => {
      const rules = rulesFor(candidate)
      const person = needsPerson(candidate)
      const known = person ? given.person : given.free
      let verdict = known.get(rules)
      if (verdict === undefined) {
        verdict = verdictOn(rules, person)
        known.set(rules, verdict)
      }
      return verdict
    }

    function verdictOn({ unreadable, denies, asks, allows, part }: RulesOfTool, person: boolean): Verdict {
      const [faulty] = unreadable
      if (faulty !== undefined) {
        const { rule, fault } = faulty
        return because(
          'rule-unreadable',
          { rule: rule.text, scope: rule.scope, fault: fault.message },
          { origin: rule.origin },
        )
      }
      const others = [...denies.all, ...asks.all, ...allows.all]
      const byName = denies.whole.find((match) => match.by === 'name')
      const deny = byName ?? denies.whole[0]
      if (deny !== undefined) {
        const evidence = { ...told(deny, others), ...deniesTold(denies.whole) }
        const code = byName === undefined ? 'denied' : 'denied-by-name'
        return because(code, evidence, { origin: deny.rule.origin })
      }

      const [ask] = asks.whole
      const [allow] = allows.whole
      const named = asks.all.length > 0 || allows.all.length > 0
      if (!named && otherwise === 'deny' && !part) return because('denied-otherwise', {}, { origin: otherwiseOrigin })
      if (!attended && person) return because('nobody-to-ask', { wanted: 'tool' }, nobody)
      if (ask !== undefined) {
        const { rule } = ask
        const origin = rule.origin
        if (!attended)
          return because('nobody-to-ask', { wanted: 'rule', rule: rule.text, scope: rule.scope }, { origin })
        return because('asks', told(ask, others), { origin, amends: { approval: 'ask', ...carried(denies.part) } })
      }

      const conditions = carried([...denies.part, ...asks.part, ...grants(asks.part, allows, otherwise)])
      if (otherwise === 'ask' && allow === undefined && !part) {
        // Calls that a rule allows need nobody; for their sake the tool stays.
        if (!attended && allows.part.length === 0)
          return because('nobody-to-ask', { wanted: 'otherwise' }, { origin: otherwiseOrigin })
        return because('asks-otherwise', {}, { origin: otherwiseOrigin, amends: { approval: 'ask', ...conditions } })
      }
      const first = allow ?? others[0]
      if (first === undefined) return part ? because('allowed-in-part', {}) : because('no-rule-applies', {})
      const origin = first.rule.origin
      if (conditions.conditions === undefined) return because('allowed', told(first, others), { origin })
      const texts = conditions.conditions.slice(0, rulesTold).map(({ text }) => text)
      return because(
        'allowed-with-conditions',
        { ...told(first, others), conditions: texts },
        { origin, amends: conditions },
      )
    }
  },
})

const wants = {
  en: (e: { readonly wanted: string; readonly rule?: string }) =>
    e.wanted === 'rule'
      ? `the rule ${quoted(e.rule ?? '')} wants a person to be asked`
      : e.wanted === 'tool'
        ? 'it needs a person who answers'
        : '`permissions.otherwise` wants a person to be asked',
  zh: (e: { readonly wanted: string; readonly rule?: string }) =>
    e.wanted === 'rule'
      ? `规则 ${quoted(e.rule ?? '')} 要求询问人`
      : e.wanted === 'tool'
        ? '它需要有人作答'
        : '`permissions.otherwise` 要求询问人',
}

/** Allow rules that still make a difference call by call; `judgeCall` needs them to tell what is left over. */
function grants(asks: NamedBy['part'], allows: NamedBy, otherwise: string): NamedBy['all'] {
  if (allows.whole.length === 0) return allows.part
  return otherwise === 'deny' && asks.length > 0 ? allows.whole : []
}

const carried = (matches: readonly RuleMatch<Rule>[]): { readonly conditions?: readonly Rule[] } =>
  matches.length === 0 ? {} : { conditions: matches.map(({ rule }) => rule) }

function told(first: RuleMatch<Rule>, all: readonly RuleMatch<Rule>[]): RuleEvidence {
  const others = all.filter((match) => match.rule !== first.rule)
  return {
    rule: first.rule.text,
    scope: first.rule.scope,
    others: others.slice(0, rulesTold).map(({ rule }) => `${rule.effect} ${rule.text}`),
    othersTotal: others.length,
  }
}

const deniesTold = (denies: readonly RuleMatch<Rule>[]) => ({
  denies: denies.slice(0, rulesTold).map(({ rule }) => rule.text),
  deniesTotal: denies.length,
})

const needsPerson = ({ needs, form }: Candidate): boolean => needs.includes('person') || form === 'interrupts'

/** Everything in this gate's reach that keeps the candidate out, lifted by as much as it needs. */
function letIn(candidate: Candidate, facts: RunFacts): readonly Change[] {
  const { unreadable, denies, asks, allows, part } = rulesOf(facts.permissions.rules)(candidate)
  const { otherwise } = facts.permissions
  const inTheWay = [...unreadable, ...denies.whole].map(({ rule }) => rule)
  const changes: Change[] = inTheWay.map((rule) => ({
    on: 'facts',
    op: 'remove',
    path: ['permissions', 'rules'],
    value: rule as unknown as Json,
  }))
  if (otherwise === 'deny' && asks.all.length === 0 && allows.all.length === 0 && !part)
    changes.push(grantOf(candidate))
  const asked = asks.whole.length > 0 || (otherwise === 'ask' && allows.all.length === 0 && !part)
  if (!facts.attended.on && (asked || needsPerson(candidate))) {
    changes.push({ on: 'facts', op: 'set', path: ['attended', 'on'], value: true })
  }
  return changes
}

function grantOf(candidate: Candidate): Change {
  const text = ruleTextOf(candidate)
  const rule = {
    effect: 'allow',
    text,
    scope: 'command line',
    origin: { in: 'command line', key: `--allow ${text}` },
  } as const
  const understood = compileRules([rule], 'exact').match(candidate).length > 0
  // A name that no rule can be written for (control characters, say) has only the switch for all.
  return understood
    ? { on: 'facts', op: 'add', path: ['permissions', 'rules'], value: rule }
    : { on: 'facts', op: 'set', path: ['permissions', 'otherwise'], value: 'allow' }
}
