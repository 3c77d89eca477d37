import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileLimits } from '../../src/workspace/files/limits.ts'
import { readText } from '../../src/workspace/files/read-text.ts'
import { aThread, codeOf, type Thread, virtual } from './a-thread.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const read = (range: { startLine?: number; endLine?: number } = {}) =>
  readText(thread.workspace, virtual('f.txt'), range)
const holding = (content: string | Uint8Array) => thread.file('f.txt', content)

describe('reading lines [W2]', () => {
  it.each([
    ['the whole file', 'a\nb\nc\n', {}, 'a\nb\nc\n', 1, 3, 3],
    ['a last line without an end', 'a\nb', {}, 'a\nb', 1, 2, 2],
    ['one line', 'a\nb\nc\n', { startLine: 2, endLine: 2 }, 'b\n', 2, 2, 3],
    ['from a line on', 'a\nb\nc', { startLine: 2 }, 'b\nc', 2, 3, 3],
    ['up to a line', 'a\nb\nc', { endLine: 2 }, 'a\nb\n', 1, 2, 3],
    ['beyond the end', 'a\nb\n', { startLine: 2, endLine: 99 }, 'b\n', 2, 2, 2],
    ['only beyond the end', 'a\nb\n', { startLine: 3 }, '', 3, 2, 2],
    ['an empty file', '', {}, '', 1, 0, 0],
    ['empty lines', '\n\n', {}, '\n\n', 1, 2, 2],
    ['Windows line ends, as plain ones', 'a\r\nb\r\n', {}, 'a\nb\n', 1, 2, 2],
    ['a byte order mark, taken out', '\ufeffa', {}, 'a', 1, 1, 1],
    ['other scripts', '報告\n🙂', { startLine: 2 }, '🙂', 2, 2, 2],
  ])('gives %s', async (_what, content, range, text, firstLine, lastLine, linesTotal) => {
    holding(content)
    const part = await read(range)
    expect(part).toEqual({
      path: virtual('f.txt'),
      text,
      firstLine,
      lastLine,
      linesTotal,
      bytesTotal: Buffer.byteLength(content),
    })
  })

  it('gives the lines that a plain split gives, wherever the chunks end', async () => {
    const aLine = fc.oneof(
      fc.constantFrom('', 'é', '🙂', 'x'.repeat(70_000 / 2), 'ab'.repeat(4000)),
      fc.string({ unit: 'grapheme' }),
    )
    const clean = aLine.map((line) => line.replace(/[\r\n\0]/g, '_'))
    await fc.assert(
      fc.asyncProperty(fc.array(clean, { maxLength: 12 }), fc.nat(12), fc.nat(12), async (lines, from, length) => {
        holding(lines.map((line) => `${line}\n`).join(''))
        const part = await read({ startLine: from + 1, endLine: from + 1 + length })
        expect(part.linesTotal).toBe(lines.length)
        if (part.cut === 'long-line') return
        const wanted = lines.slice(from, part.cut === undefined ? from + 1 + length : part.lastLine)
        expect(part.text).toBe(
          wanted
            .map((line) => `${line}\n`)
            .join('')
            .replace(/^\ufeff/, from === 0 ? '' : '\ufeff'),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('gives as many whole lines as an answer holds, and says where it stopped', async () => {
    holding('0123456789\n'.repeat(10_000))
    const part = await read()
    expect(part).toMatchObject({ cut: 'full', firstLine: 1, linesTotal: 10_000 })
    expect(part.text.length).toBeLessThanOrEqual(fileLimits.answerBytes)
    expect(part.text.length).toBe(part.lastLine * 11)
    const next = await read({ startLine: part.lastLine + 1 })
    expect(next.firstLine).toBe(part.lastLine + 1)
    expect(next.text.startsWith('0123456789\n')).toBe(true)
  })

  it('cuts one line that is longer than an answer, between two characters', async () => {
    holding(`x${'é'.repeat(fileLimits.answerBytes)}\nsecond\n`)
    const part = await read()
    expect(part).toMatchObject({ cut: 'long-line', firstLine: 1, lastLine: 1, linesTotal: 2 })
    expect(part.text).toMatch(/^xé+$/)
    expect((await read({ startLine: 2 })).text).toBe('second\n')
  })

  it('reads the beginning of a file of any size', async () => {
    holding(`first\n${'x'.repeat(20_000)}`)
    truncateSync(thread.at('f.txt'), 3 * fileLimits.scanBytes)
    const part = await read({ endLine: 1 })
    expect(part).toMatchObject({ text: 'first\n', lastLine: 1, bytesTotal: 3 * fileLimits.scanBytes })
    expect(part.linesTotal).toBeUndefined()
    expect(await codeOf(() => read({ startLine: 5 }))).toBe('file-too-big')
  })

  it('does not wait for a file that grows', async () => {
    holding('a\n')
    const reading = read()
    appendFileSync(thread.at('f.txt'), 'b\n'.repeat(10))
    expect((await reading).text.startsWith('a\n')).toBe(true)
  })

  it.each([
    ['a NUL', Buffer.from('ab\u0000c')],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xc3, 0x28, 0x0a])],
    ['a half character at the end', Buffer.from([0x61, 0xe2, 0x82])],
  ])('refuses %s as no text', async (_what, content) => {
    writeFileSync(thread.at('f.txt'), content)
    expect(await codeOf(() => read())).toBe('file-not-text')
  })
})
