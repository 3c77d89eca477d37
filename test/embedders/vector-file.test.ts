import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fromBytes, toBytes } from '../../src/embedders/vector-bytes.ts'
import { vectorFiles } from '../../src/embedders/vector-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-vectors-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const owner = { id: '@some/model@1.0', dimensions: 3 }
const vectors = (...keys: readonly string[]) =>
  new Map(keys.map((key, at) => [key, Float32Array.of(at, at + 0.5, -at)]))
const onlyFile = (): string => join(folder, readdirSync(folder)[0] ?? 'no file')

describe('vectors in a file', () => {
  it('are there for the next process', async () => {
    await vectorFiles(folder).put(owner, vectors('a', 'ключ', '1:ff:x'))
    const found = await vectorFiles(folder).get(owner, ['ключ', 'a', 'unknown'])
    expect([...found]).toEqual([
      ['ключ', Float32Array.of(1, 1.5, -1)],
      ['a', Float32Array.of(0, 0.5, -0)],
    ])
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^some-model-1-0-[0-9a-f]{16}\.vectors$/)])
  })

  it('are none where there is no file, and no folder is made for it', async () => {
    const missing = join(folder, 'not', 'there')
    expect((await vectorFiles(missing).get(owner, ['a'])).size).toBe(0)
    expect(readdirSync(folder)).toEqual([])
    await vectorFiles(missing).put(owner, vectors('a'))
    expect((await vectorFiles(missing).get(owner, ['a'])).size).toBe(1)
  })

  it('lose nothing when several are written at the same time', async () => {
    const files = vectorFiles(folder)
    await Promise.all(['a', 'b', 'c'].map((key) => files.put(owner, vectors(key))))
    expect((await files.get(owner, ['a', 'b', 'c'])).size).toBe(3)
  })

  it('of two embedders lie apart, even when their names look the same', async () => {
    const files = vectorFiles(folder)
    const other = { ...owner, id: '@some/model 1.0' }
    await files.put(owner, vectors('a'))
    await files.put(other, vectors('b'))
    expect(readdirSync(folder).length).toBe(2)
    expect([...(await files.get(owner, ['a', 'b'])).keys()]).toEqual(['a'])
    expect((await files.get({ ...owner, dimensions: 4 }, ['a'])).size).toBe(0)
  })

  it('make way for newer ones when the file is full', async () => {
    const bytesMax = 4096
    const files = vectorFiles(folder, { bytesMax })
    const wide = { id: 'wide', dimensions: 64 }
    for (let round = 0; round < 20; round++)
      await files.put(wide, new Map([[`key-${round}`, new Float32Array(64).fill(round)]]))
    const found = await files.get(
      wide,
      Array.from({ length: 20 }, (_, at) => `key-${at}`),
    )
    expect(readFileSync(onlyFile()).length).toBeLessThanOrEqual(bytesMax)
    const rounds = [...found.keys()].map((key) => Number(key.slice(4)))
    expect(rounds).toEqual(Array.from({ length: rounds.length }, (_, at) => 20 - rounds.length + at))
    expect(rounds.length).toBeGreaterThan(5)
    expect(found.get('key-19')).toEqual(new Float32Array(64).fill(19))
  })

  it('are ignored when the file is torn, and are written anew', async () => {
    const files = vectorFiles(folder)
    await files.put(owner, vectors('a', 'b'))
    truncateSync(onlyFile(), readFileSync(onlyFile()).length - 8)
    expect((await files.get(owner, ['a', 'b'])).size).toBe(0)
    await files.put(owner, vectors('c'))
    expect([...(await files.get(owner, ['a', 'b', 'c'])).keys()]).toEqual(['c'])
  })

  it('are not read from a file that is too big, nor through a link', async () => {
    await vectorFiles(folder).put(owner, vectors('a', 'b'))
    const path = onlyFile()
    expect((await vectorFiles(folder, { bytesMax: 20 }).get(owner, ['a'])).size).toBe(0)
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, readFileSync(path))
    rmSync(path)
    symlinkSync(elsewhere, path)
    expect((await vectorFiles(folder).get(owner, ['a'])).size).toBe(0)
    await vectorFiles(folder).put(owner, vectors('c'))
    expect([...(await vectorFiles(folder).get(owner, ['a', 'c'])).keys()]).toEqual(['c'])
  })

  it('that cannot be written are told, and leave nothing behind', async () => {
    writeFileSync(join(folder, 'file'), '')
    const inFile = vectorFiles(join(folder, 'file'))
    await expect(inFile.put(owner, vectors('a'))).rejects.toMatchObject({ finding: { code: 'state-file' } })
    await expect(inFile.get(owner, ['a'])).rejects.toMatchObject({ finding: { code: 'state-file' } })
    expect(readdirSync(folder)).toEqual(['file'])
    rmSync(join(folder, 'file'))
    await vectorFiles(folder).put(owner, vectors('a'))
    const path = onlyFile()
    rmSync(path)
    mkdirSync(path)
    await expect(vectorFiles(folder).put(owner, vectors('a'))).rejects.toMatchObject({
      finding: { code: 'state-file' },
    })
    expect(readdirSync(folder)).toEqual([basename(path)])
  })

  it('are for their owner alone', async () => {
    chmodSync(folder, 0o755)
    await vectorFiles(join(folder, 'own')).put(owner, vectors('a'))
    const { mode } = statSync(join(folder, 'own', readdirSync(join(folder, 'own'))[0] ?? ''))
    expect(mode & 0o077).toBe(0)
  })
})

describe('the bytes of vectors', () => {
  it('are read as they were written', async () => {
    const numbers = fc.float32Array({ minLength: 3, maxLength: 3, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), numbers), { selector: ([key]) => key }),
        async (entries) => {
          const read = await fromBytes(await toBytes(owner, new Map(entries)), owner)
          expect(read).toEqual(new Map(entries))
        },
      ),
    )
  })

  it('are read wherever they lie in a bigger buffer', async () => {
    const sound = await toBytes(owner, vectors('a', 'b'))
    const shifted = Buffer.concat([Buffer.from('!'), sound]).subarray(1)
    expect(await fromBytes(shifted, owner)).toEqual(vectors('a', 'b'))
  })

  it('are refused with any byte changed, cut off or added', async () => {
    const sound = await toBytes(owner, vectors('a', 'b'))
    await fc.assert(
      fc.asyncProperty(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Uint8Array.from(sound)
        changed[at] = (changed[at] ?? 0) ^ by
        expect(typeof (await fromBytes(changed, owner))).toBe('string')
        expect(typeof (await fromBytes(sound.subarray(0, at), owner))).toBe('string')
      }),
    )
    expect(await fromBytes(Uint8Array.of(...sound, 0, 0, 0, 0), owner)).toBe('it is torn')
  })

  it('may be anything, and never throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
        expect(typeof (await fromBytes(noise, owner))).toBe('string')
        const begun = Uint8Array.from([...(await toBytes(owner, new Map())).subarray(0, 12), ...noise])
        expect(typeof (await fromBytes(begun, owner))).toBe('string')
      }),
    )
  })
})
