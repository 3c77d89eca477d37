import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScript, type Script, type ScriptCall, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { itemTexts, memberText } from '../../src/testing/scripted-model/json-parts.ts'
import { piecesOf } from '../../src/testing/scripted-model/pieces.ts'
import { ask, messages, type Turn, ways } from './scripted-model-client.ts'

/** Any text that JavaScript has, halves of characters included. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code))
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: anyUnit, maxLength: 20 }))
const someText = anyText.filter((text) => text !== '')
/** What JSON can carry: -0 and lone surrogates come back as JSON has them. */
const anyArgs = fc
  .dictionary(anyText, fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)))

const anyCall: fc.Arbitrary<ScriptCall> = fc.oneof(
  fc.record({ tool: someText, args: anyArgs }, { requiredKeys: ['tool'] }),
  fc.record({ tool: someText, raw_args: anyText }),
)
const someCalls = fc.array(anyCall, { minLength: 1, maxLength: 4 })
const callingStep = fc.record({ say: someText, call: someCalls }, { requiredKeys: ['call'] })
const lastStep = fc.oneof(callingStep, fc.record({ say: someText }))
const anyTurn = fc
  .tuple(fc.array(callingStep, { maxLength: 2 }), lastStep)
  .map(([steps, last]) => ({ steps: [...steps, last] }))
const anyScript: fc.Arbitrary<Script> = fc.record({ turns: fc.array(anyTurn, { minLength: 1, maxLength: 3 }) })

describe.each(ways)('any script over $name', ({ client, stream }) => {
  it('comes out of the pieces exactly as it is written', async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, async (script) => {
        const model = await startScriptedModel(script)
        try {
          const history: Turn[] = []
          for (const { steps } of script.turns) {
            history.push({ user: 'go on' })
            for (const step of steps) {
              const { say = '' } = step
              const call: readonly ScriptCall[] = 'call' in step ? (step.call ?? []) : []
              const answer = await ask(model, client, stream, { history })
              expect(answer.error).toBeUndefined()
              expect(answer.say).toBe(say)
              expect(answer.calls.map(({ tool }) => tool)).toEqual(call.map(({ tool }) => tool))
              for (const [index, { args = {}, raw_args: raw }] of call.entries()) {
                const came = answer.calls[index]?.args ?? ''
                if (raw === undefined) expect(JSON.parse(came)).toEqual(args)
                // Outside of a stream, Anthropic's protocol carries a value and no text.
                else if (client !== messages || stream) expect(came).toBe(raw)
              }
              const calls = answer.calls.map((sent) => ({ ...sent, args: '{}' }))
              history.push({ say: answer.say, calls }, ...calls.map(({ id }) => ({ result: 'done', of: id })))
            }
          }
          expect(model.unplayed()).toEqual([])
          expect(model.faults()).toEqual([])
        } finally {
          await model.close()
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('the pieces of a text', () => {
  it('are the text again, few, and never half a character', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme', maxLength: 5000 })), (text) => {
        const pieces = piecesOf(text)
        expect(pieces.join('')).toBe(text)
        expect(pieces.length).toBeLessThanOrEqual(65)
        for (const piece of pieces) expect(/\p{Cs}/u.test(piece) && !/\p{Cs}/u.test(text)).toBe(false)
      }),
    )
  })
})

describe('the bytes of a part of a JSON text', () => {
  it('are those of the value, whatever stands around it and however it is spaced', () => {
    const spaced = fc.constantFrom('', ' ', '\n\t', '  ')
    const item = fc.tuple(fc.json({ stringUnit: 'binary' }), spaced, spaced)
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), fc.json(), anyText, spaced, (items, before, key, gap) => {
        const list = `[${gap}${items.map(([json, left, right]) => `${left}${json}${right}`).join(',')}]`
        const name = JSON.stringify(key)
        const text = `${gap}{${gap}${name}${gap}:${gap}${before}${gap},${name}:${gap}${list}${gap},"${key === 'z' ? 'y' : 'z'}":1}${gap}`
        expect(memberText(text, key)).toBe(list)
        expect(memberText(text, `${key}!`)).toBe(key === '' && `${key}!` === 'z' ? '1' : undefined)
        expect(itemTexts(list)).toEqual(items.map(([json]) => json.trim()))
      }),
    )
  })

  it('are the whole value where it is no list', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(memberText(`{"a":0,"tools":${json}}`, 'tools')).toBe(json)
        expect(memberText(`{"tools":${json}}`, 'tools')).toBe(json)
      }),
    )
    expect(itemTexts('{"a":[1]}')).toEqual([])
    expect(itemTexts('')).toEqual([])
  })
})

describe('what is no script', () => {
  const good = (): Script => ({
    about: 'x',
    turns: [
      {
        user: 'u',
        steps: [
          {
            expect: { tools: ['a'], only_tools: [], result: 'r' },
            say: 's',
            call: [{ tool: 't', args: { a: [1] }, as: 'b' }],
            usage: { input: 1, output: 2 },
            fail: { status: 500, times: 1, message: 'm' },
          },
        ],
      },
    ],
    children: [{ name: 'c', when: { system: 's' }, turns: [{ steps: [{ say: 'x' }] }] }],
  })

  it('gives findings with a place, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }), (value) => {
        const read = readScript(value)
        if ('script' in read) return
        expect(read.faults.length).toBeGreaterThan(0)
        for (const { code, message, origin } of read.faults) {
          expect(code).toBe('script-invalid')
          expect(message).not.toMatch(/[\n\r]/)
          expect(origin?.in).toBe('script')
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is found wherever one value of a script is replaced by another', () => {
    const places = placesIn(good())
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.anything(), (path, value) => {
        const script = structuredClone(good())
        put(script, path, value)
        const read = readScript(script)
        if ('faults' in read) expect(read.faults[0]?.origin?.in).toBe('script')
      }),
      { numRuns: 500 },
    )
    expect('script' in readScript(good())).toBe(true)
  })
})

type Place = readonly (string | number)[]

const placesIn = (value: unknown, at: Place = []): Place[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, part]) => [[...at, key], ...placesIn(part, [...at, key])])

function put(root: object, path: Place, value: unknown): void {
  let part = root as { [key: string | number]: unknown }
  for (const key of path.slice(0, -1)) part = part[key] as typeof part
  part[path.at(-1) ?? ''] = value
}
