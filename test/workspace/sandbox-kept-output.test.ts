import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputKeeper } from '../../src/workspace/sandbox/kept-output.ts'

const keep = (chunks: readonly Buffer[], keptBytes: number) => {
  const keeper = outputKeeper(keptBytes)
  for (const chunk of chunks) keeper.add(chunk)
  return { ...keeper.kept(), bytes: keeper.bytes() }
}

describe('output in bounded memory', () => {
  it('is whole as long as it fits, however it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (texts) => {
        const whole = Buffer.from(texts.join(''))
        const cut = fc.sample(fc.nat({ max: whole.length }), { numRuns: 3, seed: whole.length }).sort((a, b) => a - b)
        const chunks = [0, ...cut].map((from, index) => whole.subarray(from, [...cut, whole.length][index]))
        expect(keep(chunks, Math.max(2, whole.length + 1))).toEqual({
          first: whole.toString('utf8'),
          last: '',
          leftOutBytes: 0,
          bytes: whole.length,
        })
      }),
    )
  })

  it('keeps the first and the last part, never more than was asked, and counts what it left out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 }),
        fc.integer({ min: 8, max: 200 }),
        (parts, keptBytes) => {
          // ASCII, so that bytes and characters are the same.
          const chunks = parts.map((part) => Buffer.from(part.map((byte) => 32 + (byte % 90))))
          const whole = Buffer.concat(chunks).toString('latin1')
          const { first, last, leftOutBytes, bytes } = keep(chunks, keptBytes)
          expect(bytes).toBe(whole.length)
          expect(first.length + last.length).toBeLessThanOrEqual(keptBytes)
          expect(first.length + last.length + leftOutBytes).toBe(whole.length)
          expect(whole.startsWith(first)).toBe(true)
          expect(whole.endsWith(last)).toBe(true)
          // Nothing is left out that would have fitted.
          if (leftOutBytes > 0) expect(first.length + last.length).toBeGreaterThanOrEqual(keptBytes - 1)
        },
      ),
    )
  })

  it.each(['é', '€', '😀'])('cuts no character in two: %s', (char) => {
    for (let keptBytes = 10; keptBytes < 30; keptBytes += 1) {
      const { first, last, leftOutBytes } = keep([Buffer.from(char.repeat(50))], keptBytes)
      expect(`${first}${last}`).not.toContain('\ufffd')
      expect(Buffer.byteLength(`${first}${last}`) + leftOutBytes).toBe(50 * Buffer.byteLength(char))
    }
  })

  it('keeps bytes that are no text as marks, and goes on', () => {
    const { first, last, leftOutBytes } = keep([Buffer.alloc(100, 0x80)], 20)
    expect([first, last, leftOutBytes]).toEqual(['\ufffd'.repeat(10), '\ufffd'.repeat(10), 80])
  })
})
