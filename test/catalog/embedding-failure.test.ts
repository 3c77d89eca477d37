import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { embeddedIndex } from '../../src/catalog/embedding/embedded-index.ts'
import { asEmbedder, type Embedder } from '../../src/catalog/embedding/embedder.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import type { Finding } from '../../src/core/finding.ts'
import { documentOf, someDocuments } from '../embedders/documents.ts'
import { type FakeOptions, fakeEmbedder } from '../embedders/fake-embedder.ts'

const index = searchIndex(someDocuments)
const never = () => new Promise<never>(() => {})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** An embedder that answers well for the documents (its first call) and then as it is told to. */
const onQueries = (answer: NonNullable<FakeOptions['answer']>): FakeOptions => ({
  answer: (call, vectors, signal) => (call === 0 ? Promise.resolve(vectors) : answer(call, vectors, signal)),
})

function watched(options: FakeOptions) {
  const embedder = fakeEmbedder(options)
  const findings: Finding[] = []
  const embedded = embeddedIndex(index, embedder, { onFinding: (found) => findings.push(found) })
  const codes = () => findings.map(({ code }) => code)
  return { embedder, embedded, findings, codes }
}

describe('a search beside an embedder [C2]', () => {
  it('goes by words while the vectors are not there, and says so', async () => {
    const { embedded } = watched({ answer: never })
    expect(await embedded.scores('weather')).toEqual({
      scores: index.scores('weather'),
      by: 'words',
      because: 'not-ready',
      ready: false,
    })
    expect(embedded.state()).toEqual({ phase: 'embedding', embedded: 0, documents: someDocuments.length })
  })

  it('goes by words when the vector of its query does not come in time, and says so once', async () => {
    const { embedded, findings, embedder } = watched(onQueries(never))
    expect((await embedded.settled()).phase).toBe('ready')
    for (const query of ['weather', 'note']) {
      const search = embedded.scores(query)
      await vi.advanceTimersByTimeAsync(299)
      const early = await Promise.race([search, Promise.resolve('waits')])
      expect(early).toBe('waits')
      await vi.advanceTimersByTimeAsync(1)
      expect(await search).toEqual({ scores: index.scores(query), by: 'words', because: 'slow', ready: true })
    }
    expect(findings).toMatchObject([{ code: 'embedder-slow', subject: 'fake@1', severity: 'warning' }])
    expect(embedder.calls.length).toBe(3)
  })

  it('tells the embedder that nobody waits any more', async () => {
    let told: AbortSignal | undefined
    const { embedded } = watched(
      onQueries((_, __, signal) => {
        told = signal
        return never()
      }),
    )
    await embedded.settled()
    const search = embedded.scores('weather')
    await vi.advanceTimersByTimeAsync(0)
    expect(told?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(300)
    await search
    expect(told?.aborted).toBe(true)
  })

  it('lets an embedder rest that missed three times in a row, and tries again later', async () => {
    const stopped = onQueries(
      (_, vectors, signal) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => resolve(vectors), 400)
          signal?.addEventListener('abort', () => {
            clearTimeout(timer)
            reject(new Error('called off'))
          })
        }),
    )
    const { embedded, embedder } = watched(stopped)
    await embedded.settled()
    const search = async (query: string) => {
      const asked = embedded.scores(query)
      await vi.advanceTimersByTimeAsync(300)
      return (await asked).because
    }
    for (const query of ['one', 'two', 'three', 'four', 'five']) expect(await search(query)).toBe('slow')
    expect(embedder.calls.length).toBe(1 + 3)
    await vi.advanceTimersByTimeAsync(30_000)
    await search('six')
    expect(embedder.calls.length).toBe(1 + 4)
  })

  it('asks nothing more of an embedder that holds three questions and never lets them go', async () => {
    const { embedded, embedder } = watched(onQueries(never))
    await embedded.settled()
    for (let round = 0; round < 6; round++) {
      const asked = embedded.scores(`weather ${'abcdef'.charAt(round)}`)
      await vi.advanceTimersByTimeAsync(40_000)
      expect((await asked).because).toBe('slow')
    }
    expect(embedder.calls.length).toBe(1 + 3)
  })

  it('goes by words when a query fails, whatever is thrown', async () => {
    const thrown = [new Error('no \u0007 network'), 'text', undefined, { toString: () => assertNever() }]
    for (const error of thrown) {
      const { embedded, findings } = watched(onQueries(() => Promise.reject(error)))
      await embedded.settled()
      expect(await embedded.scores('weather')).toMatchObject({ by: 'words', because: 'failed', ready: true })
      expect(findings).toMatchObject([{ code: 'embedder-unavailable' }])
      expect(findings[0]?.message).not.toContain('\u0007')
    }
  })

  it('is called off by its own signal, which is no fault of the embedder', async () => {
    const { embedded, codes } = watched(onQueries(never))
    await embedded.settled()
    for (let round = 0; round < 2; round++) {
      const caller = new AbortController()
      const search = embedded.scores('weather', caller.signal)
      caller.abort()
      expect(await search).toMatchObject({ by: 'words', because: 'cancelled' })
    }
    expect(codes()).toEqual([])
    const done = new AbortController()
    done.abort()
    expect(await embedded.scores('weather', done.signal)).toMatchObject({ because: 'cancelled' })
  })

  it('still asks after many searches that were called off', async () => {
    const { embedded } = watched(
      onQueries((call, vectors, signal) =>
        call > 5
          ? Promise.resolve(vectors)
          : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('called off')))),
      ),
    )
    await embedded.settled()
    for (let round = 0; round < 5; round++) {
      const caller = new AbortController()
      const search = embedded.scores('weather', caller.signal)
      caller.abort()
      expect((await search).because).toBe('cancelled')
      await vi.advanceTimersByTimeAsync(1)
    }
    expect((await embedded.scores('weather')).by).toBe('both')
  })

  it('remembers the vectors of a bounded number of queries', async () => {
    const { embedded, embedder } = watched({})
    await embedded.settled()
    for (let round = 0; round < 65; round++) await embedded.scores(`weather ${round}`)
    const asked = embedder.calls.length
    await embedded.scores('weather 64')
    expect(embedder.calls.length).toBe(asked)
    await embedded.scores('weather 0')
    expect(embedder.calls.length).toBe(asked + 1)
  })

  it('does not ask again for a query whose vector it has', async () => {
    const { embedded, embedder } = watched({})
    await embedded.settled()
    const first = await embedded.scores('erase document')
    expect(await embedded.scores('  erase document ')).toMatchObject({ by: 'both', ready: true })
    expect(await embedded.scores('erase document')).toEqual(first)
    expect(embedder.calls.length).toBe(2)
  })

  it('asks nothing for a query without a word', async () => {
    const { embedded, embedder } = watched({})
    await embedded.settled()
    expect(await embedded.scores(' \n ')).toMatchObject({ by: 'words', ready: true })
    expect(embedder.calls.length).toBe(1)
  })
})

