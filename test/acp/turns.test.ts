import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AcpProgress } from '../../src/acp/turn-record.ts'
import { freshFolder } from '../sources/scripted.ts'
import { agentProgram, scripted } from './acp-world.ts'

describe('a turn of an external agent [S5, R1]', () => {
  it('brings its text, in the order in which it was sent', async () => {
    const chunks = Array.from({ length: 300 }, (_, index) => `${index} `)
    const { run, received, folder, pids } = await scripted(chunks.map((text) => ({ text })))
    const { text, isError, structure } = await run()
    expect(structure).toEqual({
      status: 'answered',
      agent: 'helper',
      text: chunks.join(''),
      toolCalls: [],
      denied: [],
      stopReason: 'end_turn',
    })
    expect([text, isError]).toEqual([chunks.join(''), false])
    expect(received()).toMatchObject([
      {
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
        },
      },
      { method: 'session/new', params: { cwd: folder, mcpServers: [] } },
      { method: 'session/prompt', params: { prompt: [{ type: 'text', text: 'do it' }] } },
    ])
    expect(pids()).toHaveLength(1)
  })

  it('tells its tool calls with the state that they came to, and breaks the text at each', async () => {
    const call = { toolCallId: 'a', title: 'Read\u202e notes', kind: 'read' }
    const { run } = await scripted([
      { text: 'I look.' },
      { update: { sessionUpdate: 'tool_call', ...call } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'in_progress' } },
      { text: 'Found' },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed', title: null } },
      { text: ' it.' },
    ])
    const { structure } = await run()
    expect(structure.toolCalls).toEqual([{ title: 'Read\\u202e notes', kind: 'read', status: 'completed' }])
    expect(structure.text).toBe('I look.\n\nFound it.')
  })

  it('passes on what a person would watch: tool calls, and whole lines of the text', async () => {
    const seen: AcpProgress[] = []
    const { run } = await scripted([
      { text: 'first li' },
      { text: 'ne\nsec' },
      { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } } },
      { update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'List files', kind: 'search' } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'failed' } },
      { text: 'end' },
    ])
    await run({
      onProgress: (progress) => {
        seen.push(progress)
        throw new Error('whoever watches fails')
      },
    })
    expect(seen).toEqual([
      { text: 'first line\n' },
      { text: 'sec' },
      { message: 'List files' },
      { message: 'List files: failed' },
      { text: 'end' },
    ])
  })

  it('says so when there is no text', async () => {
    const { run } = await scripted([])
    expect(await run()).toMatchObject({
      text: '[The agent "helper" ended its turn without a text.]',
      structure: { text: '' },
      isError: false,
    })
  })

  it.each([
    ['max_tokens', 'limit'],
    ['max_turn_requests', 'limit'],
    ['refusal', 'refused'],
    ['cancelled', 'cancelled'],
    ['something_new', 'failed'],
  ])('that stops with %s has the status %s and keeps its text', async (stopReason, status) => {
    const { run } = await scripted({ steps: [{ text: 'so far' }], stopReason })
    const { structure, isError, text } = await run()
    expect(structure).toMatchObject({ status, stopReason, text: 'so far' })
    expect(isError).toBe(true)
    expect(text).toMatch(/^\[The agent "helper" .*\]\n\nso far$/)
  })

  it('goes on though lines are no messages, updates of no known form, answers nobody waits for', async () => {
    const { run, received } = await scripted([
      { print: ['[info] a log', '', '{"level":"debug"}', '[1,2]', 'null', '{"jsonrpc":"2.0"}', '{broken'] },
      { text: 'a' },
      { print: ['{"jsonrpc":"2.0","id":99,"result":{}}', '{"jsonrpc":"2.0","method":"x/unknown"}'] },
      { update: { sessionUpdate: 'hologram', light: true } },
      { update: { sessionUpdate: 'agent_message_chunk', content: 7 } },
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '' } } },
      { update: null },
      { longLine: 12 * 1024 * 1024, noise: true },
      { text: 'b' },
    ])
    expect((await run()).structure).toMatchObject({ status: 'answered', text: 'ab' })
    // No line of a log is answered: who logs would be sent errors that mean nothing to it.
    expect(received().map(({ method }) => method)).toEqual(['initialize', 'session/new', 'session/prompt'])
  })

  it('takes no updates of another session', async () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'foreign' } }
    const foreign = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'other', update } }
    const { run } = await scripted([{ print: [JSON.stringify(foreign)] }, { text: 'own' }])
    expect((await run()).structure.text).toBe('own')
  })

  it('keeps a mebibyte of text and two hundred tool calls, and says what is left out', async () => {
    const long = '\u20ac'.repeat(100_000)
    const calls = Array.from({ length: 203 }, (_, index) => ({
      update: { sessionUpdate: 'tool_call', toolCallId: `${index}`, title: 't'.repeat(5000) },
    }))
    const { run } = await scripted([...Array.from({ length: 5 }, () => ({ text: long })), ...calls])
    const { text, structure } = await run()
    expect(structure.text).toBe('\u20ac'.repeat(Math.floor((1024 * 1024) / 3)))
    expect(structure.toolCalls).toHaveLength(200)
    expect(structure.toolCalls[0]?.title).toHaveLength(200)
    expect(text).toMatch(/^\[What it said is cut after 1048576 bytes\.\]\n\n\[It made 3 more tool calls/)
  })
})

describe('where an external agent starts [S5, W1]', () => {
  it('is its folder in the thread, with a safe base of variables and what its entry names', async () => {
    const { run, folder } = await scripted([{ tell: true }], { env: { OWN_KEY: 'k' } })
    const { structure } = await run({
      environment: { PATH: process.env.PATH, HOME: '/home/ada', OTHER_SECRET: 'not for it' },
    })
    const told = JSON.parse(structure.text)
    expect(told.cwd).toBe(folder)
    expect(told.env).toMatchObject({ HOME: '/home/ada', OWN_KEY: 'k' })
    expect(told.env).not.toHaveProperty('OTHER_SECRET')
  })

  it('is the folder of its entry, where there is one', async () => {
    const own = freshFolder()
    const { run, received } = await scripted([{ tell: true }, { write: { path: `${own}/a.txt`, content: 'x' } }], {
      cwd: own,
    })
    expect(JSON.parse((await run()).structure.text).cwd).toBe(own)
    expect(received()[1]).toMatchObject({ params: { cwd: own } })
    expect(readFileSync(join(own, 'a.txt'), 'utf8')).toBe('x')
  })

  it('leaves relative names in its arguments to the configuration', async () => {
    const beside = freshFolder()
    const { agent, run } = await scripted([{ tell: true }])
    const [, plan = ''] = agent.args
    writeFileSync(join(beside, 'settings.json'), '{}')
    const args = [agentProgram, plan, './own.json', 'settings.json', '--flag']
    const { structure } = await run({ agent: { ...agent, args }, configFolder: beside })
    expect(JSON.parse(structure.text).args).toEqual([join(beside, 'own.json'), join(beside, 'settings.json'), '--flag'])
  })

  it('comes with the servers that are handed over, and with none unless they are', async () => {
    const { run, received } = await scripted([])
    const gateway = { name: 'toolgate', command: 'toolgate', args: ['serve'], env: [] }
    await run({ mcpServers: [gateway] })
    expect(received()[1]).toMatchObject({ params: { mcpServers: [gateway] } })
  })
})
