// What a model gets of a result, and where the rest of it is.

import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { jsonLines } from '../../src/runtime/results/json-lines.ts'
import type { Keep } from '../../src/runtime/results/keeper.ts'
import { previewText } from '../../src/runtime/results/preview-text.ts'
import { shownMax } from '../../src/runtime/results/shown-binary.ts'
import { withinBudget } from '../../src/runtime/results/within-budget.ts'
import type { CallOutcome, ToolResult } from '../../src/runtime/tool-call.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { readFile } from '../../src/tools/index.ts'
import { imageLimits } from '../../src/workspace/files/image-header.ts'
import { jpeg, png } from '../tools/an-image.ts'
import { aThread, type Thread } from '../workspace/a-thread.ts'
import { setting, text, toolOf } from './a-setting.ts'

const folder = '/mnt/user-data/workspace/.results/'
let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})

interface Given {
  readonly bytesMax?: number
  readonly sees?: boolean
  readonly workspace?: Thread['workspace'] | undefined
}
/** What a model gets of an answer, through all middlewares. */
async function seen(answer: CallOutcome, { bytesMax = 2000, sees = true, ...given }: Given = {}): Promise<ToolResult> {
  const workspace = 'workspace' in given ? given.workspace : thread.workspace
  const { call } = setting({
    answer,
    tools: [toolOf('list'), aCandidate({ name: 'read', role: 'file-read' })],
    facts: { model: { can: sees ? ['tools', 'vision'] : ['tools'] } },
    more: { results: { bytesMax, ...(workspace === undefined ? {} : { workspace }) } },
  })
  const outcome = await call({ name: 'list', args: { path: '/x' } })
  if (outcome.kind !== 'result') throw new Error(outcome.message)
  return outcome
}
const wordsOf = ({ content }: ToolResult): string => content.map((block) => block.text ?? '').join('\n')
const kept = (): readonly string[] => readdirSync(thread.at('.results')).sort()
const keptText = (name = kept()[0] ?? ''): string => readFileSync(thread.at(`.results/${name}`), 'utf8')
const image = (bytes: Buffer, mimeType = 'image/png'): JsonObject => ({
  type: 'image',
  data: bytes.toString('base64'),
  mimeType,
})
const result = (...content: readonly JsonObject[]): ToolResult => ({ kind: 'result', content, isError: false })
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('a text of a result [R6]', () => {
  it('is left as it is up to the limit', async () => {
    const answer = { ...text('x'.repeat(2000)), structuredContent: { a: 1 }, meta: { b: 2 } }
    expect(await seen(answer)).toEqual(answer)
  })

  it('over it is kept whole, and the model gets both ends, what is missing, and the way to it', async () => {
    const whole = lines(1000)
    const answer = await seen(text(whole))
    expect(keptText()).toBe(whole)
    const path = `${folder}${kept()[0]}`
    expect(path).toMatch(/\/list-[0-9a-f]{16}\.txt$/)
    const [note, ...rest] = wordsOf(answer).split('\n')
    expect(note).toBe(
      `[This result has ${whole.length} bytes, and 2000 fit. The whole is kept as ${path}. Read it in parts with read.]`,
    )
    const gap = rest.findIndex((line) => line.startsWith('['))
    const head = rest.slice(0, gap).join('\n')
    const tail = rest.slice(gap + 1).join('\n')
    expect(whole.startsWith(`${head}\n`)).toBe(true)
    expect(whole.endsWith(`\n${tail}`)).toBe(true)
    const left = whole.length - head.length - 1 - tail.length
    expect(rest[gap]).toBe(`[${left} bytes are left out here; they begin on line ${gap + 1}]`)
    expect(Buffer.byteLength(wordsOf(answer))).toBeLessThan(2000)
  })

  it('can be read to its end, from the line that is named, by the tool that reads files', async () => {
    const whole = lines(20_000)
    const answer = wordsOf(await seen(text(whole), { bytesMax: 65_536 }))
    const [, path = ''] = /kept as (\S+)\. Read/.exec(answer) ?? []
    const [, next] = /begin on line (\d+)/.exec(answer) ?? []
    const part = await readFile.execute?.(
      { path, start_line: Number(next), end_line: Number(next) },
      { workspace: thread.workspace },
    )
    expect(part).toContain(`line ${next}\n`)
    expect(answer).toContain(`line ${Number(next) - 1}\n[`)
  })

  it('counts together with the others, and they are kept in one file', async () => {
    const answer = await seen(
      result(...Array.from({ length: 5 }, (_, index) => ({ type: 'text', text: `${index}`.repeat(600) }))),
    )
    expect(answer.content).toHaveLength(1)
    expect(keptText()).toBe([0, 1, 2, 3, 4].map((index) => `${index}`.repeat(600)).join('\n'))
  })

  it('counts in whatever block it stands', async () => {
    const resource = { type: 'resource', resource: { uri: 'file:///a', text: lines(400) } }
    expect(wordsOf(await seen(result(resource)))).toContain('This result has')
    const odd = { type: 'odd', words: 'y'.repeat(3000) }
    expect(wordsOf(await seen(result(odd)))).toContain('This result has')
    const marked = { type: 'text', text: 'a', annotations: { note: 'z'.repeat(3000) } }
    expect(wordsOf(await seen(result(marked)))).toContain('This result has')
  })

  it('of an error of the tool counts the same, and stays an error', async () => {
    const answer = await seen({ ...text(lines(1000)), isError: true })
    expect(answer.isError).toBe(true)
    expect(keptText()).toBe(lines(1000))
  })

  it('is kept without secrets, and with the paths that the model knows', async () => {
    const root = { virtual: '/mnt/user-data/workspace', host: thread.workspace.cwd, writable: true }
    const view = { workspace: { ...thread.workspace, roots: [root] }, openRoots: [], privateRoots: [thread.base] }
    const { call } = setting({
      answer: text(`${lines(400)}hunter2 in ${thread.workspace.cwd}/a and ${thread.outside}\n`),
      view,
      more: { results: { bytesMax: 1024, workspace: thread.workspace } },
    })
    await call({ name: 'list', args: { path: '/x' } })
    expect(keptText()).toContain('*** in /mnt/user-data/workspace/a and [path outside the workspace]')
  })

  it('that is JSON in one line is kept with one value a line, and no value changes', async () => {
    const json = `{"n":12345678901234567890,"rows":[${Array.from({ length: 3000 }, (_, index) => `{"id":${index},"s":"a, {\\"b\\": 1}"}`).join(',')}],"e":[],"o":{}}`
    const answer = wordsOf(await seen(text(json)))
    expect(answer).toContain('The whole, as JSON with one value a line, is kept as')
    expect(kept()[0]).toMatch(/\.json$/)
    expect(keptText()).toContain('"n": 12345678901234567890,\n')
    expect(keptText()).toContain('"s": "a, {\\"b\\": 1}"\n')
    expect(JSON.parse(keptText())).toEqual(JSON.parse(json))
  })

  it('has no file where none can be written: the words say so, and the call has its result', async () => {
    mkdirSync(join(thread.base, 'elsewhere'))
    symlinkSync(join(thread.base, 'elsewhere'), thread.at('.results'))
    const linked = await seen(text(lines(1000)))
    expect(wordsOf(linked)).toContain('could not be kept: /mnt/user-data/workspace/.results is a link')
    expect(wordsOf(linked)).toContain('line 1\n')
    expect(readdirSync(join(thread.base, 'elsewhere'))).toEqual([])
    expect(wordsOf(await seen(text(lines(1000)), { workspace: undefined }))).toContain('no folder of a thread')
  })

  it('of the tool that reads what was kept is not kept again', async () => {
    const answer = text(lines(5000))
    const reading = (role?: 'file-read', protocol?: 'mcp') =>
      setting({
        answer,
        tools: [
          aCandidate({
            name: 'read',
            ...(role === undefined ? {} : { role }),
            ...(protocol === undefined ? {} : { protocol }),
          }),
        ],
        more: { results: { bytesMax: 2000, workspace: thread.workspace } },
      }).call({ name: 'read', args: {} })
    expect(await reading('file-read')).toEqual(answer)
    expect(await reading()).not.toEqual(answer)
    expect(await reading('file-read', 'mcp')).not.toEqual(answer)
  })
})

