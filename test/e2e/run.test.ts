// `toolgate run` as people use it: a conversation from one process to the next, questions and approvals, what ends it
// before a model is asked, and what is left when it is broken off.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { ensureBuilt, mainFile, root } from './built.ts'
import { isRunning, leftRunning } from './processes.ts'
import { documentOf, freshFolder, project } from './project.ts'
import { type Ran, run, runProgram } from './run.ts'
import { calledOn, configOf, lab, lend, lending, scriptFlag, shelf } from './run-lab.ts'

const eventsOf = ({ stdout }: Ran): readonly AgentEvent[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { schema, ...event } = JSON.parse(line) as AgentEvent & { readonly schema: string }
      expect(schema).toBe('toolgate.event/1')
      return event as AgentEvent
    })
const kinds = (events: readonly AgentEvent[]): readonly string[] =>
  events.map(({ type }) => type).filter((type, at, all) => type !== 'text' || all[at - 1] !== 'text')
const textOf = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

describe('the conversation of the example [U1, R8, R9]', () => {
  const home = freshFolder()
  const desk = join(home, 'examples/desk')
  const script = ['--model', 'script:conversation.yaml']
  beforeAll(() => {
    cpSync(join(root, 'examples/desk'), desk, {
      recursive: true,
      filter: (file) => !file.includes('.toolgate') && !file.includes('node_modules'),
    })
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'junction')
  })

  it('is played to its end, as a person would want to watch it', async () => {
    const { code, stdout, stderr } = await run(['run', ...script], { cwd: desk })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toMatch(/^The model is a written conversation: conversation\.yaml$/m)
    expect(stderr).toMatch(/^Files for you: \.toolgate.threads.local.t-[0-9a-f]{8}.user-data.outputs$/m)
    expect(stderr).toMatch(/^All of the script was played\.$/m)
    for (const line of [
      /^> What do our papers say/,
      /^clerk {2}\d+ tools {2}thread t-[0-9a-f]{8}$/,
      /^→ tool_search\(query: "search files"\)$/,
      /^ {2}\+ loaded files__search_files$/,
      /^ {2}✗ refused: denied {2}"files__write_file" is not on this run/,
      /^\? How long shall the summary be\?$/,
      /^ {3}2 {2}one page$/,
      /^reader│ → files__read_text_file\(path: "archive\.txt"\)$/,
      /^reader│ The archive opens at nine, and its key is in the blue cup\.$/,
      /^ {2}⬇ \/mnt\/user-data\/outputs\/archive\.md {2}\(\d+ bytes\)$/,
      /^The archive opens at nine, and its key is in the blue cup\. You have that as a file\.$/,
    ])
      expect(stdout.split('\n').some((one) => line.test(one))).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there is none
    expect(stdout).not.toMatch(/\u001b/)
  })

  it('goes on in another process, event by event', async () => {
    const words = ['--thread', 'two-processes', ...script, '--json']
    const first = await run(['run', 'What do our papers say about the archive, and where is its key?', ...words], {
      cwd: desk,
    })
    expect(first.code).toBe(0)
    const begun = eventsOf(first)
    expect(begun[0]).toMatchObject({ type: 'turn', thread: 'two-processes', agent: 'clerk' })
    expect(new Set(kinds(begun))).toEqual(
      new Set(['turn', 'text', 'call', 'result', 'promotion', 'refusal', 'clarification', 'end']),
    )
    expect(begun.at(-1)).toEqual({ type: 'end', because: 'waiting' })

    const second = await run(['run', 'One line, please.', ...words], { cwd: desk })
    expect(second.code).toBe(0)
    const ended = eventsOf(second)
    expect(new Set(kinds(ended))).toEqual(new Set(['turn', 'text', 'call', 'result', 'child', 'artifact', 'end']))
    expect(ended.at(-1)).toEqual({ type: 'end', because: 'answered' })
    expect(second.stderr).toBe('The model is a written conversation: conversation.yaml\n')
  })

  it('leaves no process', async () => {
    expect(await leftRunning(home)).toEqual([])
  })
})

