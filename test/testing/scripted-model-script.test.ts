import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../../src/config/read-json.ts'
import { readYaml } from '../../src/config/read-yaml.ts'
import { readScript, readScriptFile, scriptFrom } from '../../src/testing/scripted-model/index.ts'

const steps = [{ say: 'x' }]
const faultsOf = (value: unknown): readonly string[] => {
  const read = readScript(value)
  return 'faults' in read ? read.faults.map(({ message, hint }) => (hint ? `${message} · ${hint}` : message)) : []
}
const inStep = (step: object) => faultsOf({ turns: [{ steps: [step] }] })

describe('a script that is not as it must be', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'the script is undefined, which JSON does not have'],
    [null, 'the script is nothing, and must be a mapping'],
    [[], 'the script is a list, and must be a mapping'],
    ['x', 'the script is a text, and must be a mapping'],
    [{}, 'the script has no key "turns"'],
    [{ turns: {} }, 'turns is a mapping, and must be a list'],
    [{ turns: [{}] }, 'turns[0] has no key "steps"'],
    [{ turns: [{ steps: [] }] }, 'turns[0].steps is an empty list'],
    [{ turns: [{ steps }], childs: [] }, 'childs is not known here · did you mean "children"?'],
    [{ turns: [{ steps, use: 'x' }] }, 'turns[0].use is not known here · did you mean "user"?'],
    [
      { turns: [{ steps: [...steps, ...steps] }] },
      'turns[0].steps[0] calls nothing, which ends the turn, and is not its last step · give it call, or begin a turn after it',
    ],
    [
      { turns: [{ steps }], children: [{ name: 'main', when: { tag: 'x' }, turns: [{ steps }] }] },
      'children[0].name is not of the form: small letters, digits and -, at most 24, and not main',
    ],
    [
      { turns: [{ steps }], children: [{ name: 'a', when: {}, turns: [{ steps }] }] },
      'children[0].when holds no condition · give it system, user, model or tag',
    ],
  ])('%j is told its place and what to do', (value, fault) => {
    expect(faultsOf(value)).toEqual([fault])
  })

  it.each<readonly [object, string]>([
    [{}, 'turns[0].steps[0] neither says nor calls anything · give it say, call or fail'],
    [{ say: '' }, 'turns[0].steps[0].say is empty · remove the key, or write a text'],
    [{ say: 7 }, 'turns[0].steps[0].say is a number, and must be a text'],
    [{ say: 'x', delay: 5 }, 'turns[0].steps[0].delay is not known here · did you mean "delay_ms"?'],
    [
      { say: 'x', 'a\nb': 5 },
      'turns[0].steps[0]["a\\\\u000ab"] is not known here · known are expect, say, call, usage, delay_ms, pace_ms, fail',
    ],
    [{ say: 'x', delay_ms: -1 }, 'turns[0].steps[0].delay_ms is no whole number from 0 to 3600000'],
    [{ say: 'x', usage: { input: 1 } }, 'turns[0].steps[0].usage has no key "output"'],
    [{ call: [] }, 'turns[0].steps[0].call is an empty list'],
    [{ call: [{ args: {} }] }, 'turns[0].steps[0].call[0] has no key "tool"'],
    [{ call: [{ tool: 't', args: [] }] }, 'turns[0].steps[0].call[0].args is a list, and must be a mapping'],
    [
      { call: [{ tool: 't', args: { a: [1, Number.NaN] } }] },
      'turns[0].steps[0].call[0].args.a[1] is NaN, which JSON does not have',
    ],
    [{ call: [{ tool: 't', args: { at: new Date(0) } }] }, 'turns[0].steps[0].call[0].args.at is no plain mapping'],
    [
      { call: [{ tool: 't', args: {}, raw_args: '' }] },
      'turns[0].steps[0].call[0] has args and raw_args · keep one of them',
    ],
    [
      { call: [{ tool: 't', as: 'a b' }] },
      'turns[0].steps[0].call[0].as is not of the form: letters, digits, _ and -, at most 40',
    ],
    [
      {
        call: [
          { tool: 't', as: 'x' },
          { tool: 't', as: 'x' },
        ],
      },
      'turns[0].steps[0].call[1].as another call of this conversation has the id "x"',
    ],
    [
      { call: [{ tool: 't', as: 'call_main_0_1' }, { tool: 't' }] },
      'turns[0].steps[0].call[1].as another call of this conversation has the id "call_main_0_1"',
    ],
    [{ say: 'x', expect: { tool: 'a' } }, 'turns[0].steps[0].expect.tool is not known here · did you mean "tools"?'],
    [{ say: 'x', expect: { tools: [] } }, 'turns[0].steps[0].expect.tools is an empty list'],
    [{ fail: {} }, 'turns[0].steps[0].fail must have one of status, stream and cut'],
    [{ fail: { status: 200 } }, 'turns[0].steps[0].fail.status is no whole number from 400 to 599'],
    [
      { say: 'x', fail: { stream: 'eror' } },
      'turns[0].steps[0].fail.stream is none of error, garbage, short · did you mean "error"?',
    ],
    [
      { fail: { status: 500, times: 1 } },
      'turns[0].steps[0] fails a number of times, and has no answer after that · give it say or call',
    ],
    [{ fail: { cut: 'middle' } }, 'turns[0].steps[0] fails within its answer, and has none · give it say or call'],
  ])('a step %j is told its place and what to do', (step, fault) => {
    expect(inStep(step)).toEqual([fault])
  })

  it('names every fault, twenty at most', () => {
    expect(inStep({ a: 1, b: 2, say: 3 })).toHaveLength(3)
    expect(inStep(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1])))).toHaveLength(20)
  })

  it('may hold itself, or be deeper and bigger than anybody writes', () => {
    const round: { [key: string]: unknown } = {}
    round.args = round
    expect(inStep({ call: [{ tool: 't', args: round }] })[0]).toContain('is nested deeper than 60 levels')
    expect(faultsOf({ turns: Array(600_000).fill(1) })).toEqual(['the script holds more than 500000 values'])
  })

  it('is an error for whoever starts it', () => {
    expect(() => scriptFrom({ x: 1, y: 2 }, { file: 'a.yaml' })).toThrow(
      'script-invalid: x is not known here (and 2 more)',
    )
  })
})

