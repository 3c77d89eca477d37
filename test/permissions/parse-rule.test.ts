import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeRuleText } from '../../src/permissions/escapes.ts'
import { anyRun, oneChar } from '../../src/permissions/glob.ts'
import { isFault, parseRule, ruleCharsMax } from '../../src/permissions/parse-rule.ts'

const star = anyRun

describe('the rule language [G6]', () => {
  it.each([
    ['read_file', { kind: 'name', pattern: 'read_file' }],
    ['  read_file ', { kind: 'name', pattern: 'read_file' }],
    ['get_*', { kind: 'name', pattern: `get_${star}` }],
    ['get_?', { kind: 'name', pattern: `get_${oneChar}` }],
    ['*', { kind: 'name', pattern: star }],
    ['mcp__*', { kind: 'name', pattern: `mcp__${star}` }],
    ['mcp__a__b__c', { kind: 'name', pattern: 'mcp__a__b__c' }],
    ['github/*', { kind: 'tool', server: 'github', pattern: star }],
    ['github/admin/list', { kind: 'tool', server: 'github', pattern: 'admin/list' }],
    ['admin\\/list', { kind: 'name', pattern: 'admin/list' }],
    ['a\\*b', { kind: 'name', pattern: 'a*b' }],
    ['mcp:files/read_file', { kind: 'name', pattern: 'mcp:files/read_file' }],
    ['ns:tool', { kind: 'name', pattern: 'ns:tool' }],
    ['group:file:read', { kind: 'group', pattern: 'file:read' }],
    ['Group: web', { kind: 'group', pattern: 'web' }],
    ['effect:Write', { kind: 'effect', effect: 'write' }],
    ['role:shell', { kind: 'role', role: 'shell' }],
    ['toString', { kind: 'name', pattern: 'toString' }],
    ['__proto__', { kind: 'name', pattern: '__proto__' }],
  ])('reads %s', (text, subject) => {
    expect(parseRule(text)).toEqual({ text: text.trim(), subject, conditions: [] })
  })

  it.each([
    ['bash()', []],
    ['bash(*)', []],
    ['bash( * )', []],
    ['bash(command:git push*)', [{ argument: 'command', pattern: `git push${star}`, prefix: false }]],
    ['bash (command: git push)', [{ argument: 'command', pattern: 'git push', prefix: false }]],
    ['Bash(git:*)', [{ pattern: 'git', prefix: true }]],
    ['Bash(npm run test:*)', [{ pattern: 'npm run test', prefix: true }]],
    ['Bash(command:*)', [{ argument: 'command', pattern: star, prefix: false }]],
    ['Bash(git *)', [{ pattern: `git ${star}`, prefix: false }]],
    ['Bash(echo $(date) (x))', [{ pattern: 'echo $(date) (x)', prefix: false }]],
    ['Read(./secrets/**)', [{ pattern: `./secrets/${star}${star}`, prefix: false }]],
    ['fetch(https://evil.com/*)', [{ pattern: `https://evil.com/${star}`, prefix: false }]],
    ['read(C:\\dir)', [{ pattern: 'C:\\dir', prefix: false }]],
    [
      'w(path:/a/**,mode:x\\,y)',
      [
        { argument: 'path', pattern: `/a/${star}${star}`, prefix: false },
        { argument: 'mode', pattern: 'x,y', prefix: false },
      ],
    ],
    ['WebFetch(domain:evil.com)', [{ argument: 'domain', pattern: 'evil.com', prefix: false }]],
  ])('reads the condition of %s', (text, conditions) => {
    expect(parseRule(text)).toMatchObject({ conditions })
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['(x)', 'no tool is named'],
    ['bash(git', 'no closing parenthesis'],
    ['bash(git) x', 'no closing parenthesis'],
    ['bash(git\\)', 'no closing parenthesis'],
    ['bash)', 'closed that was never opened'],
    ['/tool', 'one of them is missing'],
    ['server/', 'one of them is missing'],
    ['group:', 'no group is named'],
    ['effect:destroy', 'no effect'],
    ['role:king', 'no role'],
    ['effects:read', 'no kind of rule'],
    ['server:github', 'no kind of rule'],
    ['bash(command:)', 'no pattern'],
    ['bash(command:a,b)', 'not of the form argument:pattern'],
    ['a\u0000b', 'control characters'],
    ['a\nb', 'control characters'],
    ['x'.repeat(ruleCharsMax + 1), `more than ${ruleCharsMax} characters`],
  ])('says what is wrong with %j and what to do', (text, message) => {
    const parsed = parseRule(text)
    if (!isFault(parsed)) throw new Error('it was read')
    expect(parsed.code).toBe('rule-syntax')
    expect(parsed.message).toContain(message)
    expect(parsed.hint).not.toBe('')
    expect(`${parsed.message}${parsed.hint}`).not.toMatch(/\p{Cc}/u)
  })

  it('offers the known word for a mistyped one', () => {
    expect(parseRule('gruop:web')).toMatchObject({ hint: 'write group:…, or \\: for a colon that belongs to a name' })
  })

  it.each([[null], [undefined], [3], [{}], [['bash']], [{ toString: 'bash' }]])(
    'does not take %j for a text',
    (value) => {
      expect(parseRule(value as unknown as string)).toMatchObject({ code: 'rule-syntax' })
    },
  )

  it('never throws, and gives a rule or a fault with both sentences', () => {
    const bits = fc.constantFrom(
      '*',
      '?',
      '\\',
      '(',
      ')',
      ',',
      ':',
      '/',
      '__',
      'mcp__',
      'group:',
      'bash',
      ' ',
      'é',
      '\u200b',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(bits, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseRule(written)
        if (isFault(parsed)) expect(parsed.message && parsed.hint).toBeTruthy()
        else expect(parsed.text).toBe(written.trim())
      }),
      { numRuns: 5000 },
    )
  })

  it('reads any escaped name back as that name', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 60 })
      .filter((text) => !/\p{Cc}/u.test(text) && text.trim() === text)
    fc.assert(
      fc.property(name, (literal) => {
        expect(parseRule(escapeRuleText(literal))).toMatchObject({
          subject: { kind: 'name', pattern: literal },
          conditions: [],
        })
      }),
      { numRuns: 3000 },
    )
  })
})
