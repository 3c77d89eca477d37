import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedEvents } from '../../src/sessions/wire/message-events.ts'
import { lineReader } from '../../src/sessions/wire/message-lines.ts'
import { idAtEnd, lookAtBeginning } from '../../src/sessions/wire/message-look.ts'

/** What a reader makes of a text that comes in pieces. */
function read(
  text: Buffer,
  cuts: readonly number[],
  options: { readonly askAt: number; readonly carriageReturns?: boolean },
) {
  const seen: (string | { readonly head: string; readonly tail: string; readonly bytes: number })[] = []
  let head = ''
  const reader = lineReader(
    {
      line: (bytes) => seen.push(bytes.toString('latin1')),
      long: (bytes) => {
        head = bytes.toString('latin1')
        return 'skip'
      },
      skipped: (tail, bytes) => seen.push({ head, tail: tail.toString('latin1'), bytes }),
    },
    options,
  )
  let from = 0
  for (const cut of [...new Set(cuts)].sort((a, b) => a - b)) {
    const end = Math.min(from + cut, text.length)
    reader.feed(text.subarray(from, end))
    from = end
  }
  reader.feed(text.subarray(from))
  return seen
}

const aText = fc.array(fc.constantFrom('a', 'bc', '\n', '\r', '\r\n', '{"id":1}', 'é'), { maxLength: 60 })
const cuts = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 })

describe('lines', () => {
  it('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(aText, cuts, (parts, where) => {
        const text = Buffer.from(parts.join(''))
        const lines = text.toString('latin1').split('\n').slice(0, -1)
        expect(read(text, where, { askAt: 10_000 })).toEqual(lines)
      }),
    )
  })

  it('may end with carriage returns as well, each pair once', () => {
    fc.assert(
      fc.property(aText, cuts, (parts, where) => {
        const text = Buffer.from(parts.join(''))
        const lines = text
          .toString('latin1')
          .split(/\r\n|\n|\r/)
          .slice(0, -1)
        expect(read(text, where, { askAt: 10_000, carriageReturns: true })).toEqual(lines)
      }),
    )
  })

  it('that are let go by show their beginning, their end and their length, and spoil no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5000, max: 9000 }), cuts, (length, where) => {
        const long = `<${'x'.repeat(length - 2)}>`
        const text = Buffer.from(`before\n${long}\nafter\n`)
        const [before, skipped, after] = read(text, where, { askAt: 4500 })
        expect([before, after]).toEqual(['before', 'after'])
        expect(skipped).toEqual({ head: long.slice(0, 4096), tail: long.slice(-4096), bytes: length })
      }),
    )
  })
})

describe('whose a message is', () => {
  const anId = fc.oneof(fc.integer({ min: -1000, max: 1e9 }), fc.string({ maxLength: 20 }))
  const aResult = fc.dictionary(
    fc.constantFrom('id', 'text', 'jsonrpc', 'method', '"id":7', '__proto__'),
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  )
  const filler = 'y'.repeat(6000)

  it('is told by its beginning when the id stands before what is long', () => {
    fc.assert(
      fc.property(anId, aResult, (id, result) => {
        const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, filler } }))
        expect(lookAtBeginning(text.subarray(0, 4096))).toEqual({ begins: true, isAsking: false, id })
      }),
    )
  })

  it('is told by its end when the id stands there', () => {
    fc.assert(
      fc.property(anId, aResult, fc.boolean(), (id, result, versionLast) => {
        const message = versionLast ? { result, id, jsonrpc: '2.0' } : { jsonrpc: '2.0', result, id }
        const text = Buffer.from(JSON.stringify({ filler, ...message }))
        expect(idAtEnd(text.subarray(-4096))).toBe(id)
      }),
    )
  })

  it('is never told by an id inside of it', () => {
    fc.assert(
      fc.property(aResult, fc.string(), (result, text) => {
        const message = { jsonrpc: '2.0', result: { filler, text: `${text},"id":7}`, more: { ...result, id: 7 } } }
        const bytes = Buffer.from(JSON.stringify(message))
        expect(lookAtBeginning(bytes.subarray(0, 4096)).id).toBeUndefined()
        expect(idAtEnd(bytes.subarray(-4096))).toBeUndefined()
      }),
    )
  })

  it.each<[string, unknown]>([
    ['', { begins: false, isAsking: false }],
    ['Server ready', { begins: false, isAsking: false }],
    ['[{"jsonrpc":"2.0","id":1,"result":', { begins: true, isAsking: false }],
    ['\ufeff {"id":1,"x', { begins: true, isAsking: false, id: 1 }],
    ['{"id":12', { begins: true, isAsking: false }],
    ['{"id":null,"result":{', { begins: true, isAsking: false }],
    ['{"jsonrpc":"2.0","method":"x","params":{', { begins: true, isAsking: true }],
    ['{"_meta":{"id":3,"a":["}"]},"id":4,"result":{', { begins: true, isAsking: false, id: 4 }],
    ['{"result":{"id":5', { begins: true, isAsking: false }],
    ['{]"id":1,', { begins: true, isAsking: false }],
  ])('is told of %j as far as it is certain', (text, look) => {
    expect(lookAtBeginning(Buffer.from(text))).toEqual(look)
  })

  it('is looked for in time that grows with the text alone', () => {
    for (const text of [
      '{"id":"'.repeat(600),
      '"'.repeat(4096),
      `{"${'\\'.repeat(4000)}`,
      ',"id":"\\'.repeat(500),
      ','.repeat(4096),
    ]) {
      const bytes = Buffer.from(text)
      const before = performance.now()
      lookAtBeginning(bytes)
      idAtEnd(bytes)
      expect(performance.now() - before).toBeLessThan(1000)
    }
  })
})

it('a stream of events is given up when one of them has no end', async () => {
  let cancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from(`data: ${'x'.repeat(100_000)}`)),
    cancel: () => {
      cancelled = true
    },
  })
  const ended: string[] = []
  const events = sortedEvents(endless, {
    received: () => {},
    message: () => [],
    long: () => 'skip',
    skipped: () => {},
    endlessBytes: 3_000_000,
    ended: (_resumable, error) => {
      ended.push(String(error))
      return []
    },
  })
  expect(await new Response(events).text()).toBe('')
  expect([ended, cancelled]).toEqual([['Error: an event without end'], true])
})