describe('a script', () => {
  it('is a frozen copy, in which a key __proto__ is a key like any other', () => {
    const args = JSON.parse('{"__proto__": {"a": 1}}')
    const script = scriptFrom({ turns: [{ steps: [{ call: [{ tool: 't', args }] }] }] })
    expect(JSON.stringify(script.turns[0]?.steps[0]?.call?.[0]?.args)).toBe('{"__proto__":{"a":1}}')
    expect(Object.isFrozen(script.turns[0]?.steps[0])).toBe(true)
  })

  it('may leave keys undefined, as code does', () => {
    expect(faultsOf({ about: undefined, turns: [{ user: undefined, steps }] })).toEqual([])
  })

  it('may call what is no tool, for that is what is tested', () => {
    expect(inStep({ call: [{ tool: '</tool>\n\u0000' }] })).toEqual([])
  })
})

describe('a script in a file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolgate-script-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const read = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return readScriptFile(path, name.endsWith('.json') ? readJson : readYaml, name)
  }

  it('is read by the parser that is handed in, YAML and JSON alike', async () => {
    const yaml = 'turns:\n  - user: hi\n    steps: [{ say: "yes", call: [{ tool: t, args: { n: 1 } }] }]\n'
    const json = '{"turns": [{"user": "hi", "steps": [{"say": "yes", "call": [{"tool": "t", "args": {"n": 1}}]}]}]}'
    const readings = [await read('a.yaml', yaml), await read('a.json', json)]
    expect(readings[0]).toHaveProperty('script')
    expect(JSON.stringify(readings[0])).toBe(JSON.stringify(readings[1]))
  })

  it('has the line of each fault', async () => {
    const found = await read('b.yaml', 'turns:\n  - user: hi\n    steps:\n      - saay: yes\n')
    expect(found).toMatchObject({
      faults: [
        {
          code: 'script-invalid',
          severity: 'error',
          message: 'turns[0].steps[0].saay is not known here (line 4)',
          hint: 'did you mean "say"?',
          origin: { in: 'b.yaml', key: 'turns[0].steps[0].saay', line: 4 },
        },
      ],
    })
  })

  it('passes on what the parser finds', async () => {
    expect(await read('c.yaml', 'turns: [')).toMatchObject({ faults: [{ code: 'config-syntax' }] })
  })

  it('says why it cannot be read', async () => {
    const why = async (path: string) => {
      const found = await readScriptFile(path, readYaml, 'x.yaml')
      return 'faults' in found ? found.faults.map(({ code, message }) => `${code}: ${message}`) : []
    }
    expect(await why(join(folder, 'none'))).toEqual(['script-unreadable: the script x.yaml is not there'])
    expect(await why(folder)).toEqual(['script-unreadable: the script x.yaml is no regular file'])
    await writeFile(join(folder, 'big'), 'x'.repeat(4 * 1024 * 1024 + 1))
    expect(await why(join(folder, 'big'))).toEqual(['script-unreadable: the script x.yaml has more than 4194304 bytes'])
  })
})
