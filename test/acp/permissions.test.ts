import { describe, expect, it } from 'vitest'
import { type AcpQuestion, permissionAnswer } from '../../src/acp/permission-answer.ts'
import type { AcpStep } from '../../src/testing/scripted-acp-agent-plan.ts'
import { agentConfig, scripted } from './acp-world.ts'

const question: AcpStep = { ask: { title: 'Run `rm -rf x`', kind: 'execute' } }
const selected = (kind: string) => ({ outcome: { outcome: 'selected', optionId: `id of ${kind}` } })

describe('a permission that an agent asks for [S5]', () => {
  it('is given by the operator: once', async () => {
    const { run, brought } = await scripted([question], { permissions: 'allow' })
    const { structure } = await run({ ask: async () => Promise.reject(new Error('nobody is to be asked')) })
    expect(brought('ask')).toMatchObject([{ result: selected('allow_once') }])
    expect(structure.denied).toEqual([])
  })

  it('is denied by the operator, and the model is told what was', async () => {
    const { run, brought } = await scripted([{ text: 'I try.' }, question, { text: 'Then not.' }], {
      permissions: 'deny',
    })
    const { structure, text, isError } = await run({ ask: async () => true })
    expect(brought('ask')).toMatchObject([{ result: selected('reject_once') }])
    expect(structure.denied).toEqual(['Run `rm -rf x`'])
    expect([text, isError]).toEqual(['[It was denied: Run `rm -rf x`.]\n\nI try.\n\nThen not.', false])
  })

  it('is denied where nobody is there to be asked', async () => {
    const { run, brought } = await scripted([question])
    expect((await run()).structure.denied).toEqual(['Run `rm -rf x`'])
    expect(brought('ask')).toMatchObject([{ result: selected('reject_once') }])
  })

  it.each([
    [true, 'allow_once', []],
    [false, 'reject_once', ['Edit\\u000anotes']],
  ])('is what the person says: %s', async (said, chosen, denied) => {
    const asked: AcpQuestion[] = []
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Edit\nnotes', kind: 'edit' }
    const { run, brought } = await scripted([{ update: call }, { ask: { id: 'c1', kind: 'edit' } }])
    const { structure } = await run({
      ask: async (one) => {
        asked.push(one)
        return said
      },
    })
    expect(asked).toMatchObject([{ agent: 'helper', title: 'Edit\\u000anotes', kind: 'edit' }])
    expect(asked[0]?.options.map(({ kind }) => kind)).toEqual([
      'allow_always',
      'allow_once',
      'reject_once',
      'reject_always',
    ])
    expect(brought('ask')).toMatchObject([{ result: selected(chosen) }])
    expect(structure.denied).toEqual(denied)
  })

  it('that a person does not answer ends with the turn, and no yes comes of it', async () => {
    const { run, brought } = await scripted([question], { turnTimeoutMs: 1500 })
    const { structure } = await run({
      ask: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(true))),
    })
    expect(brought('ask')).toMatchObject([{ result: { outcome: { outcome: 'cancelled' } } }])
    expect(structure).toMatchObject({ status: 'timed-out', denied: [] })
  })
})

describe('the option that is chosen', () => {
  const option = (kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always') => ({
    optionId: kind,
    name: kind,
    kind,
  })
  const answer = async (
    permissions: 'ask' | 'allow' | 'deny',
    kinds: readonly Parameters<typeof option>[0][],
    ask?: () => Promise<boolean>,
  ) => {
    const denied: string[] = []
    const { outcome } = await permissionAnswer(
      { sessionId: 's', toolCall: { toolCallId: 'c', title: 'T' }, options: kinds.map(option) },
      {
        agent: agentConfig({ permissions }),
        ...(ask === undefined ? {} : { ask }),
        signal: new AbortController().signal,
        titleOf: () => undefined,
        deny: (title) => denied.push(title),
      },
    )
    return [outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome, denied.length]
  }
  const yes = async () => true

  it.each([
    ['allow', ['allow_always', 'allow_once'], 'allow_once', 0],
    ['allow', ['allow_always', 'reject_once'], 'allow_always', 0],
    ['allow', ['reject_once'], 'reject_once', 1],
    ['allow', [], 'cancelled', 1],
    ['deny', ['reject_always', 'reject_once'], 'reject_once', 1],
    ['deny', ['allow_once', 'reject_always'], 'reject_always', 1],
    ['deny', ['allow_once'], 'cancelled', 1],
    // A yes is for this once: where the agent offers only a yes for good, it is none.
    ['ask', ['allow_always', 'reject_once'], 'reject_once', 1],
    ['ask', ['allow_always'], 'cancelled', 1],
    ['ask', ['allow_once'], 'allow_once', 0],
  ] as const)('%s of %j is %s', async (permissions, kinds, chosen, denied) => {
    expect(await answer(permissions, kinds, yes)).toEqual([chosen, denied])
  })

  it.each([
    ['fails', async () => Promise.reject(new Error('no terminal'))],
    [
      'throws',
      () => {
        throw new Error('no terminal')
      },
    ],
    ['says something that is no yes', async () => 'yes' as unknown as boolean],
  ])('is a denial when the question %s', async (_, ask) => {
    expect(await answer('ask', ['allow_once', 'reject_once'], ask)).toEqual(['reject_once', 1])
  })
})