describe('an embedder whose vectors cannot be used', () => {
  const bad: readonly (readonly [string, (vectors: readonly Float32Array[]) => unknown])[] = [
    ['too few', (vectors) => vectors.slice(1)],
    ['too many', (vectors) => [...vectors, new Float32Array(64)]],
    ['too short', (vectors) => vectors.map((vector) => vector.subarray(1))],
    ['not numbers', (vectors) => vectors.map((vector, at) => (at === 0 ? vector.fill(Number.NaN, 3, 4) : vector))],
    ['endless', (vectors) => vectors.map((vector) => vector.fill(Infinity, 0, 1))],
    ['of another kind', (vectors) => vectors.map((vector) => [...vector])],
    ['nothing', () => undefined],
  ]

  it.each(bad)('is refused for good, and told once: %s', async (_, spoil) => {
    const { embedded, findings, embedder } = watched({
      answer: async (__, vectors) => spoil(vectors) as readonly Float32Array[],
    })
    expect((await embedded.settled()).phase).toBe('failed')
    await vi.advanceTimersByTimeAsync(3_600_000)
    for (let round = 0; round < 2; round++)
      expect(await embedded.scores('weather')).toEqual({
        scores: index.scores('weather'),
        by: 'words',
        because: 'failed',
        ready: false,
      })
    expect(findings).toMatchObject([{ code: 'embedder-faulty', subject: 'fake@1' }])
    expect(embedder.calls.length).toBe(1)
  })

  it.each(bad)('costs a query no more than its meaning: %s', async (_, spoil) => {
    const { embedded, codes } = watched(onQueries(async (__, vectors) => spoil(vectors) as readonly Float32Array[]))
    await embedded.settled()
    expect(await embedded.scores('weather')).toMatchObject({ by: 'words', because: 'failed' })
    expect(codes()).toEqual(['embedder-faulty'])
  })
})

