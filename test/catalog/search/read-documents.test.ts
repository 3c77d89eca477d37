import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/catalog/search/document-terms.ts'
import { readDocuments } from '../../../src/catalog/search/read-documents.ts'
import type { SearchDocument } from '../../../src/catalog/search/search-document.ts'
import { searchFields } from '../../../src/catalog/search/weights.ts'
import { aDocument, shelf } from './documents.ts'

function fieldsOf(document: SearchDocument): { [field: string]: string[] } {
  const found: { [field: string]: string[] } = {}
  readDocument(document, (word, number) => {
    const field = searchFields[number] ?? ''
    found[field] = [...(found[field] ?? []), word]
  })
  return found
}

describe('what is read of a document [C2]', () => {
  it('is its name, keywords, server, first sentence, the rest, and what its arguments are called and described by', () => {
    const document = aDocument('createIssue', 'Opens an issue. Labels come later.', {
      server: 'forge',
      keywords: ['bug report'],
      inputSchema: {
        type: 'object',
        properties: {
          issueTitle: { type: 'string', description: 'Headline text' },
          labels: { type: 'array', items: { type: 'object', properties: { colour: { enum: ['red', 'blue', 7] } } } },
        },
      },
    })
    expect(fieldsOf(document)).toEqual({
      name: ['create', 'issue'],
      keywords: ['bug', 'report'],
      server: ['forge'],
      lead: ['opens', 'issue'],
      rest: ['labels', 'come', 'later'],
      arguments: ['issue', 'title', 'labels', 'colour'],
      argumentTexts: ['headline', 'text', 'red', 'blue'],
    })
  })

  it.each([
    ['Costs $0.01 a call. More.', ['more']],
    ['First line\nsecond line', ['second', 'line']],
    ['翻译文本。更多', ['更多']],
    ['No end', undefined],
    ['\n\n  Leading blanks. Rest', ['rest']],
  ])('ends the first sentence of %j where a reader would', (description, rest) => {
    expect(fieldsOf(aDocument('x', description)).rest).toEqual(rest)
  })

  it('is bounded in properties, depth and characters', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, { description: 'w '.repeat(50) }]),
    )
    const read = fieldsOf(aDocument('x', 'long '.repeat(50_000), { inputSchema: { properties: wide } }))
    expect(read.arguments?.length).toBeLessThanOrEqual(400)
    expect(read.argumentTexts?.length).toBeLessThanOrEqual(8000)
    expect(read.lead?.length).toBeLessThanOrEqual(2000)
    let deep: { [key: string]: unknown } = {}
    for (let level = 0; level < 500; level++) deep = { properties: { [`level${level}`]: deep } }
    expect(fieldsOf(aDocument('x', '', { inputSchema: deep as never })).arguments?.length).toBeLessThan(20)
  })

  it.each([
    [{}],
    [{ properties: [] }],
    [{ properties: { a: null, b: 7, c: { description: 5, enum: 'no' } } }],
    [{ properties: { ['__proto__']: { description: 'proto words' } } }],
  ])('is nothing odd for a schema like %j', (inputSchema) => {
    expect(() => fieldsOf(aDocument('x', '', { inputSchema: inputSchema as never }))).not.toThrow()
  })
})

describe('reading after a change', () => {
  const before = readDocuments(shelf)

  it('keeps what was read of documents with the same text', () => {
    const changed = shelf.map((document, at) =>
      at === 3 ? { ...document, description: 'Something new.', definitionHash: 'new' } : document,
    )
    const after = readDocuments([...changed].reverse(), before)
    const kept = after.terms.filter((terms) => before.terms.includes(terms))
    expect(kept).toHaveLength(shelf.length - 1)
    expect(after.terms[shelf.length - 1 - 3]).not.toBe(before.terms[3])
  })

  it.each([
    [{ definitionHash: 'other' }],
    [{ keywords: ['more'] }],
    [{ description: 'Shortened for the target.' }],
    [{ server: 'elsewhere' }],
    [{ originalName: 'other' }],
  ])('reads anew when %j', (change) => {
    const after = readDocuments([{ ...(shelf[0] as SearchDocument), ...change }], before)
    expect(before.terms).not.toContain(after.terms[0])
  })

  it('forgets words of long ago, so that changes without end do not fill the memory', () => {
    let read = readDocuments(shelf)
    const first = read.lexicon.size()
    for (let round = 0; round < 50; round++) {
      const fresh = shelf.map((document, at) => aDocument(`tool${at}`, `word${round}x${at} ${document.description}`))
      read = readDocuments(fresh, read)
      expect(read.lexicon.size()).toBeLessThan(3 * first + 100)
    }
  })
})
