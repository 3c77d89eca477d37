import { describe, expect, it } from 'vitest'
import { hostileDocuments } from '../../bench/search/hostile-documents.ts'
import { hostileQueries } from '../../bench/search/hostile-queries.ts'

describe('the queries of people who mean harm', () => {
  const queries = hostileQueries()

  it('are a hundred, each once, half of them as a /pattern/', () => {
    expect(queries).toHaveLength(100)
    expect(new Set(queries).size).toBe(100)
    expect(queries.filter((query) => query.startsWith('/') && query.endsWith('/'))).toHaveLength(50)
  })

  it('are the same each time', () => {
    expect(hostileQueries()).toEqual(queries)
  })

  it('are mostly short enough to be carried out', () => {
    expect(queries.filter(({ length }) => length > 200).length).toBeLessThanOrEqual(6)
  })
})

describe('the tools that they are asked of', () => {
  it('have a name of their own each, and some a text on which going back does not end', () => {
    const documents = hostileDocuments(500)
    expect(new Set(documents.map(({ name }) => name)).size).toBe(500)
    expect(documents.filter(({ description }) => description.length > 4000)).toHaveLength(10)
    expect(hostileDocuments(500)).toEqual(documents)
  })
})