describe('the structure of a result [R6]', () => {
  const structuredContent = { rows: Array.from({ length: 500 }, (_, id) => ({ id })) }

  it('over the limit is kept in a file of its own', async () => {
    const answer = await seen({ ...text('500 rows'), structuredContent })
    expect(answer.structuredContent).toBeUndefined()
    expect(wordsOf(answer)).toMatch(
      /^500 rows\n\[The structure of this result has \d+ bytes, and is left out; it is kept as \S+\.json\.\]$/,
    )
    expect(JSON.parse(keptText())).toEqual(structuredContent)
  })

  it('that says the same as the text is kept once', async () => {
    const answer = await seen({ ...text(JSON.stringify(structuredContent)), structuredContent })
    expect(answer.structuredContent).toBeUndefined()
    expect(wordsOf(answer)).toContain('[The structure of this result says the same, and is left out.]')
    expect(kept()).toHaveLength(1)
  })
})

describe('an image of a result [R6]', () => {
  it('is shown to a model that sees, with the kind that it really is, whatever its bytes cost', async () => {
    const photo = Buffer.from(jpeg(640, 480))
    const answer = await seen(
      result({ type: 'text', text: 'a' }, image(photo, 'image/png'), { type: 'text', text: 'b' }),
    )
    expect(answer.content).toEqual([
      { type: 'text', text: 'a' },
      image(photo, 'image/jpeg'),
      { type: 'text', text: 'b' },
    ])
  })

  it('is a line and a file for a model that does not see', async () => {
    const answer = await seen(result(image(png(640, 480)), { type: 'text', text: 'b' }), { sees: false })
    expect(answer.content.map(({ type }) => type)).toEqual(['text', 'text'])
    const path = `${folder}${kept()[0]}`
    expect(answer.content[0]?.text).toBe(
      `[image/png, 640 × 480 pixels, 29 bytes: this model sees no images; kept as ${path}]`,
    )
    expect(readFileSync(thread.at(`.results/${kept()[0]}`))).toEqual(png(640, 480))
  })

  it.each([
    [
      'of another kind',
      image(Buffer.from('<svg/>'), 'image/svg+xml'),
      'image/svg+xml, 6 bytes: no png, jpeg, webp or gif',
    ],
    ['with too many pixels', image(png(8001, 4)), '8001 × 4 pixels, 29 bytes: too large to be shown'],
    [
      'with too many bytes',
      image(Buffer.concat([png(4, 4), Buffer.alloc(imageLimits.bytes)])),
      'too large to be shown',
    ],
    ['that is no base64', { type: 'image', data: '!!', mimeType: 'image/png' }, 'no png, jpeg, webp or gif'],
  ])('%s is shown to none', async (_what, block, words) => {
    const answer = await seen(result(block))
    expect(answer.content).toHaveLength(1)
    expect(wordsOf(answer)).toContain(words)
  })

  it('is shown while there is room for it in one result', async () => {
    const answer = await seen(
      result(...Array.from({ length: shownMax.images + 2 }, (_, index) => image(png(index + 1, 1)))),
    )
    expect(answer.content.filter(({ type }) => type === 'image')).toHaveLength(shownMax.images)
    expect(wordsOf(answer)).toContain('one image too many to be shown')
  })

  it('stays beside a text that is shortened', async () => {
    const answer = await seen(result({ type: 'text', text: lines(1000) }, image(png(1, 1))))
    expect(answer.content.map(({ type }) => type)).toEqual(['text', 'image'])
    expect(keptText()).toBe(lines(1000))
  })
})

