// Children of an agent over the wire: what each is given, what it may do, how it ends, and what its parent hears of it.

import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { childRun } from '../../src/assembly/derived-run.ts'
import type { Script, ScriptCall, ScriptChild, ScriptStep } from '../../src/testing/scripted-model/index.ts'
import { asWritten, childEvents, endOf, type World, world } from './an-agent.ts'

const agents = { main: { description: 'You lead.' }, reader: { description: 'reads and changes nothing' } }
const delegation = { enabled: true }
const task = (prompt: string, more: object = {}): ScriptCall => ({
  tool: 'task',
  args: { description: 'a part', prompt, agent: 'reader', ...more },
})
const child = (name: string, prompt: string, ...steps: readonly ScriptStep[]): ScriptChild => ({
  name,
  when: { user: prompt },
  turns: [{ user: prompt, steps }],
})
const leads = (...steps: readonly ScriptStep[]): Script['turns'] => [{ user: 'Go', steps }]
const find: ScriptCall = { tool: 'notes__find', args: {} }
const drop: ScriptCall = { tool: 'notes__drop', args: {} }

const sentIn = ({ model }: World, conversation: string) =>
  model.requests().filter((request) => request.conversation === conversation)
const resultOf = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'result' && event.tool === 'task' ? [event.text] : [])).join('\n')