describe('a call that must be approved [R4]', () => {
  it('waits over processes: the question is stored, and answered in another one', async () => {
    const made = lab(lending)
    const first = await made.run(lend)
    expect(first.code).toBe(0)
    expect(first.stdout).toContain('? shelf__lend must be approved\n  │ text: Moby Dick\n')
    expect(first.stderr).toContain('The thread t waits until somebody approves shelf__lend:\n')
    expect(first.stderr).toContain('  toolgate run --model script:script.json --thread t --approve once\n')
    expect(calledOn(made)).toEqual([])
    expect((await made.run(['threads'])).stdout).toMatch(/^t +clerk +waiting .*\n {2}waits until somebody approves/m)

    const second = await made.run(['run', '--thread', 't', '--approve', 'once', ...scriptFlag])
    expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 })
    expect(second.stdout).toMatch(/ {2}✓ lent\n\nThat is done\.\n/)
    expect(calledOn(made)).toEqual(['lend'])
    expect((await made.run(['threads'])).stdout).toMatch(/^t +clerk +answered /m)

    // It was approved for that one call.
    const third = await made.run(['run', 'And again', '--thread', 't', ...scriptFlag])
    expect(third.stdout).toContain('? shelf__lend must be approved\n  │ text: Emma\n')
  })

  it('can be approved for good, and refused', async () => {
    const made = lab(lending)
    await made.run(lend)
    await made.run(['run', '--thread', 't', '--approve', 'always', ...scriptFlag])
    const again = await made.run(['run', 'And again', '--thread', 't', ...scriptFlag])
    expect(again.stdout).toContain('Done again.')
    expect(calledOn(made)).toEqual(['lend', 'lend'])

    const other = lab(lending)
    await other.run(lend)
    const denied = await other.run(['run', '--thread', 't', '--approve', 'deny', ...scriptFlag])
    expect([denied.code, denied.stdout]).toEqual([0, expect.stringContaining('✗ refused: call-denied')])
    expect(calledOn(other)).toEqual([])
  })

  it('is made at once with --yes, and refused at once where the run is unattended', async () => {
    const made = lab(lending)
    const { code, stdout } = await made.run([...lend, '--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('That is done.')])
    expect(calledOn(made)).toEqual(['lend'])

    const other = lab(lending)
    const alone = await other.run([...lend, '--unattended'])
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('✗ refused: nobody-to-ask')])
    expect(calledOn(other)).toEqual([])
  })

  it('is no question where nothing waits, or where there is no such thread', async () => {
    const made = lab(lending)
    const none = await made.run(['run', '--thread', 'x', '--resume', ...scriptFlag])
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('there is no thread "x"')])
    await made.run([...lend, '--yes'])
    const { code, stderr } = await made.run(['run', '--thread', 't', '--approve', 'once', ...scriptFlag])
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing waits for approval in the thread "t"')])
  })
})

describe('what ends a run before a model is asked', () => {
  let model: ScriptedModel
  const overHttp = project()
  beforeAll(async () => {
    model = await startScriptedModel({ turns: [{ steps: [{ say: 'Good morning.' }] }] })
    // Where whoever writes such a configuration has installed what it names.
    symlinkSync(join(root, 'node_modules'), overHttp.path('node_modules'), 'junction')
    const args = (key: string) =>
      `, use: "@langchain/openai:ChatOpenAI", args: { model: some, ${key} maxRetries: 0, configuration: { baseURL: "${model.openaiUrl}" } }`
    overHttp.write('toolgate.yaml', configOf(shelf, args('apiKey: none,')))
    overHttp.write('no-key.yaml', configOf(shelf, args('')))
    const all = configOf(shelf, args('apiKey: none,'))
    overHttp.write(
      'required.yaml',
      all.replace('shelf: {', 'gone: { command: no-such-program, required: true }, shelf: {'),
    )
  })
  afterAll(() => model.close())

  it.each<[string, readonly string[], number, RegExp]>([
    [
      'a tool that is required and missing',
      ['--require', 'shelf/burn'],
      1,
      /^error requirement-missing {2}required "shelf\/burn" is not on the surface: permissions: .*\n {2}at command line --require\n/m,
    ],
    [
      'a tool that is forbidden and there',
      ['--forbid', 'shelf/l*'],
      1,
      /^error requirement-forbidden {2}forbidden "shelf\/l\*" is on the surface: shelf__lend$/m,
    ],
    [
      'a server that is required and missing',
      ['--config', 'required.yaml'],
      4,
      /^error required-server-missing {2}required server "gone" is not available/m,
    ],
    [
      'a script that is not there',
      ['--model', 'script:nowhere.yaml'],
      3,
      /^error script-unreadable {2}.*is not there/m,
    ],
    ['a flag that changes nothing', ['--deny-tool', 'grpe'], 2, /^error flag-without-effect/m],
  ])('is %s', async (_case, words, code, fault) => {
    const ran = await overHttp.run(['run', 'Hello', ...words])
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' })
    expect(ran.stderr).toMatch(fault)
    expect(model.requests()).toEqual([])
    const json = await overHttp.run(['run', 'Hello', ...words, '--json'])
    expect([json.code, documentOf(json)]).toMatchObject([code, { schema: 'toolgate.error/1' }])
    expect(model.requests()).toEqual([])
  })

  it('is nothing of that where all is there: then the model is asked', async () => {
    const { code, stdout } = await overHttp.run(['run', 'Hello', '--require', 'shelf/find', '--forbid', 'shelf/burn'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^clerk {2}\d+ tools {2}thread t-\w+\n\nGood morning\.\n$/),
    ])
    expect(model.requests()).toHaveLength(1)
  })

  it('is a key that is missing: what to set is told, and what needs none is offered', async () => {
    const { code, stdout, stderr } = await overHttp.run(['run', 'Hello', '--config', 'no-key.yaml'], {
      env: { OPENAI_API_KEY: undefined },
    })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/✗ failed: Missing credentials[\s\S]*OPENAI_API_KEY/)])
    expect(stderr).toMatch(/`use` and `args` of the model and the key .* --model script:FILE/)
  })

  it('is a model that nothing can run, or a command line without words', async () => {
    const made = lab()
    const none = await made.run(['run', 'Hello'])
    expect([none.code, none.stderr]).toEqual([
      3,
      expect.stringMatching(/has no `use`.*\n.*\n {2}do .*--model script:FILE/),
    ])
    const silent = await made.run(['run'])
    expect([silent.code, silent.stderr]).toEqual([2, expect.stringContaining('`toolgate run` needs words')])
  })
})

