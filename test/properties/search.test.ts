import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTools } from '../../src/catalog/find-tools.ts'
import { parseQuery } from '../../src/catalog/query.ts'
import type { SearchDocument } from '../../src/catalog/search/search-document.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import { words } from '../../src/catalog/search/words.ts'

const vocabulary = [
  'list',
  'issue',
  'read',
  'file',
  'send',
  'mail',
  'weather',
  'convert',
  'delete',
  'user',
  '查',
  '翻译',
]
const someText = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...vocabulary), { maxLength: 6 }).map((parts) => parts.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
)
const someName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }).map((p) => p.join('_')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty') },
)
const schema = fc.oneof(
  fc.constant({}),
  fc.json({ maxDepth: 4 }).map((text) => ({ properties: JSON.parse(text) })),
  fc.dictionary(someName, fc.record({ description: someText })).map((properties) => ({ type: 'object', properties })),
)
const documents: fc.Arbitrary<readonly SearchDocument[]> = fc.uniqueArray(
  fc
    .record({
      originalName: someName,
      server: fc.option(fc.constantFrom('disk', 'forge', 'post'), { nil: undefined }),
      description: someText,
      inputSchema: schema,
      keywords: fc.array(someText, { maxLength: 2 }),
      priority: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ server, ...more }) => ({
      ...more,
      ...(server === undefined ? {} : { server }),
      name: server === undefined ? more.originalName : `${server}__${more.originalName}`,
      definitionHash: JSON.stringify(more),
    })),
  { selector: ({ name }) => name, maxLength: 12 },
)
const query = fc.oneof(
  someText,
  someName,
  fc.array(someName, { maxLength: 4 }).map((names) => `select:${names.join(',')}`),
  someText.map((text) => `+${text}`),
  someText.map((text) => `/${text}/`),
  fc.constantFrom('(a+)+$', '/(a|a)*$/', '/[ab]*a[ab]{14}c/', 'select:', '+', '//', '\ud800', 'x'.repeat(300)),
  fc.string({ unit: 'binary', maxLength: 250 }),
)
const runs = { numRuns: 400 }

describe('a search [P24]', () => {
  it('gives what it holds, once, at most so many, for any query, and never throws', () => {
    fc.assert(
      fc.property(documents, query, fc.nat(7), (held, text, maxResults) => {
        const index = searchIndex(held)
        const found = findTools(index, text, { maxResults, moreMax: 3 })
        if (found.kind === 'fault') return
        const given = found.kind === 'ranked' ? [...found.found, ...found.more] : found.found
        expect(new Set(given).size).toBe(given.length)
        for (const document of given) expect(held).toContain(document)
        if (found.kind !== 'ranked') return
        expect(found.found.length).toBeLessThanOrEqual(maxResults)
        expect(found.more.length).toBeLessThanOrEqual(3)
        expect(found.total).toBeGreaterThanOrEqual(given.length)
        expect(found.total).toBeLessThanOrEqual(held.length)
        expect(found.strength === 'none').toBe(found.total === 0)
      }),
      runs,
    )
  })

  it('selects exactly what is asked by surface name', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.boolean()), (held, picks) => {
        const wanted = held.filter(({ name }) => picks.next().value === true && isPlain(name))
        const text = `select:${wanted.map(({ name }) => name).join(',')}`
        if (text.length > 200 || wanted.length === 0) return
        expect(findTools(searchIndex(held), text)).toEqual({
          kind: 'select',
          found: wanted,
          unknown: [],
          ambiguous: [],
        })
      }),
      runs,
    )
  })

  it('gives the same for the same, asked again or from an index that was made out of another', () => {
    fc.assert(
      fc.property(documents, documents, query, (held, before, text) => {
        const index = searchIndex(held)
        const once = findTools(index, text)
        expect(findTools(index, text)).toEqual(once)
        expect(findTools(searchIndex(held, { previous: searchIndex(before) }), text)).toEqual(once)
      }),
      runs,
    )
  })

  it('depends on the order of documents in ties alone', () => {
    fc.assert(
      fc.property(documents, someText, fc.integer(), (held, text, seed) => {
        const shuffled = [...held].sort((a, b) => order(a, seed) - order(b, seed))
        const [one, other] = [held, shuffled].map((each) => searchIndex(each).rank(text, 50))
        const scoresOf = (ranking = one) => new Map(ranking?.hits.map((hit) => [hit.document.name, hit.score]))
        expect(other?.total).toBe(one?.total)
        for (const [name, score] of scoresOf(one)) expect(scoresOf(other).get(name)).toBeCloseTo(score, 6)
      }),
      runs,
    )
  })

  it('matches the same documents when one is added that has nothing to do with the query', () => {
    const stranger = {
      name: 'qqzz_vvkk',
      originalName: 'qqzz_vvkk',
      description: 'Xxjj wwpp.',
      inputSchema: {},
      keywords: [],
      priority: 0,
      definitionHash: 'stranger',
    }
    fc.assert(
      fc.property(documents, someText, (held, text) => {
        fc.pre(
          held.every(({ name }) => name !== stranger.name) && !words(text).some((word) => /qq|vv|xx|ww/.test(word)),
        )
        const names = (each: readonly SearchDocument[]): readonly string[] =>
          searchIndex(each)
            .rank(text, 50)
            .hits.map(({ document }) => document.name)
            .sort()
        expect(names([...held, stranger])).toEqual(names(held))
      }),
      runs,
    )
  })

  it('explains each hit, with its rank and score', () => {
    fc.assert(
      fc.property(documents, someText, (held, text) => {
        const index = searchIndex(held)
        index.rank(text, 50).hits.forEach(({ document, score, exact }, at) => {
          expect(index.explain(text, document.name)).toMatchObject({ rank: at + 1, score, exact })
        })
      }),
      { numRuns: 150 },
    )
  })
})

describe('a query [P24]', () => {
  it('has a form, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), query), (value) => {
        const parsed = parseQuery(value)
        if (parsed.kind === 'fault') expect(`${parsed.message}${parsed.hint}`).toMatch(/^[\x20-\x7e]+$/)
      }),
      { numRuns: 2000 },
    )
  })
})

/** What can be written between commas, and is read back as it is. */
const isPlain = (name: string): boolean => /^[\w.-]+$/.test(name)

const order = ({ name }: SearchDocument, seed: number): number => {
  let value = seed
  for (const char of name) value = (Math.imul(value, 31) + (char.codePointAt(0) ?? 0)) | 0
  return value
}
