import { describe, expect, it } from 'vitest'
import { root, stem } from '../../../src/catalog/search/stem.ts'

describe('the stem of a word [C2]', () => {
  it.each([
    ['create', 'creates', 'created', 'creating', 'creation'],
    ['file', 'files', 'filing'],
    ['query', 'queries', 'querying'],
    ['run', 'running', 'runs'],
    ['translate', 'translation', 'translations', 'translated'],
    ['box', 'boxes'],
    ['search', 'searches', 'searching'],
    ['convert', 'converting', 'converts'],
  ])('is one for the forms of %s', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1)
  })

  it.each([
    ['class', 'clas'],
    ['status', 'statu'],
    ['analysis', 'analysi'],
    ['thing', 'th'],
    ['string', 'str'],
    ['red', 'r'],
    ['speed', 'spe'],
    ['using', 'us'],
    ['fixing', 'fixe'],
    ['calling', 'cal'],
  ])('does not take %s apart', (word, wrong) => {
    expect(stem(word)).not.toBe(wrong)
  })

  it.each(['v2', 'mp3s', 'данные', '翻译', 'as', ''])('leaves %j as it is', (word) => {
    expect(stem(word)).toBe(word)
  })
})

describe('the root of a stem', () => {
  it.each([
    ['calculator', 'calculate', 'calculation'],
    ['payment', 'payments'],
    ['converter', 'convert', 'converted'],
    ['editor', 'edit'],
    ['organizer', 'organization', 'organize'],
    ['summary', 'summarize'],
    ['player', 'play'],
  ])('joins %s with the words it belongs to', (...forms) => {
    expect(new Set(forms.map((form) => root(stem(form)))).size).toBe(1)
  })

  it.each([
    ['organ', 'order'],
    ['comment', 'commit'],
    ['message', 'measure'],
    ['file', 'filter'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(root(stem(one))).not.toBe(root(stem(other)))
  })

  it('never leaves less than four letters', () => {
    for (const word of ['later', 'data', 'order', 'item', 'rate', 'rent']) expect(root(word).length).toBeGreaterThan(3)
  })
})
