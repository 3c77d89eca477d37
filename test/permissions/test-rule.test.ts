import { describe, expect, it } from 'vitest'
import type { Rule } from '../../src/core/run-facts.ts'
import { testRule, testRules } from '../../src/permissions/test-rule.ts'
import { aCandidate, aStandIn } from '../../src/testing/index.ts'
import { aRule } from './a-rule.ts'

const bash = aCandidate({
  source: 'builtin',
  originalName: 'bash',
  role: 'shell',
  definition: { description: '', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } },
})
const find = aCandidate({ server: 'crm', originalName: 'find', group: 'sales' })
const add = aCandidate({ server: 'crm', originalName: 'add', effects: ['write'] })
const tools = [bash, find, add]

const found = (...rules: Rule[]) =>
  testRules(rules, tools).findings.map(({ code, message, hint, origin }) => ({
    code,
    message,
    hint,
    line: origin?.line,
  }))

describe('the rule tester', () => {
  it('lists for each rule what it matches, in the order of the rules', () => {
    const { rules, findings } = testRules([aRule('deny', 'crm/*'), aRule('allow', 'bash'), aRule('deny', '(')], tools)
    expect(rules.map(({ matches, of }) => [matches, of])).toEqual([
      [['mcp:crm/find', 'mcp:crm/add'], 3],
      [['builtin:bash'], 3],
      [[], 3],
    ])
    expect(findings.map(({ code }) => code)).toEqual(['rule-syntax'])
  })

  it.each([
    ['a mistyped tool (C-075)', aRule('deny', 'fimd'), 'deny rule "fimd" matches 0 of 3 tools', 'crm/find'],
    [
      'an allow rule without its server (C-083)',
      aRule('allow', 'find'),
      'allow rule "find" matches 0 of 3 tools',
      'crm/find',
    ],
    ['a mistyped server', aRule('deny', 'crn/*'), 'deny rule "crn/*" matches 0 of 3 tools', 'did you mean "crm"'],
    ['a mistyped tool of a server', aRule('deny', 'crm/fimd'), 'deny rule "crm/fimd" matches 0 of 3 tools', 'crm/find'],
    [
      'a mistyped group',
      aRule('deny', 'group:sale'),
      'deny rule "group:sale" matches 0 of 3 tools',
      'did you mean "sales"',
    ],
    ['a server alone', aRule('deny', 'crm'), 'deny rule "crm" matches 0 of 3 tools', 'write "crm/*"'],
    [
      'an effect that nothing has',
      aRule('deny', 'effect:network'),
      'deny rule "effect:network" matches 0 of 3 tools',
      'no tool is declared so',
    ],
    [
      'a shell command (C-109)',
      aRule('ask', 'pytest'),
      'ask rule "pytest" matches 0 of 3 tools',
      'write "bash(command:pytest *)"',
    ],
    ['nothing alike', aRule('deny', 'zzzzzz'), 'deny rule "zzzzzz" matches 0 of 3 tools', 'remove the rule'],
  ])('reports %s', (_what, rule, message, hint) => {
    expect(found(rule)).toEqual([
      { code: 'rule-matches-nothing', message, hint: expect.stringContaining(hint), line: 1 },
    ])
  })

  it('does not report what a server that never listed its tools may have', () => {
    const withStandIn = (text: string) =>
      testRules([aRule('deny', text)], [...tools, aStandIn('lab')]).findings.map(({ code }) => code)
    expect(['lab/get_*', 'LAB__get', 'mcp__lab__x'].map(withStandIn)).toEqual([[], [], []])
    expect(withStandIn('labs/get_*')).toEqual(['rule-matches-nothing'])
  })

  it.each([
    [
      'allow covered by deny',
      aRule('deny', 'crm/*', 1),
      aRule('allow', 'crm/find', 2),
      'allow rule "crm/find" never counts: deny rule "crm/*" (toolgate.yaml:1 permissions.deny[0]) covers all 1 that it matches',
    ],
    [
      'ask covered by deny',
      aRule('deny', '*', 1),
      aRule('ask', 'crm/*', 2),
      'ask rule "crm/*" never counts: deny rule "*" (toolgate.yaml:1 permissions.deny[0]) covers all 2 that it matches',
    ],
    ['allow covered by ask', aRule('ask', 'find', 1), aRule('allow', 'crm/find', 2), 'covers all 1 that it matches'],
    [
      'a condition on what is denied whole',
      aRule('deny', 'bash', 1),
      aRule('deny', 'bash(command:rm *)', 2),
      'deny rule "bash(command:rm *)" never counts',
    ],
    [
      'the same rule twice',
      aRule('deny', 'crm/find', 1),
      aRule('deny', 'CRM/find', 2),
      'deny rule "CRM/find" says the same as deny rule "crm/find" (toolgate.yaml:1 permissions.deny[0])',
    ],
  ])('reports %s', (_what, one, two, message) => {
    expect(found(one, two)).toEqual([
      { code: 'rule-shadowed', message: expect.stringContaining(message), hint: 'remove one of the two', line: 2 },
    ])
  })

  it('does not report rules that count for some tool', () => {
    expect(found(aRule('deny', 'crm/find'), aRule('allow', 'crm/*'))).toEqual([])
    expect(
      found(aRule('deny', 'bash(command:rm *)'), aRule('ask', 'bash'), aRule('deny', 'bash(command:RM *)')),
    ).toEqual([])
    expect(found(aRule('deny', 'bash'), aRule('deny', 'b*'))).toEqual([])
  })

  it('reports allow rules that are too wide, with the forms that are not (C-076)', () => {
    expect(found(aRule('allow', 'mcp__*'))).toEqual([
      {
        code: 'rule-allow-too-wide',
        message:
          'allow rule "mcp__*": "mcp__*" has a wildcard that is not bound to a named server, so it allows nothing',
        hint: expect.stringContaining('mcp__server__*'),
        line: 1,
      },
    ])
  })

  it.each([
    [
      aRule('deny', 'bash(comand:rm *)'),
      'deny rule "bash(comand:rm *)" has a condition on "comand", which no tool that it names takes',
      'did you mean "command"',
    ],
    [aRule('deny', 'bash(git:push)'), 'has a condition on "git"', 'its arguments: "command"'],
    [aRule('deny', 'WebFetch(domain:x)'), 'matches 0 of 3', ''],
    [aRule('deny', 'bash(domain:evil.com)'), 'has a condition on "domain"', 'its arguments: "command"'],
  ])('reports a condition that can never hold: $text', (rule, message, hint) => {
    expect(found(rule)).toEqual([
      {
        code: expect.any(String),
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
        line: 1,
      },
    ])
  })

  it('reports a short form on a tool that has none of the arguments it is about', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const weather = aCandidate({ originalName: 'weather', definition: { description: '', inputSchema: schema } })
    expect(testRules([aRule('deny', 'weather(Rome)')], [weather]).findings).toMatchObject([
      { code: 'rule-condition-unknown-argument', hint: 'write argument:pattern; its arguments: "city"' },
    ])
  })

  it('does not guess at arguments that a schema leaves open', () => {
    const anything = aCandidate({
      originalName: 'anything',
      definition: { description: '', inputSchema: { type: 'object', properties: {}, additionalProperties: true } },
    })
    expect(testRules([aRule('deny', 'anything(x:1)')], [anything]).findings).toEqual([])
  })

  it('lets no name of a stranger into a message as it stands', () => {
    const nasty = aCandidate({ originalName: 'fi\u001b[31mnd' })
    const { findings } = testRules([aRule('deny', 'fi[31mn')], [nasty])
    expect(JSON.stringify(findings)).not.toContain('\u001b')
    expect(findings[0]?.hint).toContain('\\u001b')
  })
})

describe('one rule on one tool', () => {
  it.each([
    ['find', 'deny', true, 'it names the tool by its name'],
    ['crm/*', 'allow', true, 'it names the tool by its server'],
    ['find(x:1)', 'deny', true, 'for calls that meet the condition'],
    ['find', 'allow', false, 'would have to be "crm/find"'],
    ['CRM/find', 'allow', false, 'would have to be "crm/find"'],
    ['mcp__*', 'allow', false, 'not bound to a named server'],
    ['other', 'deny', false, 'it names neither "crm__find" nor its server'],
    ['find(', 'deny', false, 'no closing parenthesis'],
  ] as const)('%s in %s: %s', (text, effect, matches, why) => {
    const tested = testRule(text, effect, find)
    expect(tested.matches).toBe(matches)
    expect(tested.why.en).toContain(why)
    expect(tested.why.zh).toMatch(/\p{Script=Han}/u)
  })

  it('says that a server has not listed the tool yet', () => {
    expect(testRule('lab/get_*', 'deny', aStandIn('lab'))).toMatchObject({
      matches: false,
      why: { en: expect.stringContaining('has not listed any yet') },
    })
  })
})
