import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readYaml } from '../../src/config/read-yaml.ts'
import {
  readScriptFile,
  type Script,
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
} from '../../src/testing/scripted-model/index.ts'
import { ask, chat, type Turn } from './scripted-model-client.ts'

const desk = resolve(import.meta.dirname, '../../examples/desk')

/** What the tools of the example answer, as far as the conversation looks at it. */
const results = new Map([
  ['tool_search', 'Loaded these tools'],
  ['files__search_files', 'papers/archive.txt'],
  ['search_notes', 'the key to the archive is in the blue cup'],
  ['files__read_text_file', 'The archive opens at nine.'],
  ['files__write_file', '"files__write_file" is not on this run'],
  ['ask_clarification', 'The question is put to the person.'],
  ['task', 'The archive opens at nine.'],
  ['write_file', 'made /mnt/user-data/outputs/archive.md'],
  ['present_files', 'presented: /mnt/user-data/outputs/archive.md'],
])

const listed = (value: string | readonly string[] = []): readonly string[] => [value].flat()

describe('the conversation of the example', () => {
  let script: Script
  let model: ScriptedModel
  beforeAll(async () => {
    const read = await readScriptFile(join(desk, 'conversation.yaml'), readYaml)
    if ('faults' in read) throw new Error(JSON.stringify(read.faults))
    script = read.script
    model = await startScriptedModel(script)
  })
  afterAll(() => model.close())

  const play = async (turns: Script['turns'], begun: string): Promise<void> => {
    const history: Turn[] = []
    const known = new Set<string>()
    for (const { user = begun, steps } of turns) {
      history.push({ user })
      for (const { expect: expected } of steps as readonly ScriptStep[]) {
        for (const name of listed(expected?.tools)) known.add(name)
        const answer = await ask(model, chat, true, { history, tools: [...known] })
        expect(answer.error).toBeUndefined()
        history.push({ say: answer.say, calls: answer.calls })
        for (const { id, tool } of answer.calls) history.push({ result: results.get(tool) ?? '', of: id })
      }
    }
  }

  it('can be played to its end, its child too', async () => {
    await play(script.turns, '')
    const task = script.turns
      .flatMap(({ steps }) => steps)
      .flatMap(({ call = [] }) => call)
      .find(({ tool }) => tool === 'task')
    for (const { turns } of script.children ?? []) await play(turns, String(task?.args?.prompt))
    expect(model.faults()).toEqual([])
    expect(model.unplayed()).toEqual([])
  })

  it('shows search, a refusal, a clarification, a child and a file, and says that it is written', () => {
    const steps = script.turns.flatMap((turn) => turn.steps)
    const called = new Set(steps.flatMap(({ call = [] }) => call.map(({ tool }) => tool)))
    const shown = ['tool_search', 'files__write_file', 'ask_clarification', 'task', 'write_file', 'present_files']
    expect(shown.filter((tool) => !called.has(tool))).toEqual([])
    expect(steps[0]?.expect?.no_tools).toContain('files__write_file')
    expect(steps.at(-1)?.say).toContain('written conversation')
  })
})
