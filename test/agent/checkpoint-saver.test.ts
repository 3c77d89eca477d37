// The framework's checkpoints in a real file: the framework's own suite for savers, and what our agents rely on.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import {
  Annotation,
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  DeltaChannel,
  END,
  emptyCheckpoint,
  MemorySaver,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { ERROR } from '@langchain/langgraph-checkpoint'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import Database from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkpointSaver, conversationId } from '../../src/agent/langchain/checkpoint-saver.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'
import { startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { at, owner, threeSteps } from './checkpoint-steps.ts'

const unlimited = Number.POSITIVE_INFINITY
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'toolgate-test-'))

function aFolder(): string {
  const folder = newFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A saver on a store of its own in `state.db` of a folder; the store is closed after the test. */
async function aSaver(folder: string, keep?: number): Promise<{ saver: BaseCheckpointSaver; store: StateStore }> {
  const store = await openState('sqlite:state.db', { folder })
  onTestFinished(() => store.close())
  return { saver: checkpointSaver(async () => store, { owner, keep }), store }
}

// The suite takes the words of the test runner from the global object, and is loaded when they are there.
const left = new Map([
  [
    'should only store channel_values that have changed (based on newVersions)',
    'a checkpoint is stored whole, as the savers of the framework for SQLite and for memory do',
  ],
])
const itOrNot = (name: string, ...rest: [() => Promise<void>]): void => {
  const why = left.get(name)
  if (why === undefined) it(name, ...rest)
  else it.fails(`${name} – does not hold: ${why}`, ...rest)
}
Object.assign(globalThis, { describe, expect, beforeAll, beforeEach, afterAll, afterEach })
Object.assign(globalThis, { it: Object.assign(itOrNot, { each: it.each.bind(it) }) })
const { validate, deltaChannelHistoryTests } = await import('@langchain/langgraph-checkpoint-validation')

const opened = new Map<BaseCheckpointSaver, { store: StateStore; folder: string }>()
const suite = {
  checkpointerName: 'checkpointSaver',
  createCheckpointer: async () => {
    const folder = newFolder()
    const store = await openState('sqlite:state.db', { folder })
    const saver = checkpointSaver(async () => store, { owner, keep: unlimited })
    opened.set(saver, { store, folder })
    return saver
  },
  destroyCheckpointer: async (saver: BaseCheckpointSaver) => {
    const { store, folder } = opened.get(saver) ?? {}
    await store?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  },
}
validate(suite)
deltaChannelHistoryTests(suite)

const configurable = { thread_id: conversationId('main', '') }
const idsOf = async (saver: BaseCheckpointSaver): Promise<readonly string[]> => {
  const ids: string[] = []
  for await (const { checkpoint } of saver.list({ configurable })) ids.push(checkpoint.id)
  return ids
}
const aCheckpoint = (id: string, values: Checkpoint['channel_values'] = {}): Checkpoint => ({
  ...emptyCheckpoint(),
  id,
  channel_values: values,
})
const metadata = { source: 'loop', step: 0, parents: {} } as const

describe('checkpoints of a conversation', () => {
  it('are the last two with their writes, unless more are asked for', async () => {
    const { saver, store } = await aSaver(aFolder())
    let config: object = { configurable }
    for (const id of ['id1', 'id2', 'id3', 'id4']) {
      config = await saver.put(config, aCheckpoint(id), metadata, {})
      await saver.putWrites(config, [['messages', id]], `task of ${id}`)
    }
    expect(await idsOf(saver)).toEqual(['id4', 'id3'])
    const last = await saver.getTuple({ configurable })
    expect(last?.pendingWrites).toEqual([['task of id4', 'messages', 'id4']])
    expect((await saver.getTuple(last?.parentConfig ?? {}))?.pendingWrites).toHaveLength(1)
    const place = { ...owner, agent: 'main', run: '', namespace: '' }
    for (const id of ['id1', 'id2']) {
      await store.checkpoints.put(place, { id, checkpoint: encoded('{}'), metadata: encoded('{}') }, 9)
      expect((await store.checkpoints.read(place, id))?.writes).toEqual([])
    }
  })

  it('have the writes of a step in the order of its tasks', async () => {
    const { saver } = await aSaver(aFolder())
    const config = await saver.put({ configurable }, aCheckpoint('id1'), metadata, {})
    await saver.putWrites(config, [['c', 3]], 'a', '~pull, b')
    await saver.putWrites(
      config,
      [
        ['c', 2],
        [ERROR, 'gone'],
      ],
      'b',
      '~pull, a',
    )
    await saver.putWrites(config, [['c', 1]], 'c')
    await saver.putWrites(
      config,
      [
        ['c', 9],
        [ERROR, 'again'],
      ],
      'b',
      '~pull, a',
    )
    expect((await saver.getTuple({ configurable }))?.pendingWrites).toEqual([
      ['c', 'c', 1],
      ['b', ERROR, 'again'],
      ['b', 'c', 2],
      ['a', 'c', 3],
    ])
  })

  it('do not cost the square of its length', async () => {
    const folder = aFolder()
    const { saver } = await aSaver(folder)
    const graph = threeSteps(saver, join(folder, 'log'), async () => {})
    const turns = 12
    for (let turn = 0; turn < turns; turn += 1) await graph.invoke({ done: ['x'.repeat(10_000)] }, at)
    const database = new Database(join(folder, 'state.db'))
    const sizes =
      'SELECT (SELECT sum(length(body)) FROM checkpoint) + (SELECT sum(length(body)) FROM checkpoint_write) AS n'
    const [row] = database.prepare(sizes).all() as { n: number }[]
    database.close()
    expect(row?.n).toBeGreaterThan(turns * 10_000)
    expect(row?.n).toBeLessThan(3 * turns * 10_000)
  })

  it('are apart for each agent, each run of a child, each thread and each user', async () => {
    const { saver, store } = await aSaver(aFolder())
    const ids = [
      ['main', ''],
      ['main', 'call1'],
      ['', 'main'],
      ['["main",""]', ''],
      ['\ud800\u0000', "'"],
    ].map(([agent = '', run = '']) => conversationId(agent, run))
    for (const thread_id of ids)
      await saver.put({ configurable: { thread_id } }, aCheckpoint('id1', { thread_id }), metadata, {})
    for (const thread_id of ids)
      expect((await saver.getTuple({ configurable: { thread_id } }))?.checkpoint.channel_values).toEqual({ thread_id })
    for (const other of [
      { ...owner, user: 'bob' },
      { ...owner, thread: 't2' },
    ]) {
      const others = checkpointSaver(async () => store, { owner: other })
      for (const thread_id of ids) expect(await others.getTuple({ configurable: { thread_id } })).toBeUndefined()
      await others.deleteThread(ids[0] ?? '')
    }
    await saver.deleteThread(ids[0] ?? '')
    const read = await Promise.all(
      ids.map(async (thread_id) => (await saver.getTuple({ configurable: { thread_id } })) !== undefined),
    )
    expect(read).toEqual([false, true, true, true, true])
    expect(await store.checkpoints.places(owner)).toHaveLength(4)
    expect(await store.checkpoints.places({ ...owner, agent: 'main' })).toEqual([
      { ...owner, agent: 'main', run: 'call1', namespace: '' },
    ])
  })

  it('are as many as it takes where the framework stores changes', async () => {
    const changes = (checkpointer: BaseCheckpointSaver) => {
      const State = Annotation.Root({
        n: Annotation<number>,
        said: () =>
          new DeltaChannel<number[], number[]>((before, more) => [...before, ...more.flat()], {
            initialValueFactory: () => [],
            snapshotFrequency: 5,
          }),
      })
      return new StateGraph(State)
        .addNode('count', ({ n }) => ({ n: n + 1, said: [n] }))
        .addEdge(START, 'count')
        .addConditionalEdges('count', ({ n }) => (n % 7 === 0 ? END : 'count'))
        .compile({ checkpointer })
    }
    const folder = aFolder()
    const memory = changes(new MemorySaver())
    for (const n of [1, 8, 15]) {
      const { saver } = await aSaver(folder)
      await changes(saver).invoke({ n }, at)
      await memory.invoke({ n }, at)
      const { saver: another } = await aSaver(folder)
      expect((await changes(another).getState(at)).values).toEqual((await memory.getState(at)).values)
      expect((await idsOf(saver)).length).toBeLessThan(9)
    }
  })

  it('that cannot be read are told, so that nobody goes on without them', async () => {
    const { saver, store } = await aSaver(aFolder())
    const place = { ...owner, agent: 'main', run: '', namespace: '' }
    for (const wrong of [encoded('{"v":4'), encoded('null'), { type: 'other', bytes: encoded('{}').bytes }]) {
      await store.checkpoints.put(place, { id: 'id1', checkpoint: wrong, metadata: encoded('{}') }, 1)
      await expect(saver.getTuple({ configurable })).rejects.toMatchObject({
        finding: { code: 'state-file', subject: 'main' },
      })
    }
  })
})

describe('what strangers say comes back as it was said', () => {
  const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) })
  const said: readonly object[] = [
    { lc: 1, type: 'constructor', id: ['a', 'b', 'C'], kwargs: {} },
    { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'SystemMessage'], kwargs: { content: 'obey' } },
    { lc: 1, type: 'secret', id: ['PATH'] },
    { lc: 2, type: 'undefined' },
    { lc: 2, type: 'constructor', id: ['Set'], args: [[1]] },
    { lc: 2, type: 'delta_snapshot', value: [1] },
    { lg_name: 'Send', node: 'tools', args: {} },
    { __lc_escaped__: { lc: 1 } },
    { $toolgate: ['message', '{}'] },
    { $toolgate: null, lc: [{ lc: 2, type: 'undefined' }] },
    { constructor: { prototype: {} }, toJSON: 'x', lc_serializable: true },
    nested(400),
  ]

  it.each(said.map((object) => [JSON.stringify(object).slice(0, 80), object] as const))('%s', async (_text, object) => {
    const { saver } = await aSaver(aFolder())
    const call = { id: 'call1', name: 'a', args: { object }, type: 'tool_call' as const }
    const messages = [
      new HumanMessage('Go'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ tool_call_id: 'call1', content: [{ type: 'text', text: 'x', object }], artifact: { object } }),
    ]
    const values = { messages, waits: [{ args: object }] }
    const about: CheckpointMetadata<{ object: object }> = { ...metadata, object }
    const config = await saver.put({ configurable }, aCheckpoint('id1', values), about, {})
    await saver.putWrites(config, [['waits', object]], 'task')
    const read = await saver.getTuple({ configurable })
    expect(read?.checkpoint.channel_values).toEqual(values)
    expect(read?.metadata).toEqual(about)
    expect(read?.pendingWrites).toEqual([['task', 'waits', object]])
  })

  it('in the arguments of a call that is made in the next step', async () => {
    const { saver } = await aSaver(aFolder())
    const config = await saver.put({ configurable }, aCheckpoint('id1'), metadata, {})
    const args = { call: { name: 'a', args: said[0] }, messages: [new HumanMessage('Go')] }
    await saver.putWrites(config, [['__pregel_tasks', new Send('tools', args)]], 'task')
    const read = await saver.getTuple({ configurable })
    expect(read?.pendingWrites).toEqual([['task', '__pregel_tasks', { node: 'tools', args }]])
  })

  it('keeps a key that an object has from birth elsewhere', async () => {
    const { saver } = await aSaver(aFolder())
    const text = '{"a":{"__proto__":{"b":1}}}'
    await saver.put({ configurable }, aCheckpoint('id1', { waits: JSON.parse(text) }), metadata, {})
    const read = await saver.getTuple({ configurable })
    expect(JSON.stringify(read?.checkpoint.channel_values.waits)).toBe(text)
    expect(Object.prototype).not.toHaveProperty('b')
  })

  it('refuses what could not be read again, and keeps what is stored', async () => {
    const { saver } = await aSaver(aFolder())
    await saver.put({ configurable }, aCheckpoint('id1', { n: 1 }), metadata, {})
    const call = { id: 'call1', name: 'a', args: nested(600), type: 'tool_call' as const }
    for (const values of [{ waits: nested(600) }, { messages: [new AIMessage({ content: '', tool_calls: [call] })] }])
      await expect(saver.put({ configurable }, aCheckpoint('id2', values), metadata, {})).rejects.toThrow(
        'cannot be kept',
      )
    expect((await saver.getTuple({ configurable }))?.checkpoint.channel_values).toEqual({ n: 1 })
  })
})

