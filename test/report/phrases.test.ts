import { describe, expect, it } from 'vitest'
import { phrases } from '../../src/report/phrases.ts'

function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, path === '' ? key : `${path}.${key}`))
}

describe('interface texts [U5]', () => {
  const english = leaves(phrases.en)
  const chinese = leaves(phrases.zh)

  it('are the same list of keys in both languages', () => {
    expect(chinese.map(([key]) => key)).toEqual(english.map(([key]) => key))
  })

  it('are Chinese in Chinese', () => {
    const latin = chinese.filter(([, text]) => typeof text === 'string' && !/\p{sc=Han}/u.test(text))
    expect(latin).toEqual([])
  })

  it('hold no line breaks and no blanks at their ends', () => {
    const texts = [...english, ...chinese].map(([, text]) => text).filter((text) => typeof text === 'string')
    expect(texts.filter((text) => text.includes('\n') || text.trim() !== text || text === '')).toEqual([])
  })
})