describe('a child [R9] [G8]', () => {
  it('is given its own surface, inside of its parent’s, byte for byte, and no `task`', async () => {
    const script = {
      turns: leads({ call: [task('Read it')] }, { expect: { result: 'the blue cup' }, say: 'Done.' }),
      children: [
        child('reader', 'Read it', { call: [find] }, { expect: { result: 'the blue cup' }, say: 'In the blue cup.' }),
      ],
    }
    const here = await world(script, {
      agents: { ...agents, reader: { ...agents.reader, tools: ['notes/find', 'notes/tell'] } },
      permissions: { deny: ['notes/tell'] },
      delegation,
    })
    const { say, toolbox } = await here.start()
    const events = await say('Go')
    asWritten(here.model)
    expect(endOf(events)).toBe('answered')
    expect(resultOf(events)).toBe('In the blue cup.')

    const { run } = toolbox.current()
    const parents = new Set(run.surface.decisions.filter(({ outcome }) => outcome === 'eager').map(({ name }) => name))
    const surface = childRun(run, 'reader').surface.decisions.filter(({ outcome }) => outcome === 'eager')
    const requests = sentIn(here, 'reader')
    expect(requests).toHaveLength(2)
    for (const { tools, system } of requests) {
      expect(tools.map(({ name }) => name)).toEqual(surface.map(({ name }) => name))
      for (const [at, { definition }] of surface.entries())
        expect(tools[at]?.text).toContain(JSON.stringify(definition.inputSchema))
      expect(tools.every(({ name }) => parents.has(name))).toBe(true)
      expect(tools.map(({ name }) => name)).not.toContain('task')
      expect(system).toContain('reads and changes nothing')
    }
  })

  it('cannot call what its parent has and it has not, nor what its parent lacks, and the parent hears of it', async () => {
    const script = {
      turns: leads(
        { call: [task('Try it')] },
        { expect: { result: ['notes__drop', 'notes__tell', 'refused'] }, say: 'I see.' },
      ),
      children: [
        child('reader', 'Try it', { call: [drop, { tool: 'notes__tell', args: {} }] }, { say: 'I could do neither.' }),
      ],
    }
    const here = await world(script, {
      agents: { ...agents, reader: { ...agents.reader, tools: ['notes/find', 'notes/tell'] } },
      permissions: { deny: ['notes/tell'] },
      delegation,
    })
    const { say, toolbox } = await here.start()
    const events = await say('Go')
    asWritten(here.model)
    expect(here.made()).toEqual([])
    const { surface } = childRun(toolbox.current().run, 'reader')
    const codes = childEvents(events).flatMap((event) => (event.type === 'refusal' ? [[event.tool, event.code]] : []))
    expect(codes).toEqual(['notes__drop', 'notes__tell'].map((name) => [name, surface.named(name)[0]?.code]))
  })

  it('has promotions of its own, and begins with those of its parent', async () => {
    const load = (name: string): ScriptCall => ({ tool: 'tool_search', args: { query: `select:${name}` } })
    const script = {
      turns: leads(
        { call: [load('notes__find')] },
        { call: [task('Look')] },
        { expect: { tools: 'notes__find', no_tools: 'notes__drop' }, say: 'Done.' },
      ),
      children: [
        child(
          'reader',
          'Look',
          { expect: { tools: 'notes__find', no_tools: 'notes__drop' }, call: [load('notes__drop')] },
          { expect: { tools: ['notes__find', 'notes__drop'] }, call: [drop] },
          { say: 'Done.' },
        ),
      ],
    }
    const here = await world(script, { agents, delegation, tool_search: { enabled: true } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect([endOf(events), here.made()]).toEqual(['answered', ['drop']])
  })

  it('of no name is one of its parent’s own kind, with promotions of its own', async () => {
    const script = {
      turns: leads(
        { call: [{ tool: 'task', args: { description: 'a part', prompt: 'Help me' } }] },
        { expect: { no_tools: 'notes__find' }, say: 'Done.' },
      ),
      children: [
        child(
          'helper',
          'Help me',
          { call: [{ tool: 'tool_search', args: { query: 'select:notes__find' } }] },
          { say: 'Helped.' },
        ),
      ],
    }
    const here = await world(script, { agents, delegation, tool_search: { enabled: true } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect(endOf(events)).toBe('answered')
    expect(events).toContainEqual(expect.objectContaining({ type: 'child', agent: 'main' }))
  })

  it('that there is not costs only its call, which names the nearest', async () => {
    const script = {
      turns: leads({ call: [task('x', { agent: 'raeder' })] }, { expect: { result: 'reader' }, say: 'A slip.' }),
    }
    const here = await world(script, { agents, delegation })
    expect(endOf(await (await here.start()).say('Go'))).toBe('answered')
    asWritten(here.model)
  })

  it('may have a child of its own where the depth allows it, whose words come up through both', async () => {
    const script = {
      turns: leads({ call: [task('Pass it on')] }, { expect: { result: 'the very bottom' }, say: 'Done.' }),
      children: [
        child(
          'middle',
          'Pass it on',
          { expect: { tools: 'task' }, call: [task('Deeper', { agent: 'main' })] },
          { expect: { result: 'the very bottom' }, say: 'It is the very bottom.' },
        ),
        child('bottom', 'Deeper', { expect: { no_tools: 'task' }, say: 'This is the very bottom.' }),
      ],
    }
    const here = await world(script, { agents, delegation: { enabled: true, max_depth: 2 } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect(endOf(events)).toBe('answered')
    expect(childEvents(childEvents(events))).toContainEqual({ type: 'end', because: 'answered' })
  })
})

describe('several children at once [R9]', () => {
  const order = (events: readonly AgentEvent[]): readonly string[] =>
    events.flatMap((event) => {
      if (event.type !== 'child') return []
      return event.event.type === 'turn' || event.event.type === 'end' ? [event.event.type] : []
    })
  const script = {
    turns: leads(
      { call: [task('One'), task('Two'), task('Three')] },
      { expect: { result: ['first', 'second', 'third'] }, say: 'Done.' },
    ),
    children: [
      child('one', 'One', { call: [find] }, { say: 'first', delay_ms: 50 }),
      child('two', 'Two', { call: [find] }, { say: 'second', delay_ms: 50 }),
      child('three', 'Three', { call: [find] }, { say: 'third', delay_ms: 50 }),
    ],
  }

  it('run side by side, up to the limit', async () => {
    const here = await world(script, { agents, delegation: { enabled: true, max_children: 1 } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect(endOf(events)).toBe('answered')
    expect(order(events)).toEqual(['turn', 'end', 'turn', 'end', 'turn', 'end'])
  })

  it('run together where the limit lets them', async () => {
    const here = await world(script, { agents, delegation: { enabled: true, max_children: 3 } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect(order(events).slice(0, 3)).toEqual(['turn', 'turn', 'turn'])
    expect(here.made()).toEqual(['find', 'find', 'find'])
  })
})

describe('a child that does not come to an end [R9]', () => {
  const hangs = (script: Partial<Script> = {}): Script => ({
    turns: leads({ call: [task('Wait')] }, { expect: { result: 'longer than 400 ms' }, say: 'It took too long.' }),
    children: [child('slow', 'Wait', { say: 'I look.', call: [find] }, { say: 'never', delay_ms: 60_000 })],
    ...script,
  })

  it('is ended after its time, and its parent goes on', async () => {
    const here = await world(hangs(), { agents, delegation: { enabled: true, timeout_ms: 400 } })
    const events = await (await here.start()).say('Go')
    asWritten(here.model)
    expect(endOf(events)).toBe('answered')
    expect(childEvents(events).at(-1)).toMatchObject({ type: 'end', because: 'cancelled' })
  })

  it('is ended with its parent', async () => {
    const here = await world(hangs(), { agents, delegation })
    const { say } = await here.start()
    const stop = new AbortController()
    const turn = say('Go', stop.signal)
    await expect.poll(() => sentIn(here, 'slow').length).toBe(2)
    stop.abort()
    const events = await turn
    expect(endOf(events)).toBe('cancelled')
    expect(childEvents(events).at(-1)).toMatchObject({ type: 'end', because: 'cancelled' })
  })

  it('fails alone when its model does', async () => {
    const here = await world(
      hangs({
        turns: leads({ call: [task('Wait')] }, { expect: { result: 'not today' }, say: 'It failed.' }),
        children: [child('slow', 'Wait', { say: 'x', fail: { status: 400, message: 'not today' } })],
      }),
      { agents, delegation },
    )
    expect(endOf(await (await here.start()).say('Go'))).toBe('answered')
    asWritten(here.model)
  })
})

describe('a turn that was cut off [R8]', () => {
  it('leaves no call without an answer: the model is told that it may have been made, and it is not made again', async () => {
    const script: Script = {
      turns: [
        { user: 'Go', steps: [{ call: [find, task('Wait')] }] },
        { user: 'And now?', steps: [{ expect: { result: 'call-cut-off' }, say: 'I look first.' }] },
      ],
      children: [child('slow', 'Wait', { say: 'never', delay_ms: 60_000 })],
    }
    const here = await world(script, { agents, delegation })
    const { say } = await here.start()
    const stop = new AbortController()
    const turn = say('Go', stop.signal)
    await expect.poll(() => [here.made().length, sentIn(here, 'slow').length]).toEqual([1, 1])
    stop.abort()
    expect(endOf(await turn)).toBe('cancelled')
    expect(endOf(await say('And now?'))).toBe('answered')
    asWritten(here.model)
    expect(here.made()).toEqual(['find'])
  })

  it('is no turn for two programs at once', async () => {
    const here = await world({ turns: leads({ call: [find] }, { say: 'Done.', delay_ms: 300 }) })
    const [one, other] = [await here.start(), await here.start()]
    const first = one.say('Go')
    await expect.poll(() => here.model.requests().length).toBe(2)
    expect(endOf(await other.say('Go'))).toMatch(/^failed: thread-busy/)
    expect(endOf(await first)).toBe('answered')
    expect(here.made()).toEqual(['find'])
  })
})
