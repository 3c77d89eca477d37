import { describe, expect, it } from 'vitest'
import { bounds } from '../../src/config/bounds.ts'
import { originAt } from '../../src/config/place.ts'
import { readYaml } from '../../src/config/read-yaml.ts'
import type { Data, Reading } from '../../src/config/reading.ts'

const read = (text: string): Reading => readYaml(text, 'f.yaml')

function data(text: string): Data {
  const reading = read(text)
  if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
  return reading
}

/** Data as JSON shows it: mappings of the reader have no prototype. */
const plain = (text: string): unknown => JSON.parse(JSON.stringify(data(text).value))

const faults = (text: string): string[] => {
  const reading = read(text)
  return 'faults' in reading
    ? reading.faults.map(({ code, message, origin }) => `${code} ${message} @${origin?.key ?? ''}`)
    : []
}

describe('readYaml: what it reads', () => {
  it.each([
    ['block and flow', 'a:\n  - 1\n  - {b: [x, "y"]}\n', { a: [1, { b: ['x', 'y'] }] }],
    [
      'YAML 1.2 words',
      'a: [yes, on, no, ~, null, true, 0o17, 0x1F]',
      { a: ['yes', 'on', 'no', null, null, true, 15, 31] },
    ],
    ['block texts', 'a: |\n  one\n  two\nb: >-\n  one\n  two\n', { a: 'one\ntwo\n', b: 'one two' }],
    ['numbers as keys, as texts', '1: a\ntrue: b\n', { 1: 'a', true: 'b' }],
    ['a leading document mark', '---\na: 1\n...\n', { a: 1 }],
    ['comments', '# one\na: 1 # two\n', { a: 1 }],
    ['keys of every object', 'constructor: 1\ntoString: 2\n', { constructor: 1, toString: 2 }],
    ['an alias', 'a: &x {k: [1]}\nb: *x\n', { a: { k: [1] }, b: { k: [1] } }],
    ['an alias to the latest anchor', 'a: &x 1\nb: &x 2\nc: *x\n', { a: 1, b: 2, c: 2 }],
    [
      'an alias inside an alias as it was bound',
      'a: &a [&b 1, *b]\nc: &b 2\nd: *a\ne: *b\n',
      { a: [1, 1], c: 2, d: [1, 1], e: 2 },
    ],
    ['a merge', 'd: &d {a: 1, b: 2}\ne:\n  b: 3\n  <<: *d\n', { d: { a: 1, b: 2 }, e: { b: 3, a: 1 } }],
    [
      'a merge of a list, the first winning',
      'd: &d {a: 1}\ne: &e {a: 2, b: 2}\nf: {<<: [*d, *e]}\n',
      { d: { a: 1 }, e: { a: 2, b: 2 }, f: { a: 1, b: 2 } },
    ],
    ['a quoted "<<" as a key', '"<<": 1', { '<<': 1 }],
  ])('%s', (_, text, value) => {
    expect(plain(text)).toEqual(value)
  })

  it('gives mappings without a prototype and shares nothing', () => {
    const { value } = data('a: &x {k: 1}\nb: *x\n')
    expect(Object.getPrototypeOf(value)).toBeNull()
    const { a, b } = value as { a: object; b: object }
    expect(Object.getPrototypeOf(a)).toBeNull()
    expect(a).not.toBe(b)
  })

  it('passes twenty levels and the last allowed one', () => {
    const nested = (levels: number) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`
    expect(read(nested(20))).toHaveProperty('value')
    expect(read(nested(bounds.depth))).toHaveProperty('value')
    expect(faults(nested(bounds.depth + 1))[0]).toContain('config-too-deep')
  })
})

describe('readYaml: places', () => {
  const text = [
    '# head',
    'mcp_servers:',
    '  files:',
    '    args: [a, b]',
    '    env:',
    '      "odd key": 1',
    'x: &x',
    '  k: v',
    'y: *x',
    'z:',
    '  <<: *x',
    '',
  ].join('\n')

  it.each([
    [['mcp_servers'], { key: 'mcp_servers', line: 2, column: 1 }],
    [['mcp_servers', 'files', 'args'], { key: 'mcp_servers.files.args', line: 4, column: 5 }],
    [['mcp_servers', 'files', 'args', 1], { key: 'mcp_servers.files.args[1]', line: 4, column: 15 }],
    [['mcp_servers', 'files', 'env', 'odd key'], { key: 'mcp_servers.files.env["odd key"]', line: 6, column: 7 }],
    [['mcp_servers', 'files', 'absent', 3], { key: 'mcp_servers.files.absent[3]', line: 3, column: 3 }],
    [['y'], { key: 'y', line: 9, column: 1 }],
    [['y', 'k'], { key: 'y.k', line: 8, column: 3 }],
    [['z', 'k'], { key: 'z.k', line: 8, column: 3 }],
  ])('of %j', (path, origin) => {
    expect(originAt(data(text).place, path)).toEqual({ in: 'f.yaml', ...origin })
  })
})

describe('readYaml: what it refuses', () => {
  it.each([
    ['the same key twice', 'a: 1\nb: 2\na: 3', 'config-duplicate-key', 'first on line 1 (line 3) @a'],
    ['the same key quoted and plain', 's:\n  k: 1\n  "k": 2', 'config-duplicate-key', '@s.k'],
    ['the same key as number and text', '1: a\n"1": b', 'config-duplicate-key', '@1'],
    ['two merges', 'a: &a {}\nb: {<<: *a, <<: *a}', 'config-duplicate-key', '"<<"'],
    ['a merge of a text', 'a: {<<: b}', 'config-type', 'merge key'],
    ['__proto__', 'a: {__proto__: {b: 1}}', 'config-unknown-key', '__proto__'],
    ['a mapping as key', '? {a: 1}\n: v', 'config-type', 'keys are texts'],
    ['an alias as key', 'a: &a k\n*a : v', 'config-type', 'keys are texts'],
    ['nothing as key', ': v', 'config-type', 'keys are texts'],
    ['an empty key', '"": v', 'config-type', 'empty'],
    ['a long key', `? ${'k'.repeat(1030)}\n: v`, 'config-range', 'longer'],
    ['a tag', 'a: !!js/function "x"', 'config-tag', '!!js/function'],
    ['a tag of its own kind', 'a: !include b', 'config-tag', '!include'],
    ['a tag that changes nothing', 'a: !!str 1', 'config-tag', '!!str'],
    ['a bare tag', 'a: ! 1', 'config-tag', 'tag !'],
    ['a version', '%YAML 1.1\n---\na: yes', 'config-version', '%YAML'],
    ['a tag handle', '%TAG ! tag:x,2000:\n---\na: 1', 'config-tag', '%TAG'],
    ['two documents', 'a: 1\n---\nb: 2', 'config-multi-document', 'line 2'],
    ['an empty second document', 'a: 1\n---\n', 'config-multi-document', 'second'],
    ['a circle', 'a: &a\n  b: *a', 'config-alias-cycle', '&a holds itself'],
    ['an unknown alias', 'a: *nowhere', 'config-syntax', '*nowhere'],
    ['an alias before its anchor', 'a: *x\nb: &x 1', 'config-syntax', '*x'],
    ['tabs for indentation', 'a:\n\tb: 1', 'config-syntax', 'tab'],
    ['an open bracket', 'a: [1', 'config-syntax', 'line 1'],
    ['comments alone', '# nothing\n', 'config-empty', 'no value'],
    ['a document mark alone', '---\n', 'config-empty', 'no value'],
    ['a number of very many digits', `a: ${'1'.repeat(500)}`, 'config-range', 'digits'],
  ])('%s', (_, text, code, words) => {
    const [first = ''] = faults(text)
    expect(first).toContain(code)
    expect(first).toContain(words)
  })

  it('names every duplicate, not only the first', () => {
    expect(faults('a: 1\na: 2\nb: 1\nb: 2')).toHaveLength(2)
  })

  it('bounds aliases by their count and by what they stand for', () => {
    const many = `a: &a 1\nb: [${'*a,'.repeat(bounds.aliases + 1)}]`
    expect(faults(many)[0]).toContain('config-alias-limit')
    const wide = `a: &a [${'1,'.repeat(200)}]\nb: [${'*a,'.repeat(60)}]`
    expect(faults(wide)[0]).toContain('config-alias-limit')
    expect(plain(`a: &a 1\nb: [${'*a,'.repeat(bounds.aliases)}]`)).toHaveProperty('b.length', bounds.aliases)
  })

  it('bounds the depth that aliases add up to', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    const chained = `a: &a ${deep(40)}\nb: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n`
    expect(faults(chained)[0]).toContain('config-too-deep')
  })
})

describe('readYaml: time and stack', () => {
  const size = bounds.fileBytes - 100
  const filled = (part: string, most = size) => part.repeat(Math.floor(most / part.length))
  const keys = (count: number) => Array.from({ length: count }, (_, at) => `  k${at}: ${at}\n`).join('')

  it('reads 9,000 keys of one mapping quickly', () => {
    const text = `x:\n${keys(9000)}`
    read(text)
    const start = performance.now()
    expect(read(text)).toHaveProperty('value')
    // A generous ceiling: the quadratic check takes seconds, ours a tenth of one.
    expect(performance.now() - start).toBeLessThan(1500)
  })

  it.each([
    ['keys', `x:\n${keys(60_000)}`],
    ['list items', filled('- a\n')],
    ['open brackets', filled('[')],
    ['open braces', filled('{a: ')],
    ['closed brackets', filled(']')],
    ['block levels', Array.from({ length: 1000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
    ['list levels on a line', filled('- ')],
    ['key levels on a line', filled('? ')],
    ['commas', `x: [${filled(',')}]`],
    ['pairs', `x: [${filled('a: b,')}]`],
    ['digits', `x: ${filled('1')}x`],
    ['digits and dots', `x: ${filled('1.')}e`],
    ['hexadecimal digits', `x: 0x${filled('f')}g`],
    ['quotes', filled('"\n')],
    ['an open quote', `x: "${filled('a\n ')}`],
    ['backslashes', `x: "${filled('\\')}`],
    ['blanks', `x: a${filled(' ')}b`],
    ['blank lines in quotes', `x: "${filled(' \n')}"`],
    ['block headers', filled('|\n')],
    ['comments', `${filled('#\n')}a: 1`],
    ['anchors', `x: ${filled('&a ')}`],
    ['aliases', `y: &a 1\nx:\n${filled('- *a\n')}`],
    ['tags', `x: ${filled('! ')}`],
    ['directives', filled('%a\n')],
    ['documents', filled('---\n')],
    ['carriage returns', `a: ${filled('\r')}`],
    ['question marks', filled('?\n')],
    ['merges', `b: &b {a: 1}\nx:\n${filled('- <<: *b\n')}`],
  ])('ends in time on a file full of %s', (_, text) => {
    const start = performance.now()
    const reading = read(text)
    const took = performance.now() - start
    expect('faults' in reading ? reading.faults.length : 1).toBeGreaterThan(0)
    expect(took).toBeLessThan(3000)
  })

  it('leaves the stack traces of everybody else as they were', () => {
    const before = Error.stackTraceLimit
    read('a: [')
    expect(Error.stackTraceLimit).toBe(before)
  })
})
