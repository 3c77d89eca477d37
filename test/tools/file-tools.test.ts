import { readFileSync, symlinkSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { glob, grep, ls, readFile, strReplace, type Tool, writeFile } from '../../src/tools/index.ts'
import { fileLimits } from '../../src/workspace/files/limits.ts'
import { aThread, faultOf, type Thread, virtual } from '../workspace/a-thread.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const call = async (tool: Tool, args: JsonObject): Promise<string> =>
  String(await tool.execute?.(args, { workspace: thread.workspace }))
const fails = (tool: Tool, args: JsonObject) => faultOf(() => call(tool, args))
const path = virtual('a.txt')

describe('the file tools [W2, R1]', () => {
  const every = [readFile, writeFile, strReplace, ls, glob, grep]
  const whole = { path, content: '', old_str: 'a', new_str: 'b', pattern: 'a' }

  it('say so when the caller has no thread', async () => {
    for (const tool of every)
      expect(await faultOf(() => tool.execute?.(whole, {}))).toMatchObject({ code: 'tool-not-executable' })
  })

  it('refuse a path that is none, whatever it is', async () => {
    for (const tool of every) {
      const { path: _left, ...without } = whole
      expect((await fails(tool, without)).code).toBe('path-type')
      expect((await fails(tool, { ...whole, path: ['/mnt'] })).code).toBe('path-type')
      expect((await fails(tool, { ...whole, path: '/etc/passwd' })).code).toBe('path-outside')
    }
  })

  it.each<[Tool, JsonObject]>([
    [writeFile, { path }],
    [writeFile, { path, content: 7 }],
    [writeFile, { path, content: '', append: 'yes' }],
    [strReplace, { path, old_str: 'a' }],
    [strReplace, { path, old_str: '', new_str: 'b' }],
    [strReplace, { path, old_str: 'a', new_str: 'a' }],
    [readFile, { path, start_line: 0 }],
    [readFile, { path, start_line: '1' }],
    [readFile, { path, start_line: 5, end_line: 4 }],
    [glob, { path }],
    [glob, { path, pattern: 'a', max_results: 1.5 }],
    [grep, { path, pattern: 'a', literal: 1 }],
    [grep, { path, pattern: 'a', glob: {} }],
  ])('$name refuses arguments that do not fit', async (tool, args) => {
    thread.file('a.txt', 'x')
    expect((await fails(tool, args)).code).toBe('arguments-invalid')
  })

  it('are called off', async () => {
    const signal = AbortSignal.abort()
    thread.file('a.txt', 'x')
    for (const tool of [glob, grep])
      await expect(
        (async () => tool.execute?.({ path: virtual(''), pattern: 'x' }, { workspace: thread.workspace, signal }))(),
      ).rejects.toThrow('aborted')
  })
})

describe('read_file', () => {
  it('gives the file as it is', async () => {
    thread.file('a.txt', 'one\n\ttwo\n')
    expect(await call(readFile, { path })).toBe('one\n\ttwo\n')
  })

  it.each([
    ['which lines were asked for', 'a\nb\nc\n', { start_line: 2, end_line: 9 }, 'b\nc\n[lines 2 to 3 of 3]'],
    ['which one line', 'a\nb', { start_line: 2 }, 'b\n[line 2 of 2]'],
    ['that a line is beyond the end', 'a\n', { start_line: 4 }, '[the file has 1 line; line 4 is beyond its end]'],
    ['that the file is empty', '', {}, '[the file is empty]'],
  ])('says %s', async (_what, content, range, text) => {
    thread.file('a.txt', content)
    expect(await call(readFile, { path, ...range })).toBe(text)
  })

  it('leads through a long file in as many calls as it takes', async () => {
    const content = Array.from({ length: 12_000 }, (_, index) => `line ${index + 1}\n`).join('')
    thread.file('a.txt', content)
    let all = ''
    let next: number | undefined = 1
    for (let calls = 0; next !== undefined && calls < 20; calls += 1) {
      const text = await call(readFile, { path, start_line: next })
      expect(Buffer.byteLength(text)).toBeLessThan(65_536)
      const note: string = text.slice(text.lastIndexOf('\n[') + 1)
      all += text.slice(0, -note.length)
      next = /start_line (\d+)/.exec(note)?.[1] === undefined ? undefined : Number(/start_line (\d+)/.exec(note)?.[1])
    }
    expect(all).toBe(content)
  })

  it('says how to go on after a line that is too long', async () => {
    thread.file('a.txt', `${'x'.repeat(fileLimits.answerBytes * 2)}\nb\n`)
    expect(await call(readFile, { path })).toMatch(
      /x\n\[line 1 of 2 is too long to be shown whole; grep shows .* the next lines begin with start_line 2\]$/,
    )
  })
})

describe('write_file and str_replace', () => {
  it('say what they did', async () => {
    expect(await call(writeFile, { path, content: 'é\n' })).toBe(`made ${path} (3 bytes written)`)
    expect(await call(writeFile, { path, content: 'b\n', append: true })).toBe(`continued ${path} (2 bytes written)`)
    expect(await call(strReplace, { path, old_str: 'b', new_str: 'b b' })).toBe(
      `replaced 1 occurrence in ${path}, on line 2`,
    )
    const all = { path, old_str: 'b', new_str: '$&', replace_all: true }
    expect(await call(strReplace, all)).toBe(`replaced 2 occurrences in ${path}, on lines 2, 2`)
    expect(readFileSync(thread.at('a.txt'), 'utf8')).toBe('é\n$& $&\n')
    expect(await call(writeFile, { path, content: '' })).toBe(`replaced ${path} (0 bytes written)`)
  })

  it('say why they did nothing', async () => {
    thread.file('a.txt', 'x\n\tfoo()\nx\n')
    expect(await fails(strReplace, { path, old_str: 'x', new_str: 'y' })).toMatchObject({
      code: 'edit-ambiguous',
      message: `${path} holds old_str 2 times, on lines 1, 3`,
    })
    expect(await fails(strReplace, { path, old_str: '  foo()', new_str: 'y' })).toMatchObject({
      code: 'edit-not-found',
      message: `${path} does not hold old_str; line 2 differs from it in blanks only`,
    })
  })
})

describe('ls, glob and grep', () => {
  it('ls draws a tree', async () => {
    for (const file of ['b.txt', 'src/main.ts', 'node_modules/x.js', 'odd\u001b[2J\nname']) thread.file(file)
    symlinkSync(thread.outside, thread.at('link'))
    expect(await call(ls, { path: '/mnt/user-data/workspace/' })).toBe(
      [
        '/mnt/user-data/workspace/',
        '  b.txt',
        '  link  (link, not followed)',
        '  node_modules/  (not looked into)',
        '  odd\\u001b[2J\\u000aname',
        '  src/',
        '    main.ts',
      ].join('\n'),
    )
    expect(await call(ls, { path: '/mnt/user-data/outputs' })).toBe('/mnt/user-data/outputs/\n  (empty)')
    expect(await call(ls, { path: '/mnt' })).toBe('/mnt/\n  acp-workspace/\n  user-data/')
  })

  it('ls stays within an answer', async () => {
    for (let index = 0; index < 600; index += 1) thread.file(`${String(index).padStart(4, '0')}${'n'.repeat(200)}`)
    const text = await call(ls, { path: '/mnt/user-data/workspace' })
    expect(Buffer.byteLength(text)).toBeLessThan(50_000)
    expect(text).toMatch(/\n\[\d+ more lines do not fit\]$/)
  })

  it('glob gives paths, and says what it left out', async () => {
    for (const file of ['a.md', 'docs/b.md', '.git/c.md']) thread.file(file)
    const args = { path: '/mnt/user-data/workspace', pattern: '**/*.md' }
    const left = '[not looked into: .git; to do so, give such a folder as path]'
    expect(await call(glob, args)).toBe(`${virtual('a.md')}\n${virtual('docs/b.md')}\n${left}`)
    expect(await call(glob, { ...args, max_results: 1 })).toBe(
      `${virtual('a.md')}\n[1 of 2 are shown; name a smaller folder or pattern]\n${left}`,
    )
    expect(await call(glob, { ...args, pattern: '*.none' })).toBe(`[nothing fits the pattern]\n${left}`)
  })

  it('grep gives lines, and says what it did not look at', async () => {
    thread.file('a.txt', 'one\ntwo\n')
    thread.file('b.bin', 'two\u0000')
    const args = { path: '/mnt/user-data/workspace', pattern: 'O' }
    const notText = '[not searched: 1 file of another kind than text]'
    expect(await call(grep, args)).toBe(`${path}:1: one\n${path}:2: two\n${notText}`)
    expect(await call(grep, { ...args, max_results: 1 })).toContain('[there are more than these 1;')
    expect(await call(grep, { ...args, pattern: 'none' })).toBe(`[no line matches in 1 file]\n${notText}`)
    expect((await fails(grep, { ...args, pattern: 'a(?=b)' })).message).toContain('look-around')
  })

  it('a grep over links finds nothing behind them', async () => {
    symlinkSync(thread.outside, thread.at('link'))
    const text = await call(grep, { path: '/mnt/user-data/workspace', pattern: 'OUTSIDE' })
    expect(text).toBe('[no line matches in 0 files]')
  })
})
