import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkOwner, folderNameOf, isDeviceName } from '../../src/workspace/folder-name.ts'
import { codeOf, faultOf } from './a-thread.ts'

const anId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)

describe('the folder name of an id [W1]', () => {
  it.each([
    ['alice', 'alice'],
    ['thread-12_a', 'thread-12_a'],
    ['Alice', 'Alice+1'],
    ['aLICE', 'aLICE+1e'],
    ['ALICE', 'ALICE+1f'],
    ['con', 'con+0'],
    ['CON', 'CON+7'],
    ['lpt9', 'lpt9+0'],
    ['console', 'console'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['-rf', '-rf'],
    ['9', '9'],
  ])('%s is %s', (id, name) => {
    expect(folderNameOf(id)).toBe(name)
  })

  it('differs for two ids even where letter case does not count', () => {
    fc.assert(
      fc.property(anId, anId, (one, other) => {
        const same = folderNameOf(one).toLowerCase() === folderNameOf(other).toLowerCase()
        expect(same).toBe(one === other)
      }),
      { numRuns: 5000 },
    )
  })

  it('differs for two spellings of one word', () => {
    const spelled = fc
      .tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.bigInt({ min: 0n, max: 4095n }))
      .map(([word, bits]) =>
        [...word].map((char, at) => ((bits >> BigInt(at)) & 1n ? char.toUpperCase() : char)).join(''),
      )
    fc.assert(
      fc.property(spelled, spelled, (one, other) => {
        expect(folderNameOf(one).toLowerCase() === folderNameOf(other).toLowerCase()).toBe(one === other)
      }),
      { numRuns: 5000 },
    )
  })

  it('holds no step upwards, no slash and no name of a device', () => {
    fc.assert(
      fc.property(fc.oneof(anId, fc.constantFrom('con', 'PRN', 'Aux', 'nul', 'com1', 'LPT3')), (id) => {
        const name = folderNameOf(id)
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}(\+[0-9a-f]{1,16})?$/)
        expect(isDeviceName(name)).toBe(false)
      }),
    )
  })
})

describe('ids that cannot be used [W1, M1]', () => {
  it.each([
    ['empty', ''],
    ['a step upwards', '..'],
    ['a slash', 'a/b'],
    ['a line break at its end', 'a\n'],
    ['a dot', 'a.b'],
    ['65 letters', 'a'.repeat(65)],
    ['a wide letter', 'ａ'],
    ['a NUL', 'a\u0000'],
    ['no text', 7],
    ['null', null],
    ['an object that turns into text', { toString: () => 'a' }],
  ])('%s', async (_what, id) => {
    const owner = { user: id as string, thread: 'ok' }
    expect(await codeOf(() => checkOwner(owner))).toBe('invalid-id')
    expect(await faultOf(() => checkOwner({ user: 'ok', thread: id as string }))).toMatchObject({ subject: 'thread' })
  })

  it('are told in one printable line that says which id it is', async () => {
    const { message, subject } = await faultOf(() => checkOwner({ user: 'a\u001b[2J\n', thread: 't' }))
    expect(subject).toBe('user')
    expect(message).toBe('the user id "a\\u001b[2J\\u000a" cannot be used')
  })
})
