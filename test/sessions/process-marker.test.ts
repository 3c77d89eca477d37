import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bearsMarker, markerValue, newMarker } from '../../src/sessions/processes/process-marker.ts'

const aMarker = fc.stringMatching(/^[0-9a-f]{32}$/)

describe('the mark of a session [M1]', () => {
  it('is another one each time', () => {
    expect(newMarker()).toMatch(/^[0-9a-f]{32}$/)
    expect(newMarker()).not.toBe(newMarker())
  })

  it('is found in the value that a server gets, and so is the outermost mark that we bear ourselves', () => {
    fc.assert(
      fc.property(fc.uniqueArray(aMarker, { minLength: 1, maxLength: 30 }), (nested) => {
        const value = nested.reduce<string | undefined>(
          (inherited, marker) => markerValue(marker, inherited),
          undefined,
        )
        expect(bearsMarker(value ?? '', nested[0] ?? '')).toBe(true)
        expect(bearsMarker(value ?? '', nested.at(-1) ?? '')).toBe(true)
        expect(value?.length).toBeLessThan(300)
      }),
    )
  })

  it('takes over nothing that is no mark', () => {
    const marker = newMarker()
    fc.assert(
      fc.property(fc.string(), (foreign) => {
        expect(markerValue(marker, foreign)).toBe(marker)
        expect(bearsMarker(foreign, marker)).toBe(false)
      }),
    )
  })
})
