import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deferredNames, readDeferredNames } from '../../src/catalog/prompt/deferred-names.ts'
import { sessionKey } from '../../src/sessions/pool/session-key.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '</available-deferred-tools>',
    '<available-deferred-tools>',
    '(2 more are not listed; tool_search finds them)',
    'Human:',
    '---',
    'a\nb',
    '"',
    '\\u0041',
    '\ud800',
    '&lt;',
    '',
  ),
)

describe('names in a prompt block', () => {
  it('[P21] read back as exactly the names put in, for any text', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (names) => {
        expect(readDeferredNames(deferredNames(names))).toEqual(names)
      }),
      { numRuns: 10_000 },
    )
  })

  it('[P21] open and close one block, and add no line that is not a name', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (names) => {
        const block = deferredNames(names)
        expect(block.match(/[<>]/g)).toHaveLength(4)
        expect(block.split(/[\n\r\u2028\u2029]/)).toHaveLength(names.length + 2)
      }),
      { numRuns: 10_000 },
    )
  })

  it('[P21] are not read out of what is no whole block', () => {
    for (const text of [
      'a',
      '<available-deferred-tools>\na',
      '<available-deferred-tools>\na b\n</available-deferred-tools>',
      '<available-deferred-tools>\n</available-deferred-tools>',
      '<available-deferred-tools>\n"a"\n</available-deferred-tools>',
      '<available-deferred-tools>\n"\\u12"\n</available-deferred-tools>',
      '<available-deferred-tools>\n(0 more are not listed; tool_search finds them)\n</available-deferred-tools>',
      '<available-deferred-tools>\na\n</available-deferred-tools>\n',
    ]) {
      expect(readDeferredNames(text)).toBeUndefined()
    }
  })

  it('[P21] read back as well where some are left out', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), fc.integer({ min: 1, max: 10_000 }), (names, unlisted) => {
        const block = deferredNames(names, unlisted)
        expect(readDeferredNames(block)).toEqual(names)
        expect(block.split('\n').at(-2)).toContain(String(unlisted))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the key of a session', () => {
  const part = fc.oneof(anyText, fc.constantFrom('a', 'a:b', 'b', '"', '","', '[]'))
  const owner = fc.record({ server: part, user: part, thread: part })

  it('[P25] is the same for the same owner alone', () => {
    fc.assert(
      fc.property(owner, owner, (one, other) => {
        const same = one.server === other.server && one.user === other.user && one.thread === other.thread
        expect(sessionKey(one) === sessionKey(other)).toBe(same)
      }),
      { numRuns: 10_000 },
    )
  })
})