describe('a script that is not played as it is written', () => {
  it.each<[string, Script, RegExp]>([
    [
      'because something does not hold',
      { turns: [{ user: 'Go', steps: [{ expect: { tools: 'shelf__burn' }, say: 'x' }] }] },
      /It did not go as it is written: scripted model.*turns\[0\]\.steps\[0\]: the tool "shelf__burn" is expected/,
    ],
    [
      'because a part of it is left',
      {
        turns: [{ user: 'Go', steps: [{ say: 'x' }] }],
        children: [{ name: 'idle', when: { user: 'never' }, turns: [{ steps: [{ say: 'x' }] }] }],
      },
      /Not all of the script was played: children\[0\]\.turns\[0\]\.steps\[0\]/,
    ],
  ])('has exit code 1: %s', async (_case, script, line) => {
    const { code, stderr } = await lab(script).run(['run', ...scriptFlag])
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
  })

  it('goes on with the turn that the thread has come to', async () => {
    const made = lab({ turns: ['one', 'two'].map((user) => ({ user, steps: [{ say: `That is ${user}.` }] })) })
    await made.run(['run', 'one', '--thread', 't', ...scriptFlag])
    const { code, stdout } = await made.run(['run', '--thread', 't', ...scriptFlag])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^> two\n[\s\S]*\nThat is two\.\n$/)])
    expect(stdout).not.toContain('That is one.')
    const over = await made.run(['run', '--thread', 't', ...scriptFlag])
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining('has all turns of the script')])
  })
})

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

describe('the words of the person', () => {
  it.runIf(process.platform !== 'win32')('are read from standard input where they are `-`', async () => {
    const made = lab({ turns: [{ user: 'Hello there', steps: [{ say: 'Good morning.' }] }] })
    ensureBuilt()
    const line = `echo 'Hello there' | "${process.execPath}" "${mainFile}" run - ${scriptFlag.join(' ')} --json`
    const ran = await runProgram('sh', ['-c', line], { cwd: made.folder })
    expect([ran.code, textOf(eventsOf(ran))]).toEqual([0, 'Good morning.'])
  })
})

describe.runIf(process.platform !== 'win32')('a turn that is interrupted [M1, S4]', () => {
  it('ends with all that was started, and goes on in another process', async () => {
    const script: Script = {
      turns: [
        {
          user: 'Find it',
          steps: [{ say: 'I look.', call: [{ tool: 'shelf__find', args: {} }] }, { say: 'I could not find out.' }],
        },
      ],
    }
    const hanging: ServerPlan = { ...shelf, grandchild: true, calls: { find: { hang: true } } }
    const made = lab(script)
    made.write('toolgate.yaml', configOf({ ...hanging, record: made.path('record.jsonl'), marker: made.path('pids') }))
    ensureBuilt()
    const child = spawn(process.execPath, [mainFile, 'run', 'Find it', '--thread', 't', ...scriptFlag, '--json'], {
      cwd: made.folder,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let stdout = ''
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString('utf8')
    })
    const ended = once(child, 'close')
    await expect.poll(() => calledOn(made), { timeout: 20_000 }).toEqual(['find'])
    child.kill('SIGINT')
    const [code] = await ended
    expect(code).toBe(1)
    expect(eventsOf({ code, stdout, stderr: '' }).at(-1)).toMatchObject({ type: 'end', because: 'cancelled' })
    const pids = made.read('pids').trim().split('\n')
    expect(pids.length).toBeGreaterThan(1)
    await expect.poll(() => pids.filter(isRunning), { timeout: 20_000 }).toEqual([])

    const resumed = await made.run(['run', '--thread', 't', '--resume', ...scriptFlag, '--json'])
    expect({ code: resumed.code, text: textOf(eventsOf(resumed)) }).toEqual({ code: 0, text: 'I could not find out.' })
    // What was sent once is not sent again.
    expect(calledOn(made)).toEqual(['find'])
  })
})