describe('making vectors in the background', () => {
  it('is taken up again where it failed, on a search that comes a minute later', async () => {
    const embedder = fakeEmbedder({
      answer: async (call, vectors) => {
        if (call === 1) throw new Error('down')
        return vectors
      },
    })
    const embedded = embeddedIndex(index, embedder, { batchSize: 2 })
    expect(await embedded.settled()).toEqual({ phase: 'failed', embedded: 2, documents: 4 })
    await vi.advanceTimersByTimeAsync(59_000)
    expect((await embedded.scores('weather')).because).toBe('failed')
    expect(embedder.calls.length).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await embedded.scores('weather')).because).toBe('not-ready')
    expect(await embedded.settled()).toEqual({ phase: 'ready', embedded: 4, documents: 4 })
    expect(embedder.calls.map((texts) => texts.length)).toEqual([2, 2, 2])
    expect((await embedded.scores('weather')).by).toBe('both')
  })

  it('gives up a batch that takes too long', async () => {
    const { embedded, codes } = watched({ answer: never })
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await embedded.settled()).phase).toBe('failed')
    expect(codes()).toEqual(['embedder-slow'])
  })

  it('fails with an embedder that cannot be prepared', async () => {
    const findings: Finding[] = []
    const embedder: Embedder = { ...fakeEmbedder(), prepare: () => Promise.reject(new Error('no model')) }
    const embedded = embeddedIndex(index, embedder, { onFinding: (found) => findings.push(found) })
    expect((await embedded.settled()).phase).toBe('failed')
    expect(findings).toMatchObject([
      { code: 'embedder-unavailable', message: 'embedder "fake@1": it failed: no model' },
    ])
  })

  it('tells how far it is, and minds no listener that throws', async () => {
    const told: number[] = []
    const embedded = embeddedIndex(index, fakeEmbedder(), {
      batchSize: 3,
      onProgress: ({ embedded: count }) => {
        told.push(count)
        throw new Error('not my affair')
      },
    })
    expect((await embedded.settled()).phase).toBe('ready')
    expect(told).toEqual([3, 4])
  })

  it.each(['close', 'signal'])('ends with %s: nothing is asked any more, and searches go by words', async (how) => {
    const ending = new AbortController()
    let asked: AbortSignal | undefined
    const embedder = fakeEmbedder({
      answer: (call, vectors, signal) => {
        asked = signal
        return call === 0 ? Promise.resolve(vectors) : never()
      },
    })
    const embedded = embeddedIndex(index, embedder, { batchSize: 1, signal: ending.signal })
    await vi.advanceTimersByTimeAsync(10)
    expect(embedder.calls.length).toBe(2)
    if (how === 'close') await embedded.close()
    else ending.abort()
    expect(await embedded.settled()).toEqual({ phase: 'closed', embedded: 1, documents: 4 })
    expect(asked?.aborted).toBe(true)
    expect(await embedded.scores('weather')).toMatchObject({ by: 'words', ready: false })
    await embedded.close()
    expect(embedder.calls.length).toBe(2)
  })

  it('asks nothing when it was ended before it began, or when there is nothing to embed', async () => {
    const embedder = fakeEmbedder()
    const ended = embeddedIndex(index, embedder, { signal: AbortSignal.abort() })
    expect((await ended.settled()).phase).toBe('closed')
    const empty = embeddedIndex(searchIndex([]), embedder)
    expect((await empty.settled()).phase).toBe('ready')
    expect(await empty.scores('weather')).toMatchObject({ by: 'words', ready: true })
    expect(embedder.calls).toEqual([])
  })

  it('refuses more vectors than can be looked through quickly', async () => {
    const many = Array.from({ length: 4000 }, () => documentOf('one', 'same'))
    const findings: Finding[] = []
    const silent = { documents: many, scores: () => new Float64Array(many.length) }
    const embedder = fakeEmbedder({ dimensions: 4096 })
    const embedded = embeddedIndex(silent, embedder, { onFinding: (found) => findings.push(found) })
    expect((await embedded.settled()).phase).toBe('failed')
    expect(findings).toMatchObject([{ code: 'embedder-unavailable' }])
    expect(embedder.calls).toEqual([])
  })
})

describe('what is no embedder', () => {
  const sound = { id: 'mine@1', dimensions: 3, embed: async () => [] }

  it.each([
    [undefined, 'it is no object'],
    [() => sound, 'it is no object'],
    [{ ...sound, id: '' }, 'its id is not of 1 to 200 printable characters'],
    [{ ...sound, id: 'a\u0000b' }, 'its id is not of 1 to 200 printable characters'],
    [{ ...sound, id: 'a'.repeat(201) }, 'its id is not of 1 to 200 printable characters'],
    [{ ...sound, dimensions: 0 }, 'its dimensions are no whole number from 1 to 4096'],
    [{ ...sound, dimensions: '3' }, 'its dimensions are no whole number from 1 to 4096'],
    [{ ...sound, embed: [] }, 'it has no function embed'],
    [{ ...sound, prepare: 1 }, 'its prepare is no function'],
    [{ ...sound, close: 1 }, 'its close is no function'],
  ])('is refused with what it lacks: %o', (value, fault) => {
    expect(() => asEmbedder(value, './my.mjs:embedder')).toThrow(`./my.mjs:embedder is no embedder: ${fault}`)
  })

  it('is an option that is no number above 0', () => {
    for (const options of [{ weight: 0 }, { batchSize: -1 }, { queryTimeoutMs: Number.NaN }])
      expect(() => embeddedIndex(index, fakeEmbedder(), options)).toThrow(RangeError)
  })

  it('keeps the id and the dimensions that it had', () => {
    const changing = { ...sound }
    const embedder = asEmbedder(changing, 'mine')
    changing.dimensions = 5
    expect(embedder).toMatchObject({ id: 'mine@1', dimensions: 3 })
  })
})

function assertNever(): never {
  throw new Error('no words either')
}