describe('sounds and files in a result [R6]', () => {
  const blob = (bytes: number, mimeType = 'application/pdf', content: Buffer = Buffer.alloc(bytes, 7)): JsonObject => ({
    type: 'resource',
    resource: { uri: 'file:///a.pdf', mimeType, blob: content.toString('base64') },
  })

  it('are lines and files', async () => {
    const sound = { type: 'audio', data: Buffer.alloc(99).toString('base64'), mimeType: 'audio/wav' }
    const answer = wordsOf(await seen(result(sound, blob(3000))))
    expect(answer).toMatch(/\[audio\/wav, 99 bytes: a sound, and not shown; kept as \S+\.wav\]/)
    expect(answer).toMatch(
      /\[file:\/\/\/a\.pdf: application\/pdf, 3000 bytes: a file, and not shown; kept as \S+\.pdf\]/,
    )
    expect(readFileSync(thread.at(`.results/${kept().find((name) => name.endsWith('.pdf'))}`))).toEqual(
      Buffer.alloc(3000, 7),
    )
  })

  it('that are small stay as they are', async () => {
    const answer = result(blob(30))
    expect(await seen(answer)).toEqual(answer)
  })

  it('that are images are shown as such', async () => {
    const answer = await seen(result(blob(0, 'image/png', png(5, 6))))
    expect(answer.content).toEqual([
      { type: 'text', text: '[file:///a.pdf: image/png, 5 × 6 pixels, 29 bytes]' },
      image(png(5, 6)),
    ])
  })

  it('that are many are told in the file, where their lines alone would be over the limit', async () => {
    const answer = await seen(result(...Array.from({ length: 60 }, (_, index) => blob(3000 + index))))
    expect(Buffer.byteLength(wordsOf(answer))).toBeLessThanOrEqual(2000)
    const told = kept().filter((name) => name.endsWith('.txt'))
    expect(told).toHaveLength(1)
    expect(keptText(told[0]).split('\n')).toHaveLength(60)
  })
})

