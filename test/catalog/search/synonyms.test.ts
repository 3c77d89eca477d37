import { describe, expect, it } from 'vitest'
import { stem } from '../../../src/catalog/search/stem.ts'
import { sameUse, sameWord } from '../../../src/catalog/search/synonym-groups.ts'
import { thingsOfKinds } from '../../../src/catalog/search/synonym-kinds.ts'
import { synonyms } from '../../../src/catalog/search/synonyms.ts'

const builtIn = synonyms()
const weightOf = (table: typeof builtIn, word: string, other: string): number =>
  table(stem(word)).find((entry) => entry.stem === stem(other))?.weight ?? 0

describe('the built-in synonyms [C2]', () => {
  it('know short and long forms better than words of the same use, and those better than kinds', () => {
    const [short, use, kind] = [
      weightOf(builtIn, 'repo', 'repository'),
      weightOf(builtIn, 'delete', 'remove'),
      weightOf(builtIn, 'pizza', 'restaurant'),
    ]
    expect(short).toBeGreaterThan(use)
    expect(use).toBeGreaterThan(kind)
    expect(kind).toBeGreaterThan(0)
  })

  it('lead from a thing to its kind, and not back', () => {
    expect(weightOf(builtIn, 'guitar', 'music')).toBeGreaterThan(0)
    expect(weightOf(builtIn, 'music', 'guitar')).toBe(0)
  })

  it('lead both ways between words of a group', () => {
    expect(weightOf(builtIn, 'remove', 'delete')).toBe(weightOf(builtIn, 'delete', 'remove'))
  })

  it('have nothing for a word that they do not know, nor for names of what every object has', () => {
    for (const word of ['zzzz', 'constructor', '__proto__', 'toString']) expect(builtIn(word)).toEqual([])
  })

  it('are single words in small letters, in lines of two or more', () => {
    for (const group of [...sameWord, ...sameUse]) {
      expect(group.length).toBeGreaterThan(1)
      for (const word of group) expect(word).toMatch(/^[a-z0-9]+$/)
    }
    for (const { things, kinds } of thingsOfKinds) {
      expect(kinds.length).toBeGreaterThan(0)
      for (const word of [...things, ...kinds]) expect(word).toMatch(/^[a-z0-9]+$/)
    }
  })
})

describe('configured groups', () => {
  const table = synonyms([
    ['Jira', 'tracker'],
    ['delete', 'obliterate'],
  ])

  it('count more than the built-in table, in any letter case', () => {
    expect(weightOf(table, 'tracker', 'jira')).toBeGreaterThan(weightOf(builtIn, 'repo', 'repository'))
  })

  it('stand beside what the table has', () => {
    expect(weightOf(table, 'delete', 'obliterate')).toBeGreaterThan(0)
    expect(weightOf(table, 'delete', 'remove')).toBe(weightOf(builtIn, 'delete', 'remove'))
  })

  it('are bounded', () => {
    const big = synonyms([Array.from({ length: 10_000 }, (_, at) => `word${at}`)])
    expect(big('word1').length).toBeLessThan(100)
    expect(big('word9999')).toEqual([])
  })
})
