import { describe, expect, it } from 'vitest'
import { meanOf, scoresOf, type Wanted } from '../../bench/search/metrics.ts'

/** `a|b & c`: one need met by a or b, another met by c. */
const wanted = (text: string): Wanted => {
  const needs = text.split(' & ').map((need) => need.split('|'))
  return { needs, relevant: new Set(needs.flat()) }
}
const answer = (text: string): readonly string[] => text.split(' ').filter((name) => name !== '')
const recalls = (text: string, names: string): readonly number[] => {
  const { recall } = scoresOf(wanted(text), answer(names))
  return [recall[1], recall[3], recall[5], recall[10], recall[20]]
}
const twenty = Array.from({ length: 20 }, (_, at) => `x${at + 1}`)
/** Twenty names of no use, with these put at their places (1 is the first). */
const at = (places: { readonly [place: number]: string }): string =>
  twenty.map((name, index) => places[index + 1] ?? name).join(' ')

describe('recall is the share of needs that the first k names meet', () => {
  it.each<[string, string, string, readonly number[]]>([
    ['all at once', 'a', 'a', [1, 1, 1, 1, 1]],
    ['nothing found', 'a', 'b c', [0, 0, 0, 0, 0]],
    ['no answer at all', 'a', '', [0, 0, 0, 0, 0]],
    ['the last place of each depth', 'a', at({ 5: 'a' }), [0, 0, 1, 1, 1]],
    ['one place behind a depth', 'a', at({ 6: 'a' }), [0, 0, 0, 1, 1]],
    ['the twentieth', 'a', at({ 20: 'a' }), [0, 0, 0, 0, 1]],
    ['the twenty-first', 'a', `${at({})} a`, [0, 0, 0, 0, 0]],
    ['two needs, one after the other', 'a & b', at({ 1: 'a', 4: 'b' }), [0.5, 0.5, 1, 1, 1]],
    ['any tool of a need meets it', 'a|b & c', 'b x c', [0.5, 1, 1, 1, 1]],
    ['a second tool of a met need adds nothing', 'a|b & c', 'a b', [0.5, 0.5, 0.5, 0.5, 0.5]],
    ['a tool that two needs share meets both', 'a|b & a|c', 'a', [1, 1, 1, 1, 1]],
    ['four needs, three met', 'a & b & c & d', 'a b c', [0.25, 0.75, 0.75, 0.75, 0.75]],
  ])('%s', (_, needs, names, expected) => {
    expect(recalls(needs, names)).toEqual(expected)
  })
})

describe('nDCG@5 counts each need once', () => {
  // Discounts of the places: 1, 1/log2(3) = 0.63093, 0.5, 1/log2(5) = 0.43068, 1/log2(6) = 0.38685.
  it.each<[string, string, string, number]>([
    ['first', 'a', 'a', 1],
    ['second', 'a', 'x a', 0.63093],
    ['third', 'a', 'x y a', 0.5],
    ['fifth', 'a', at({ 5: 'a' }), 0.38685],
    ['sixth', 'a', at({ 6: 'a' }), 0],
    ['two needs at the best places', 'a & b', 'b a', 1],
    // (1 + 0.5) / (1 + 0.63093)
    ['two needs, first and third', 'a & b', 'a x b', 0.91972],
    // 1 / (1 + 0.63093): the second name meets the need that is met already
    ['interchangeable tools side by side', 'a|b & c', 'a b', 0.61315],
    // (1 + 0.43068) / (1 + 0.63093): the third name is not counted, the fourth is
    ['a repeat between two needs', 'a|b & c', 'a x b c', 0.87722],
    // With six needs the best answer can show five: (1 + 0.63093 + 0.5 + 0.43068 + 0.38685) / the same
    ['more needs than places', 'a & b & c & d & e & f', 'a b c d e f', 1],
    ['no answer', 'a & b', '', 0],
  ])('%s', (_, needs, names, expected) => {
    expect(scoresOf(wanted(needs), answer(names)).ndcg5).toBeCloseTo(expected, 5)
  })

  it('lets a tool that two needs share meet only one of them', () => {
    expect(scoresOf(wanted('a|b & a|c'), answer('a')).ndcg5).toBeCloseTo(0.61315, 5)
  })
})

describe('the reciprocal rank looks at the first ten names', () => {
  it.each<[string, string, number]>([
    ['a', 'a', 1],
    ['a', 'x a', 0.5],
    ['a & b', 'x y b a', 1 / 3],
    ['a', at({ 10: 'a' }), 0.1],
    ['a', at({ 11: 'a' }), 0],
    ['a', '', 0],
  ])('%s in %s', (needs, names, expected) => {
    expect(scoresOf(wanted(needs), answer(names)).mrr).toBeCloseTo(expected, 10)
  })

  it('counts a relevant tool that is in no need', () => {
    const query: Wanted = { needs: [['a']], relevant: new Set(['a', 'also']) }
    expect(scoresOf(query, ['also', 'a']).mrr).toBe(1)
    expect(scoresOf(query, ['also', 'a']).recall[1]).toBe(0)
  })
})

describe('the mean over queries', () => {
  it('weighs every query alike, however many needs it has', () => {
    const mean = meanOf([scoresOf(wanted('a'), answer('a')), scoresOf(wanted('a & b & c & d'), answer('x a'))])
    expect(mean.recall[1]).toBe(0.5)
    expect(mean.recall[3]).toBe(0.625)
    expect(mean.mrr).toBe(0.75)
    // The second query: 0.63093 / (1 + 0.63093 + 0.5 + 0.43068) = 0.24630
    expect(mean.ndcg5).toBeCloseTo(0.62315, 5)
  })

  it('is zero of none, and no NaN', () => {
    expect(meanOf([])).toEqual({ recall: { 1: 0, 3: 0, 5: 0, 10: 0, 20: 0 }, ndcg5: 0, mrr: 0 })
  })
})