describe('a result within the budget', () => {
  const word = fc.string({ unit: 'binary', maxLength: 400 })
  const aText = fc.oneof(
    word,
    fc.array(word, { maxLength: 40 }).map((parts) => parts.join('\n')),
    fc.constant(lines(900)),
  )
  const aBlock: fc.Arbitrary<JsonObject> = fc.oneof(
    aText.map((words): JsonObject => ({ type: 'text', text: words })),
    aText.map((words): JsonObject => ({ type: 'resource', resource: { uri: words, text: words } })),
    fc.nat(5000).map(
      (size): JsonObject => ({
        type: 'resource',
        resource: { uri: 'a', blob: Buffer.alloc(size).toString('base64') },
      }),
    ),
    fc.constant(image(png(3, 3))),
    fc.constant(image(Buffer.from('no image'))),
    fc.json().map((json): JsonObject => ({ type: 'odd', json })),
  )

  const path = `${folder}${'n'.repeat(40)}-0123456789abcdef.txt`
  const aKeep: Keep = async (bytes) =>
    bytes.length % 2 === 0
      ? { path, words: `kept as ${path} (7 older ones were removed for it)` }
      : { words: `could not be kept: ${'r'.repeat(240)}` }

  /** What a model reads of a block, at least. */
  const costOf = ({ text, resource, ...rest }: JsonObject): number => {
    const { text: inner, blob, uri } = (resource ?? {}) as JsonObject
    const read = [text, inner, blob, uri].filter((value) => typeof value === 'string').join('')
    return Buffer.byteLength(read === '' ? JSON.stringify(rest) : read)
  }

  it('costs no more than it may, and comes out the same a second time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aBlock, { maxLength: 12 }),
        fc.option(fc.dictionary(fc.string(), aText), { nil: undefined }),
        fc.integer({ min: 1, max: 9000 }),
        fc.boolean(),
        async (content, structuredContent, bytesMax, sees) => {
          const options = { bytesMax, sees, reader: 'read_file', keep: aKeep }
          const given: ToolResult = {
            kind: 'result',
            content,
            isError: false,
            ...(structuredContent === undefined ? {} : { structuredContent }),
          }
          const before = JSON.stringify(given)
          const once = await withinBudget(given, options)
          expect(JSON.stringify(given)).toBe(before)
          const texts = once.content.filter(({ type }) => type !== 'image')
          const bytes = texts.reduce((sum, block) => sum + costOf(block), 0)
          expect(bytes).toBeLessThanOrEqual(Math.max(1024, bytesMax))
          expect(await withinBudget(once, options)).toEqual(once)
        },
      ),
      { numRuns: 80 },
    )
  })

  it('cuts no character and no line that ends near the cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.integer({ min: 0, max: 2000 }), (whole, max) => {
        const bytes = Buffer.from(whole)
        const { head, tail, leftOutBytes } = previewText(bytes, max)
        expect(whole.startsWith(head)).toBe(true)
        expect(whole.endsWith(tail)).toBe(true)
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + leftOutBytes).toBe(bytes.length)
      }),
    )
    expect(previewText(Buffer.from('12345678\nabcdefgh\n'), 18)).toMatchObject({ head: '12345678\n', nextLine: 2 })
  })

  it('lays out any JSON without changing it', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (json) => {
        const laid = jsonLines(`[${json}]`)
        expect(JSON.parse(laid ?? '')).toEqual(JSON.parse(`[${json}]`))
        expect(jsonLines(laid ?? '')).toBe(laid)
      }),
    )
    for (const none of ['', '1', 'text', '[1', '{a: 1}']) expect(jsonLines(none)).toBeUndefined()
  })
})