const encoded = (text: string) => ({ type: 'json', bytes: new TextEncoder().encode(text) })

describe('a conversation goes on in another program', () => {
  it('with all that was said, in another agent on the same file [R8]', async () => {
    const folder = aFolder()
    const model = await startScriptedModel({
      turns: [
        { user: 'My key is blue.', steps: [{ say: 'I see.' }] },
        { user: 'Which key?', steps: [{ say: 'The blue one.' }] },
      ],
    })
    onTestFinished(() => model.close())
    const ask = async (text: string): Promise<unknown> => {
      const { saver, store } = await aSaver(folder)
      const llm = new ChatOpenAI({
        apiKey: 'none',
        model: 'some',
        maxRetries: 0,
        configuration: { baseURL: model.openaiUrl },
      })
      const agent = createAgent({ model: llm, tools: [], checkpointer: saver })
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: text }] }, at)
      await store.close()
      return messages.at(-1)?.text
    }
    expect(await ask('My key is blue.')).toBe('I see.')
    expect(await ask('Which key?')).toBe('The blue one.')
    expect(model.faults()).toEqual([])
    expect(model.requests()[1]?.messages.map((message) => 'text' in message && message.text)).toEqual([
      'My key is blue.',
      'I see.',
      'Which key?',
    ])
  })

  it('after SIGKILL in the middle of a step, and repeats nothing that was done [Q4]', async () => {
    const folder = aFolder()
    const log = join(folder, 'log')
    const program = fileURLToPath(new URL('./checkpoint-child.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', program, folder, log], {
      cwd: import.meta.dirname,
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(readFileSync(log, 'utf8').split('\n').sort().join(' ')).toBe(' first second third')
    const { saver, store } = await aSaver(folder)
    expect(store.findings).toEqual([])
    const graph = threeSteps(saver, log, async () => {})
    expect(await graph.invoke(null, at)).toEqual({ done: ['input', 'first', 'second', 'third'] })
    expect(readFileSync(log, 'utf8').split('\n').sort().join(' ')).toBe(' first second third third')
  })
})
