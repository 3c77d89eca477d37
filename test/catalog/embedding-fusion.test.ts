import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedIndex } from '../../src/catalog/embedding/embedded-index.ts'
import { fuseScores } from '../../src/catalog/embedding/fuse-scores.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import { documentOf, someDocuments } from '../embedders/documents.ts'
import { fakeEmbedder } from '../embedders/fake-embedder.ts'

const fused = (lexical: readonly number[], cosines: readonly number[], weight = 0.6) => {
  const { scores, by } = fuseScores(Float64Array.from(lexical), Float64Array.from(cosines), weight)
  return { scores: [...scores].map((score) => Number(score.toFixed(6))), by }
}

describe('fusing words and meaning [C2]', () => {
  it('adds the stretched cosine, in the scale of the words', () => {
    expect(fused([10, 5, 0], [0.2, 0.4, 0.3])).toEqual({ scores: [10, 11, 3], by: 'both' })
  })

  it('takes 1 for the highest score where no word was found', () => {
    expect(fused([0, 0, 0], [-0.5, 0.5, 0])).toEqual({ scores: [0, 0.6, 0.3], by: 'meaning' })
  })

  it('leaves the words as they are where everything is equally near', () => {
    expect(fused([3, 0, 1], [0.7, 0.7, 0.7])).toEqual({ scores: [3, 0, 1], by: 'words' })
    expect(fused([], [])).toEqual({ scores: [], by: 'words' })
  })

  it('finds by meaning alone only the nearest twenty', () => {
    const cosines = Array.from({ length: 100 }, (_, at) => at / 100)
    const found = fused([1, ...Array(99).fill(0)], cosines).scores.flatMap((score, at) => (score > 0 ? [at] : []))
    expect(found).toEqual([0, ...Array.from({ length: 20 }, (_, at) => at + 80)])
  })

  it('has the same best twenty as if meaning counted for all, and changes nothing that it was given', () => {
    const value = fc.double({ min: 0, max: 50, noNaN: true })
    const row = fc.tuple(fc.oneof(fc.constant(0), value), fc.double({ min: -1, max: 1, noNaN: true }))
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 80 }), (rows) => {
        const lexical = Float64Array.from(rows, ([score]) => score)
        const cosines = Float64Array.from(rows, ([, cosine]) => cosine)
        const [near, far] = [Math.max(...cosines), Math.min(...cosines)]
        fc.pre(near - far > 1e-3)
        const scale = Math.max(...lexical) || 1
        const all = rows.map(([score, cosine]) => score + (0.6 * scale * (cosine - far)) / (near - far))
        const got = fuseScores(lexical, cosines, 0.6).scores
        const best = (scores: readonly number[]) => [...scores].sort((a, b) => b - a).slice(0, 20)
        best(all).forEach((score, at) => {
          expect(best([...got])[at]).toBeCloseTo(score, 6)
        })
        expect([...lexical]).toEqual(rows.map(([score]) => score))
        expect([...got].every((score, at) => Number.isFinite(score) && score >= (lexical[at] ?? 0))).toBe(true)
      }),
    )
  })
})

describe('an index that knows meaning [C2]', () => {
  it('finds a tool by other words than its own, and says that it is by meaning alone and weak', async () => {
    const index = searchIndex(someDocuments)
    const embedded = embeddedIndex(index, fakeEmbedder())
    await embedded.settled()
    expect(index.rank('pogoda', 5).hits).toEqual([])
    const { scores, by, ready } = await embedded.scores('pogoda')
    expect({ by, ready }).toEqual({ by: 'meaning', ready: true })
    const { hits, strength } = index.rankScores('pogoda', scores, 5)
    expect({ best: hits[0]?.document.originalName, strength }).toEqual({ best: 'get_forecast', strength: 'weak' })
  })

  it('does not mind how long the vectors are', async () => {
    const index = searchIndex(someDocuments)
    const scoresWith = async (scale: (at: number) => number) => {
      const embedder = fakeEmbedder({
        answer: async (_, vectors) => vectors.map((vector, at) => vector.map((value) => value * scale(at))),
      })
      const embedded = embeddedIndex(index, embedder)
      await embedded.settled()
      return [...(await embedded.scores('usun document')).scores].map((score) => score.toFixed(4))
    }
    expect(await scoresWith((at) => 10 ** at)).toEqual(await scoresWith(() => 1))
  })

  it('goes by words when the embedder has no notion of a query, which it says with zeros', async () => {
    const embedder = fakeEmbedder()
    const index = searchIndex(someDocuments)
    const embedded = embeddedIndex(index, embedder)
    await embedded.settled()
    expect(await embedded.scores('42')).toEqual({ scores: index.scores('42'), by: 'words', ready: true })
    expect(embedder.calls.at(-1)).toEqual(['42'])
  })

  it('lets nothing that is near in meaning pass before an exact name', async () => {
    const twins = Array.from({ length: 30 }, (_, at) =>
      documentOf(`erase_file_${'abcdefghij'.charAt(at % 10)}${at}`, 'erase file erase file'),
    )
    const index = searchIndex([...twins, documentOf('erase_file', 'Something else altogether about pictures')])
    const embedded = embeddedIndex(index, fakeEmbedder(), { weight: 50 })
    await embedded.settled()
    for (const query of ['erase_file', 'files__erase_file', 'erase-file', 'please use erase_file now']) {
      const { scores, by } = await embedded.scores(query)
      expect(by).toBe('both')
      expect(index.rankScores(query, scores, 5).hits[0]).toMatchObject({
        document: { originalName: 'erase_file' },
        exact: true,
      })
    }
  })

  it('counts meaning as much as it is told to', async () => {
    const documents = [documentOf('file_list', 'plain'), documentOf('wipe', 'skasuj plik')]
    const index = searchIndex(documents)
    const first = async (weight: number) => {
      const embedded = embeddedIndex(index, fakeEmbedder(), { weight })
      await embedded.settled()
      const query = 'usun file'
      return index.rankScores(query, (await embedded.scores(query)).scores, 1).hits[0]?.document.originalName
    }
    expect([await first(0.01), await first(20)]).toEqual(['file_list', 'wipe'])
  })
})
