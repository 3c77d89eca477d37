import { describe, expect, it } from 'vitest'
import { documentText } from '../../src/catalog/embedding/document-text.ts'
import { embeddedIndex } from '../../src/catalog/embedding/embedded-index.ts'
import { memoryVectorCache, type VectorCache } from '../../src/catalog/embedding/vector-cache.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import type { Finding } from '../../src/core/finding.ts'
import { documentOf, someDocuments } from '../embedders/documents.ts'
import { type FakeOptions, fakeEmbedder } from '../embedders/fake-embedder.ts'

/** Embeds the documents, and returns the texts that the embedder was asked for. */
async function textsAsked(cache: VectorCache, documents = someDocuments, options: FakeOptions = {}) {
  const embedder = fakeEmbedder(options)
  const findings: Finding[] = []
  const embedded = embeddedIndex(searchIndex(documents), embedder, {
    cache,
    onFinding: (found) => findings.push(found),
  })
  const { phase } = await embedded.settled()
  return { texts: embedder.calls.flat(), phase, findings, embedded }
}

describe('vectors that were made once', () => {
  it('are not made again: only what is new is embedded', async () => {
    const cache = memoryVectorCache()
    expect((await textsAsked(cache)).texts).toEqual(someDocuments.map(documentText))
    const changed = documentOf('send_note', 'Hands a parcel to a person')
    const documents = [
      ...someDocuments.slice(1).map((document) => (document.originalName === 'send_note' ? changed : document)),
      documentOf('new', 'new'),
    ]
    const { texts, phase } = await textsAsked(cache, documents)
    expect(texts).toEqual([documentText(changed), 'new. files. new'])
    expect(phase).toBe('ready')
  })

  it('give the same scores as vectors that are made anew, in whatever order the tools come', async () => {
    const cache = memoryVectorCache()
    await textsAsked(cache)
    const turned = [...someDocuments].reverse()
    const [kept, fresh] = [await textsAsked(cache, turned), await textsAsked(memoryVectorCache(), turned)]
    expect(kept.texts).toEqual([])
    expect(await kept.embedded.scores('delete plik')).toEqual(await fresh.embedded.scores('delete plik'))
  })

  it('belong to one embedder, one definition and one surface name', async () => {
    const cache = memoryVectorCache()
    await textsAsked(cache)
    expect((await textsAsked(cache, someDocuments, { id: 'fake@2' })).texts.length).toBe(4)
    expect((await textsAsked(cache, someDocuments, { dimensions: 32 })).texts.length).toBe(4)
    const [first, ...rest] = someDocuments
    if (first === undefined) throw new Error('there are documents')
    const renamed = { ...first, name: 'other__get_forecast' }
    const redefined = { ...first, definitionHash: 'another' }
    expect((await textsAsked(cache, [renamed, ...rest])).texts.length).toBe(1)
    expect((await textsAsked(cache, [redefined, ...rest])).texts.length).toBe(1)
  })

  it('are kept of what was done, when the work is broken off', async () => {
    const cache = memoryVectorCache()
    const embedder = fakeEmbedder({
      answer: async (call, vectors) => {
        if (call === 2) throw new Error('down')
        return vectors
      },
    })
    await embeddedIndex(searchIndex(someDocuments), embedder, { cache, batchSize: 1 }).settled()
    expect((await textsAsked(cache)).texts).toEqual(someDocuments.slice(2).map(documentText))
  })

  it('are made again when those of the cache cannot be used', async () => {
    const spoilt: VectorCache = {
      get: async (_, keys) =>
        new Map(keys.map((key, at) => [key, at === 0 ? new Float32Array(3) : new Float32Array(64).fill(Number.NaN)])),
      put: async () => {},
    }
    const { texts, phase } = await textsAsked(spoilt)
    expect(texts.length).toBe(4)
    expect(phase).toBe('ready')
  })

  it('are made each time when a cache fails, which is told and stops nothing', async () => {
    const broken: VectorCache = {
      get: () => Promise.reject(new Error('torn')),
      put: () => Promise.reject(new Error('full')),
    }
    const { texts, phase, findings } = await textsAsked(broken)
    expect({ asked: texts.length, phase }).toEqual({ asked: 4, phase: 'ready' })
    expect(findings).toMatchObject([{ code: 'state-file', subject: 'fake@1' }])
  })

  it('are written away seldom: the more there are, the more at once', async () => {
    const sizes: number[] = []
    const counted: VectorCache = {
      get: async () => new Map(),
      put: async (_, vectors) => {
        sizes.push(vectors.size)
      },
    }
    const many = Array.from({ length: 1000 }, (_, at) => documentOf(`tool_${at}`, 'one of many'))
    await textsAsked(counted, many)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000)
    expect(sizes.length).toBeLessThanOrEqual(6)
    expect(sizes.length).toBeGreaterThan(1)
  })
})

describe('the cache of a process', () => {
  it('forgets what was used least recently when it is full', async () => {
    const owner = { id: 'fake@1', dimensions: 2 }
    const cache = memoryVectorCache(6)
    const vector = (value: number) => Float32Array.of(value, value)
    await cache.put(owner, new Map(['a', 'b', 'c'].map((key, at) => [key, vector(at)])))
    await cache.get(owner, ['a'])
    await cache.put(owner, new Map([['d', vector(3)]]))
    expect([...(await cache.get(owner, ['a', 'b', 'c', 'd'])).keys()]).toEqual(['a', 'c', 'd'])
    await cache.put(owner, new Map([['a', vector(9)]]))
    expect((await cache.get(owner, ['a', 'c', 'd'])).get('a')).toEqual(vector(9))
    expect((await cache.get(owner, ['a', 'c', 'd'])).size).toBe(3)
  })
})

describe('what an embedder reads of a tool', () => {
  it('is its name in words, its server and the beginning of its description', () => {
    const text = (originalName: string, more = {}) => documentText(documentOf(originalName, 'Reads it.', more))
    expect(text('readTextFile')).toBe('read text file. files. Reads it.')
    expect(text('read_text-file/v2')).toBe('read text file v2. files. Reads it.')
    expect(text('ls', { server: undefined })).toBe('ls. Reads it.')
  })

  it('is bounded, and never ends with half of a character', () => {
    const long = documentText(documentOf('a'.repeat(1000), `${'b'.repeat(199)}😀😀`, { server: 's'.repeat(1000) }))
    expect(long.length).toBeLessThanOrEqual(500)
    expect(long.endsWith('b')).toBe(true)
    expect(/\p{Cs}/u.test(long)).toBe(false)
  })

  it('is asked for in batches, and a query is cut as well', async () => {
    const embedder = fakeEmbedder()
    const embedded = embeddedIndex(searchIndex(someDocuments), embedder, { batchSize: 3 })
    await embedded.settled()
    await embedded.scores(`weather ${'long '.repeat(1000)}`)
    expect(embedder.calls.map((texts) => texts.length)).toEqual([3, 1, 1])
    expect(embedder.calls[2]?.[0]?.length).toBe(500)
  })
})
