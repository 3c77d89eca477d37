import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { PermissionFacts, Rule } from '../../src/core/run-facts.ts'
import { permissions } from '../../src/gates/permissions.ts'
import { judgeCall } from '../../src/permissions/conditions.ts'
import { aCandidate, aStandIn, describeGate, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'
import { type GateCase, stepOf, worldOf } from './gate-case.ts'
import { runCases } from './run-cases.ts'

const bash = aCandidate({ source: 'builtin', originalName: 'bash', role: 'shell', effects: ['execute'] })
const issue = aCandidate({ server: 'github', originalName: 'get_issue', group: 'web', effects: ['read'] })
const clarify = aCandidate({ source: 'builtin', originalName: 'ask_clarification', form: 'interrupts' })
const standIn = aStandIn('github')

/** `effect text` a line; the line number is its place in the file. */
const rules = (...texts: string[]): Rule[] =>
  texts.map((line, at) => {
    const [effect, text] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    return {
      effect: effect as Rule['effect'],
      text,
      scope: 'config',
      origin: { in: 'toolgate.yaml', key: `permissions.${effect}`, line: at + 1 },
    }
  })

const otherwiseOrigin = { in: 'toolgate.yaml', key: 'permissions.otherwise', line: 40 }
const under = (otherwise: PermissionFacts['otherwise'], ...texts: string[]): FactsOverrides => ({
  permissions: { rules: rules(...texts), otherwise, otherwiseOrigin },
})
const given = (...texts: string[]): FactsOverrides => under('allow', ...texts)
const alone: FactsOverrides = { attended: { on: false, origin: { in: 'command line', key: '--unattended' } } }

const cases: readonly GateCase[] = [
  { name: 'abstains when no rule names it', facts: given('deny other'), candidate: bash, code: 'no-rule-applies' },
  ...['bash', 'BASH', 'b*', '*', 'ba\u200bsh'].map(
    (text): GateCase => ({
      name: `hides what is denied by name: ${text}`,
      facts: given(`deny ${text}`),
      candidate: bash,
      code: 'denied-by-name',
      origin: 'toolgate.yaml:1 permissions.deny',
    }),
  ),
  ...['github/*', 'mcp__github', 'mcp__github__get_issue', 'github/get_issue', 'group:web', 'effect:read'].map(
    (text): GateCase => ({
      name: `hides what is denied otherwise: ${text}`,
      facts: given(`deny ${text}`),
      candidate: issue,
      code: 'denied',
      origin: 'toolgate.yaml:1 permissions.deny',
    }),
  ),
  ...['files__read', 'files__*', 'mcp:files/read', 'mcp__files__read'].map(
    (text): GateCase => ({
      name: `keeps no name that others may bear for a rule on one server's tool: ${text}`,
      facts: given(`deny ${text}`),
      candidate: aCandidate({ server: 'files', originalName: 'read', name: 'read' }),
      code: 'denied',
    }),
  ),
  {
    name: 'lets deny beat ask and allow',
    facts: given('allow bash', 'ask bash', 'deny role:shell'),
    candidate: bash,
    code: 'denied',
    origin: 'toolgate.yaml:3 permissions.deny',
  },
  {
    name: 'rests on the bare name when several denies match',
    facts: given('deny mcp__github__zap', 'deny zap'),
    candidate: aCandidate({ server: 'github', originalName: 'zap' }),
    code: 'denied-by-name',
    origin: 'toolgate.yaml:2 permissions.deny',
  },
  {
    name: 'lets ask beat allow',
    facts: given('allow bash', 'ask bash'),
    candidate: bash,
    code: 'asks',
    origin: 'toolgate.yaml:2 permissions.ask',
  },
  {
    name: 'admits what is allowed',
    facts: given('allow bash'),
    candidate: bash,
    code: 'allowed',
    origin: 'toolgate.yaml:1 permissions.allow',
  },
  {
    name: 'keeps a tool whose calls are denied in part',
    facts: given('deny bash(command:rm *)'),
    candidate: bash,
    code: 'allowed-with-conditions',
    origin: 'toolgate.yaml:1 permissions.deny',
  },
  {
    name: 'keeps a tool of which some calls need a person, also when nobody is there',
    facts: { ...given('ask bash(command:rm *)'), ...alone },
    candidate: bash,
    code: 'allowed-with-conditions',
  },
  { name: 'reads (*) as the whole tool', facts: given('deny bash(*)'), candidate: bash, code: 'denied-by-name' },
  {
    name: 'keeps a whole-tool deny apart from a partial one',
    facts: given('deny bash(command:rm *)', 'deny bash'),
    candidate: bash,
    code: 'denied-by-name',
    origin: 'toolgate.yaml:2 permissions.deny',
  },
  {
    name: 'denies what no rule names when told so',
    facts: under('deny', 'allow other'),
    candidate: bash,
    code: 'denied-otherwise',
    origin: 'toolgate.yaml:40 permissions.otherwise',
  },
  {
    name: 'denies what is named by denies in part only',
    facts: under('deny', 'deny bash(command:rm *)'),
    candidate: bash,
    code: 'denied-otherwise',
  },
  { name: 'keeps what an allow rule names', facts: under('deny', 'allow bash'), candidate: bash, code: 'allowed' },
  {
    name: 'keeps what an allow rule names in part',
    facts: under('deny', 'allow bash(git:*)'),
    candidate: bash,
    code: 'allowed-with-conditions',
  },
  { name: 'keeps what an ask rule names', facts: under('deny', 'ask bash'), candidate: bash, code: 'asks' },
  {
    name: 'keeps what an ask rule names in part',
    facts: under('deny', 'ask bash(git:*)'),
    candidate: bash,
    code: 'allowed-with-conditions',
  },
  {
    name: 'asks for what no rule names when told so',
    facts: under('ask'),
    candidate: bash,
    code: 'asks-otherwise',
    origin: 'toolgate.yaml:40 permissions.otherwise',
  },
  { name: 'does not ask for what is allowed', facts: under('ask', 'allow bash'), candidate: bash, code: 'allowed' },
  {
    name: 'excludes what would be asked when nobody is there (C-104)',
    facts: { ...given('ask bash'), ...alone },
    candidate: bash,
    code: 'nobody-to-ask',
    origin: 'toolgate.yaml:1 permissions.ask',
  },
  {
    name: 'excludes what no rule names when it would be asked and nobody is there',
    facts: { ...under('ask'), ...alone },
    candidate: bash,
    code: 'nobody-to-ask',
    origin: 'toolgate.yaml:40 permissions.otherwise',
  },
  {
    name: 'keeps it for the calls that a rule allows',
    facts: { ...under('ask', 'allow bash(git:*)'), ...alone },
    candidate: bash,
    code: 'asks-otherwise',
  },
  {
    name: 'excludes a question to nobody',
    facts: { ...given('allow ask_clarification'), ...alone },
    candidate: clarify,
    code: 'nobody-to-ask',
    origin: 'command line --unattended',
  },
  {
    name: 'excludes what needs a person by declaration',
    facts: { ...given(), ...alone },
    candidate: aCandidate({ needs: ['person'] }),
    code: 'nobody-to-ask',
  },
  {
    name: 'counts a deny that cannot be read against every tool',
    facts: given('deny other(', 'allow bash'),
    candidate: bash,
    code: 'rule-unreadable',
    origin: 'toolgate.yaml:1 permissions.deny',
  },
  {
    name: 'counts an ask that cannot be read against every tool',
    facts: given('ask effect:destroy'),
    candidate: bash,
    code: 'rule-unreadable',
  },
  {
    name: 'takes nothing from an allow that cannot be read',
    facts: given('allow bash('),
    candidate: bash,
    code: 'no-rule-applies',
  },
  {
    name: 'takes nothing from an allow that is too wide',
    facts: under('deny', 'allow *'),
    candidate: bash,
    code: 'denied-otherwise',
  },
  {
    name: 'leaves a server out that is denied whole',
    facts: given('deny github/*'),
    candidate: standIn,
    code: 'denied',
  },
  {
    name: 'does not leave a server out of which some tools are denied',
    facts: given('deny github/get_*'),
    candidate: standIn,
    code: 'no-rule-applies',
  },
  {
    name: 'leaves a server out that no rule names',
    facts: under('deny', 'allow other/*'),
    candidate: standIn,
    code: 'denied-otherwise',
  },
  {
    name: 'lets a server start of which some tools may be allowed',
    facts: under('deny', 'allow github/get_*'),
    candidate: standIn,
    code: 'allowed-in-part',
  },
  {
    name: 'lets a server start of which some tools need nobody',
    facts: { ...under('ask', 'allow github/get_*'), ...alone },
    candidate: standIn,
    code: 'allowed-in-part',
  },
]

runCases('permissions [G6]', permissions, cases)

const several = {
  name: '',
  facts: { ...under('deny', 'deny bash', 'deny b*', 'deny other(', 'ask bash'), ...alone },
  candidate: bash,
  code: '',
}
for (const check of describeGate(permissions, { worlds: [...cases, several].map(worldOf) })) test(check.name, check.run)

const decide = (facts: FactsOverrides, candidates: readonly Candidate[]): readonly Decision[] =>
  assemble(someFacts(facts), candidates, [permissions], { sha256 }).decisions

describe('what a verdict of permissions carries [G6]', () => {
  const said = (row: Pick<GateCase, 'facts' | 'candidate'>) => {
    const step = stepOf(permissions, { name: '', code: '', ...row })
    const reason = permissions.reasons[step.code as keyof typeof permissions.reasons]
    return {
      step,
      say: reason.say.en(step.evidence as never, row.candidate),
      hint: reason.hint?.en(step.evidence as never, row.candidate),
    }
  }

  test('names the rule, its scope and every other rule that speaks of the tool', () => {
    const { step, say, hint } = said({ facts: given('deny bash', 'deny b*', 'allow bash'), candidate: bash })
    expect(step.evidence).toEqual({
      rule: 'bash',
      scope: 'config',
      others: ['deny b*', 'allow bash'],
      othersTotal: 2,
      denies: ['bash', 'b*'],
      deniesTotal: 2,
    })
    expect(say).toBe('the rule "bash" of scope "config" denies its name')
    expect(hint).toBe('remove or narrow all 2 deny rules that name it: "bash", "b*"')
  })

  test('bounds the rules that it names', () => {
    const many = Array.from({ length: 40 }, (_, at) => `deny ${'b*'.padEnd(at + 2, '*')}`)
    const { evidence } = said({ facts: given(...many), candidate: bash }).step
    expect(evidence).toMatchObject({ deniesTotal: 40, othersTotal: 39 })
    expect([evidence.denies, evidence.others].map((list) => (list as string[]).length)).toEqual([8, 8])
  })

  test('says how to let a tool in that no rule names', () => {
    expect(said({ facts: under('deny'), candidate: issue }).hint).toBe('add "github/get_issue" to `permissions.allow`')
    expect(said({ facts: under('deny'), candidate: standIn }).hint).toBe('add "github/*" to `permissions.allow`')
  })

  test('sends conditions along in canonical order, and those that still count only', () => {
    const conditions = (facts: FactsOverrides) =>
      decide(facts, [bash]).flatMap((decision) => [
        decision.approval,
        ...decision.conditions.map(({ effect, text }) => `${effect} ${text}`),
      ])
    const [rm, push, git] = ['deny bash(rm:*)', 'ask bash(git push:*)', 'allow bash(git:*)']
    expect(conditions(given(git, push, rm))).toEqual(['free', rm, push, git])
    expect(conditions(given(git, push, rm, 'allow bash'))).toEqual(['free', rm, push])
    expect(conditions(given(git, push, rm, 'ask bash'))).toEqual(['ask', rm])
    expect(conditions(under('ask', git, push, rm))).toEqual(['ask', rm, push, git])
    expect(conditions(under('deny', git, push, rm))).toEqual(['free', rm, push, git])
    expect(conditions(under('deny', push, 'allow bash'))).toEqual(['free', push, 'allow bash'])
  })

  test.each([
    ['allow', ['allow bash(git:*)'], 'ls', 'none'],
    ['deny', ['allow bash(git:*)'], 'ls', 'deny'],
    ['deny', ['allow bash(git:*)'], 'git status', 'allow'],
    ['deny', ['ask bash(git:*)'], 'ls', 'deny'],
    ['deny', ['ask bash(git:*)', 'allow bash'], 'ls', 'allow'],
    ['deny', ['deny bash(rm:*)', 'allow bash'], 'ls', 'none'],
    ['deny', ['deny bash(rm:*)', 'ask bash'], 'ls', 'none'],
    ['ask', ['allow bash(git:*)'], 'git status', 'allow'],
    ['ask', ['allow bash(git:*)', 'deny bash(git push:*)'], 'git push', 'deny'],
  ] as const)('under otherwise %s, %j: the call %j is judged %s', (otherwise, texts, command, effect) => {
    const [decision] = decide(under(otherwise, ...texts), [bash])
    expect(decision?.outcome).toBe('eager')
    expect(judgeCall(decision?.conditions ?? [], { command }, { otherwise }).effect).toBe(effect)
  })
})
