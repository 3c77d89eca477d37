// What waits for a person: a question or an approval, alone, beside other calls, in a child, with nobody there, and over
// the end of the program. Each start is a toolbox of its own over the same files, as a new program would open it.

import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import type { Script, ScriptCall, ScriptStep } from '../../src/testing/scripted-model/index.ts'
import { owner } from '../runtime/a-project.ts'
import { asWritten, childEvents, endOf, kinds, type Started, world } from './an-agent.ts'

const drop: ScriptCall = { tool: 'notes__drop', args: { word: 'key' } }
const find: ScriptCall = { tool: 'notes__find', args: {} }
const question = { question: 'Which key?', options: ['house', 'car'] }
const ask: ScriptCall = { tool: 'ask_clarification', args: question }
const asked = { permissions: { ask: ['notes/drop'] } }

const goes = (...steps: readonly ScriptStep[]): Script => ({ turns: [{ user: 'Go', steps }] })

const approvalIn = (events: readonly AgentEvent[]) => {
  const [found] = events.flatMap((event) => (event.type === 'approval' ? [event] : []))
  if (found === undefined) throw new Error(`no approval among ${kinds(events).join(', ')}`)
  return found
}
async function answers(agent: Started, events: readonly AgentEvent[], answer: 'once' | 'always' | 'deny') {
  expect(await (await agent.board()).answer(owner.user, approvalIn(events).approval, answer)).toBe('taken')
}

describe('a call that a person must approve [R4] [R1]', () => {
  it('ends the turn, is made once it is approved, and its answer takes the place of the placeholder', async () => {
    const { start, model, made } = await world(
      goes({ call: [drop] }, { expect: { result: 'the blue cup', no_result: 'approval-pending' }, say: 'Dropped.' }),
      asked,
    )
    const agent = await start()
    const first = await agent.say('Go')
    expect(kinds(first)).toEqual(['turn', 'call', 'approval', 'end'])
    expect(endOf(first)).toBe('waiting')
    expect([made(), model.requests().length]).toEqual([[], 1])
    expect(await agent.waiting()).toMatchObject([{ kind: 'approval', tool: 'notes__drop', args: { word: 'key' } }])

    await answers(agent, first, 'once')
    const second = await agent.resume()
    asWritten(model)
    expect(kinds(second)).toEqual(['turn', 'call', 'result', 'text', 'end'])
    expect([made(), endOf(second), await agent.waiting()]).toEqual([['drop'], 'answered', []])
  })

  it('is not made when it is denied, and the model is told', async () => {
    const { start, model, made } = await world(
      goes({ call: [drop] }, { expect: { result: 'call-denied' }, say: 'Then not.' }),
      asked,
    )
    const agent = await start()
    await answers(agent, await agent.say('Go'), 'deny')
    expect(endOf(await agent.resume())).toBe('answered')
    asWritten(model)
    expect(made()).toEqual([])
  })

  it('waits on, without a request of the model, while nobody has answered', async () => {
    const { start, model, made } = await world(goes({ call: [drop] }, { say: 'Dropped.' }), asked)
    const agent = await start()
    await agent.say('Go')
    expect(endOf(await agent.resume())).toBe('waiting')
    expect([made(), model.requests().length, (await agent.waiting()).length]).toEqual([[], 1, 1])
  })

  it('lets the calls beside it be made, once, and is made alone afterwards', async () => {
    const { start, model, made } = await world(
      goes({ call: [find, drop, find] }, { expect: { no_result: 'approval-pending' }, say: 'All done.' }),
      asked,
    )
    const agent = await start()
    const first = await agent.say('Go')
    expect([endOf(first), made()]).toEqual(['waiting', ['find', 'find']])
    await answers(agent, first, 'once')
    expect(endOf(await agent.resume())).toBe('answered')
    asWritten(model)
    expect(made()).toEqual(['find', 'find', 'drop'])
  })

  it('is left when the person says something else, and its answer stays what it was', async () => {
    const script: Script = {
      turns: [
        { user: 'Go', steps: [{ call: [drop] }] },
        { user: 'Never mind', steps: [{ say: 'As you like.' }] },
      ],
    }
    const { start, model, made } = await world(script, asked)
    const agent = await start()
    await agent.say('Go')
    expect(endOf(await agent.say('Never mind'))).toBe('answered')
    asWritten(model)
    expect([made(), await agent.waiting()]).toEqual([[], []])
  })

  it('goes on in another program, where it was answered meanwhile', async () => {
    const { start, model, made } = await world(
      goes({ call: [find, drop] }, { expect: { result: 'the blue cup' }, say: 'Dropped.' }),
      asked,
    )
    const before = await start()
    const first = await before.say('Go')
    await before.toolbox.close()

    const between = await start()
    await answers(between, first, 'always')
    await between.toolbox.close()

    const after = await start()
    expect(await after.waiting()).toMatchObject([{ kind: 'approval', tool: 'notes__drop' }])
    expect(endOf(await after.resume())).toBe('answered')
    asWritten(model)
    expect(made()).toEqual(['find', 'drop'])
  })

  it('is refused at once where nobody is there, and the turn goes on', async () => {
    const { start, model, made } = await world(
      goes({ call: [drop] }, { expect: { result: 'nobody-to-ask' }, say: 'Nobody is there.' }),
      asked,
    )
    const agent = await start({ policy: { unattended: true } })
    const events = await agent.say('Go')
    asWritten(model)
    expect([endOf(events), made(), await agent.waiting()]).toEqual(['answered', [], []])
  })
})

