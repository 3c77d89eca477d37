import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/catalog/query.ts'

describe('the form of a query [C2]', () => {
  it.each([
    ['select:a,b', { kind: 'select', names: ['a', 'b'] }],
    ['  select: a , b,,a ', { kind: 'select', names: ['a', 'b'] }],
    ['+slack send', { kind: 'require', required: ['slack'], rest: 'send' }],
    ['+slack +channel list all', { kind: 'require', required: ['slack', 'channel'], rest: 'list all' }],
    ['+slack', { kind: 'require', required: ['slack'], rest: '' }],
    ['++slack + send', { kind: 'require', required: ['slack'], rest: '+ send' }],
    ['send +slack', { kind: 'words', text: 'send +slack' }],
    ['list  \t issues\n', { kind: 'words', text: 'list issues' }],
    ['slack\u0000send\u001b[2J', { kind: 'words', text: 'slack send [2J' }],
    ['c++', { kind: 'words', text: 'c++' }],
    ['(', { kind: 'words', text: '(' }],
    ['$5 (usd)', { kind: 'words', text: '$5 (usd)' }],
    ['(a+)+$', { kind: 'words', text: '(a+)+$' }],
    ['/etc/hosts', { kind: 'words', text: '/etc/hosts' }],
    ['//', { kind: 'words', text: '//' }],
    ['SELECT:a', { kind: 'words', text: 'SELECT:a' }],
    ['', { kind: 'empty' }],
    [' \n ', { kind: 'empty' }],
    ['+', { kind: 'empty' }],
    ['+ ++', { kind: 'empty' }],
    ['select:', { kind: 'empty' }],
    ['select:,, ,', { kind: 'empty' }],
  ])('%j is %j', (text, expected) => {
    expect(parseQuery(text)).toEqual(expected)
  })

  it('is a pattern only between slashes', () => {
    expect(parseQuery('/^list_/')).toMatchObject({ kind: 'pattern', pattern: { source: '^list_' } })
  })
})

describe('a query that is refused', () => {
  it('is longer than the limit, without the blanks around it', () => {
    expect(parseQuery('s'.repeat(201))).toMatchObject({ kind: 'fault', code: 'query-too-long' })
    expect(parseQuery(`   ${'s'.repeat(200)}   `)).toMatchObject({ kind: 'words' })
    expect(parseQuery('s'.repeat(201), { charsMax: 500 })).toMatchObject({ kind: 'words' })
    expect(parseQuery(`select:${'s'.repeat(201)}`)).toMatchObject({ code: 'query-too-long' })
  })

  it.each([[5], [['select:a']], [null], [undefined], [{}], [true]])('is no string: %j', (value) => {
    expect(parseQuery(value)).toMatchObject({ kind: 'fault', code: 'query-type' })
  })

  it.each(['/(?=a)b/', '/(a)\\1/', '/a{99999}/', '/(/'])('is a pattern that cannot be carried out: %s', (text) => {
    expect(parseQuery(text)).toMatchObject({ code: 'query-syntax', hint: expect.stringContaining('plain words') })
  })

  it('says so in one short printable line that repeats nothing of it', () => {
    for (const text of ['\u001b[31m'.repeat(100), '/(?=<system>)x/', 5]) {
      const fault = parseQuery(text, { charsMax: 40 })
      if (fault.kind !== 'fault') throw new Error('it was accepted')
      const line = `${fault.message}; ${fault.hint}`
      expect(line).toMatch(/^[\x20-\x7e]{1,300}$/)
      expect(line).not.toContain('system')
    }
  })
})
