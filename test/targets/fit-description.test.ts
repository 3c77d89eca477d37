import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitDescription } from '../../src/targets/fit-description.ts'

/** Half of a surrogate pair. */
const halved = /\p{Cs}/u

const wanted = { descriptionRequired: true }

describe('the description for a target [G10]', () => {
  it.each([
    [
      'C-070: the title stands in for an empty one',
      { description: '', title: 'Take a screenshot' },
      'Take a screenshot',
    ],
    ['the name in words where there is no title', { description: ' \n' }, 'take element screenshot'],
    ['what is there stays', { description: ' x ' }, ' x '],
  ])('%s', (_case, definition, description) => {
    expect(fitDescription(definition, 'take_element-screenshot', wanted).description).toBe(description)
  })

  it('leaves an empty one where none is required', () => {
    const definition = { description: '', title: 'T' }
    expect(fitDescription(definition, 'n', { descriptionRequired: false })).toEqual({ description: '', change: 'none' })
  })

  it('C-071: marks a cut, and the mark counts', () => {
    const { description, change } = fitDescription({ description: 'a'.repeat(3900) }, 'n', {
      ...wanted,
      descriptionMax: 2048,
    })
    expect([description.length, change]).toEqual([2048, 'cut'])
    expect(description).toMatch(/a … \[cut\]$/)
  })

  it('never exceeds the limit, never halves a character, and cuts once', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.integer({ min: 1, max: 120 }),
        (description, descriptionMax) => {
          const limits = { descriptionRequired: true, descriptionMax }
          const once = fitDescription({ description }, 'name', limits).description
          expect(once.length).toBeLessThanOrEqual(descriptionMax)
          if (!halved.test(description)) expect(once).not.toMatch(halved)
          if (once.trim() !== '') expect(fitDescription({ description: once }, 'name', limits).change).toBe('none')
        },
      ),
    )
  })
})