describe('a question to the person [R1]', () => {
  it('is answered by the next message, also in another program and beside other calls', async () => {
    const script: Script = {
      turns: [
        { user: 'Go', steps: [{ call: [ask, find] }] },
        { user: 'the car key', steps: [{ say: 'On the hook.' }] },
      ],
    }
    const { start, model, made } = await world(script)
    const before = await start()
    const first = await before.say('Go')
    expect(first).toContainEqual(expect.objectContaining({ type: 'clarification', question }))
    expect([endOf(first), made()]).toEqual(['waiting', ['find']])
    await before.toolbox.close()

    const after = await start()
    expect(await after.waiting()).toMatchObject([{ kind: 'clarification', question }])
    expect(endOf(await after.say('the car key'))).toBe('answered')
    asWritten(model)
    expect([made(), await after.waiting()]).toEqual([['find'], []])
  })

  it('waits on when the turn goes on without words', async () => {
    const { start, model } = await world(goes({ call: [ask] }, { say: 'never' }))
    const agent = await start()
    await agent.say('Go')
    expect(endOf(await agent.resume())).toBe('waiting')
    expect(model.requests()).toHaveLength(1)
  })

  it('two of them in one message both wait', async () => {
    const { start } = await world(goes({ call: [ask, { ...ask, args: { question: 'And when?' } }] }))
    const agent = await start()
    expect(endOf(await agent.say('Go'))).toBe('waiting')
    expect(await agent.waiting()).toHaveLength(2)
  })

  it('cannot be put where nobody is there: the model does not have the tool', async () => {
    const { start, model } = await world(
      goes(
        { expect: { no_tools: 'ask_clarification', system: 'Nobody can answer questions' }, call: [ask] },
        { say: 'I assume the car.' },
      ),
    )
    const events = await (await start({ policy: { unattended: true } })).say('Go')
    asWritten(model)
    expect(endOf(events)).toBe('answered')
    expect(events).toContainEqual(expect.objectContaining({ type: 'refusal', tool: 'ask_clarification' }))
  })
})

describe('what waits in a child [R9] [R4]', () => {
  const agents = { main: { description: 'You lead.' }, reader: { description: 'You read for another agent.' } }
  const more = { ...asked, agents, delegation: { enabled: true } }
  const task: ScriptCall = { tool: 'task', args: { description: 'read', prompt: 'Read all of it', agent: 'reader' } }
  const withChild = (child: readonly ScriptStep[], turns: Script['turns']): Script => ({
    turns,
    children: [{ name: 'reader', when: { user: 'Read all of it' }, turns: [{ steps: child }] }],
  })
  const goOn: ScriptStep = { expect: { result: 'I dropped it' }, say: 'The helper has dropped it.' }

  it('an approval ends the turn of the parent too; both go on with the answer, in another program', async () => {
    const script = withChild(
      [{ call: [find, drop] }, { expect: { result: 'the blue cup' }, say: 'I dropped it.' }],
      [{ user: 'Go', steps: [{ call: [task, find] }, goOn] }],
    )
    const { start, model, made } = await world(script, more)
    const before = await start()
    const first = await before.say('Go')
    expect(endOf(first)).toBe('waiting')
    expect(await before.waiting()).toMatchObject([{ kind: 'approval', agent: 'reader', tool: 'notes__drop' }])
    await answers(before, childEvents(first), 'once')
    await before.toolbox.close()

    const after = await start()
    expect(endOf(await after.resume())).toBe('answered')
    asWritten(model)
    expect([...made()].sort()).toEqual(['drop', 'find', 'find'])
    expect(await after.waiting()).toEqual([])
  })

  it('a question goes to the person, and the next words are its answer', async () => {
    const script: Script = {
      turns: [
        { user: 'Go', steps: [{ call: [task] }] },
        { user: 'the car key', steps: [{ expect: { result: 'It hangs there' }, say: 'It hangs there.' }] },
      ],
      children: [
        {
          name: 'reader',
          when: { user: 'Read all of it' },
          turns: [
            { user: 'Read all of it', steps: [{ call: [ask] }] },
            { user: 'the car key', steps: [{ say: 'It hangs there.' }] },
          ],
        },
      ],
    }
    const { start, model } = await world(script, more)
    const agent = await start()
    const first = await agent.say('Go')
    expect(childEvents(first)).toContainEqual(expect.objectContaining({ type: 'clarification', question }))
    expect(endOf(first)).toBe('waiting')
    expect(await agent.waiting()).toMatchObject([{ kind: 'clarification', agent: 'reader' }])
    expect(endOf(await agent.say('the car key'))).toBe('answered')
    asWritten(model)
    expect(await agent.waiting()).toEqual([])
  })

  it('an approval that nobody can give is refused in the child, and the parent is told', async () => {
    const script = withChild(
      [{ call: [drop] }, { expect: { result: 'nobody-to-ask' }, say: 'I could not.' }],
      [{ user: 'Go', steps: [{ call: [task] }, { expect: { result: 'nobody-to-ask' }, say: 'Not possible.' }] }],
    )
    const { start, model, made } = await world(script, more)
    expect(endOf(await (await start({ policy: { unattended: true } })).say('Go'))).toBe('answered')
    asWritten(model)
    expect(made()).toEqual([])
  })
})
