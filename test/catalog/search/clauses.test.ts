import { describe, expect, it } from 'vitest'
import { clauses } from '../../../src/catalog/search/clauses.ts'

describe('clauses of a request', () => {
  it.each([
    ['Find the file. Then send it!', ['Find the file', 'Then send it']],
    ['find the file, then send it and also archive it', ['find the file', 'send it', 'archive it']],
    ['load audio + detect beats + plot them', ['load audio', 'detect beats', 'plot them']],
    ['查天气。订火车票', ['查天气', '订火车票']],
    ['version 1.2.3 of file.txt', ['version 1.2.3 of file.txt']],
    ['one\ntwo; three', ['one', 'two', 'three']],
    ['', []],
  ])('%j gives %j', (text, expected) => {
    expect(clauses(text)).toEqual(expected)
  })

  it('are bounded in number', () => {
    expect(clauses('do this. '.repeat(1000)).length).toBeLessThanOrEqual(16)
  })
})
