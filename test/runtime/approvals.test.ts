// A person's answer: for one call, for good, or no; now, or later and in another process.

import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Json } from '../../src/core/json.ts'
import type { Rule } from '../../src/core/run-facts.ts'
import { approvalBoard } from '../../src/runtime/approvals/approval-board.ts'
import { callApprovals } from '../../src/runtime/approvals/call-approvals.ts'
import type { ApprovalAnswer, CallApprovals } from '../../src/runtime/middleware.ts'
import type { ApprovalState, CallOutcome } from '../../src/runtime/tool-call.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'
import { aFolder, aStore } from '../state/places.ts'
import { rule, setting, toolOf } from './a-setting.ts'

const now = () => new Date('2026-03-01T10:00:00Z')
const owner = { user: 'ada', thread: 't1' }
const remove = toolOf('remove')
const changed: Candidate = { ...remove, definitionHash: 'f'.repeat(64) }
const lines: string[] = []

interface Here {
  readonly store: StateStore
  readonly approve?: () => Promise<ApprovalAnswer>
  readonly rules?: readonly Rule[]
  readonly tool?: Candidate
  readonly as?: { readonly user?: string; readonly thread?: string; readonly agent?: string }
  readonly attended?: boolean
  readonly otherwise?: 'allow' | 'ask'
}

/** One run of an agent on a state; a person is there only where `approve` is given. */
function run({ store, approve, rules = [rule('ask', 'remove(path:**)')], tool = remove, as = {}, ...more }: Here) {
  const { agent = 'main', ...whose } = as
  const state = async () => store
  const approvals = callApprovals({
    state,
    owner: { ...owner, ...whose },
    agent,
    tell: (line) => lines.push(line),
    now,
  })
  const { call, reached } = setting({
    rules,
    tools: [tool],
    ...(approve === undefined ? {} : { approve }),
    ...(more.otherwise === undefined ? {} : { otherwise: more.otherwise }),
    facts: { attended: { on: more.attended ?? true } },
    more: { approvals },
  })
  return { call: (path = '/x', extra: object = {}) => call({ name: 'remove', args: { path, ...extra } }), reached }
}
const codeOf = (outcome: CallOutcome): string => (outcome.kind === 'result' ? 'ran' : outcome.code)
const idOf = (outcome: CallOutcome): string => (outcome.kind === 'refused' ? (outcome.approvalId ?? '') : '')
const says = (...answers: readonly ApprovalAnswer[]) => {
  const left = [...answers]
  return async (): Promise<ApprovalAnswer> => {
    const answer = left.shift()
    if (answer === undefined) throw new Error('asked too often')
    return answer
  }
}

describe('a person who is there [R4]', () => {
  it.each<[ApprovalAnswer, string]>([
    [true, 'ran'],
    ['once', 'ran'],
    [false, 'call-denied'],
    ['deny', 'call-denied'],
    ['yes' as ApprovalAnswer, 'call-denied'],
  ])('and says %s is asked again at the next call', async (answer, code) => {
    const { call } = run({ store: await aStore(aFolder()), approve: says(answer, answer) })
    expect([codeOf(await call()), codeOf(await call())]).toEqual([code, code])
  })

  it('and says always is not asked again, for any arguments, in any thread, after a restart', async () => {
    const folder = aFolder()
    const first = await openState('sqlite:state.db', { folder })
    expect(codeOf(await run({ store: first, approve: says('always') }).call())).toBe('ran')
    await first.close()
    const store = await aStore(folder)
    expect(codeOf(await run({ store, approve: says(), as: { thread: 't2' } }).call('/y'))).toBe('ran')
    expect(await approvalBoard(store).list({ user: 'ada' })).toEqual([
      {
        user: 'ada',
        agent: 'main',
        tool: 'mcp:files/remove',
        rule: 'ask remove(path:**)',
        definitionHash: remove.definitionHash,
        at: now().toISOString(),
      },
    ])
  })

  it('and said always is asked again for another user, agent, rule or definition', async () => {
    const store = await aStore(aFolder())
    await run({ store, approve: says('always') }).call()
    const others: readonly Partial<Here>[] = [
      { as: { user: 'bob' } },
      { as: { agent: 'child' } },
      { rules: [rule('ask', 'remove(path:/**)')] },
      { rules: [rule('ask', 'remove')] },
      { rules: [], otherwise: 'ask' },
      { tool: changed },
    ]
    for (const other of others)
      expect(codeOf(await run({ store, approve: says('deny'), ...other }).call())).toBe('call-denied')
  })

  it('is asked again once the definition was another, even when it is the old one again', async () => {
    const store = await aStore(aFolder())
    await run({ store, approve: says('always') }).call()
    expect(codeOf(await run({ store, approve: says('deny'), tool: changed }).call())).toBe('call-denied')
    expect(codeOf(await run({ store, approve: says('deny') }).call())).toBe('call-denied')
  })

  it('and takes always back is asked again', async () => {
    const store = await aStore(aFolder())
    await run({ store, approve: says('always') }).call()
    expect(await approvalBoard(store).forget({ user: 'ada', agent: 'main', tool: 'mcp:files/remove' })).toBe(1)
    expect(codeOf(await run({ store, approve: says('deny') }).call())).toBe('call-denied')
  })

  it('and said always lifts no rule that denies', async () => {
    const store = await aStore(aFolder())
    await run({ store, approve: says('always') }).call()
    const { call, reached } = run({
      store,
      rules: [rule('ask', 'remove(path:**)'), rule('deny', 'remove(path:/etc/**)')],
    })
    expect(codeOf(await call('/etc/passwd'))).toBe('call-denied')
    expect(codeOf(await call('/x'))).toBe('ran')
    expect(reached).toEqual([{ path: '/x' }])
  })

  it('and says always where that cannot be kept has approved the call, and it is told', async () => {
    lines.length = 0
    const store = await aStore(aFolder())
    await store.close()
    expect(codeOf(await run({ store, approve: says('always') }).call())).toBe('ran')
    expect(lines.join()).toContain('"remove"')
    expect(lines.join()).toContain('is asked again: state-closed: the state is closed')
  })
})

describe('a person who may answer later [R4]', () => {
  it('leaves the call ended with a question, which is stored with all that it is about', async () => {
    const store = await aStore(aFolder())
    const { call, reached } = run({ store })
    const outcome = await call()
    expect(outcome).toMatchObject({ kind: 'refused', code: 'approval-pending', rule: { text: 'remove(path:**)' } })
    const [question] = await approvalBoard(store).pending({ user: 'ada', thread: 't1' })
    expect(question).toMatchObject({
      id: idOf(outcome),
      ...owner,
      agent: 'main',
      tool: 'mcp:files/remove',
      name: 'remove',
      rule: 'ask remove(path:**)',
      definitionHash: remove.definitionHash,
      args: { path: '/x' },
      askedAt: now().toISOString(),
    })
    expect(reached).toEqual([])
    // The same call is the same question.
    expect(idOf(await call())).toBe(idOf(outcome))
    expect(idOf(await call('/y'))).not.toBe(idOf(outcome))
  })

  it('and answers once, in another process after a restart, lets the very same call through one time', async () => {
    const folder = aFolder()
    const before = await openState('sqlite:state.db', { folder })
    const id = idOf(await run({ store: before }).call('/x', { depth: 1 }))
    await before.close()
    const elsewhere = await openState('sqlite:state.db', { folder })
    expect(await approvalBoard(elsewhere).answer('ada', id, 'once')).toBe('taken')
    await elsewhere.close()

    const store = await aStore(folder)
    const { call, reached } = run({ store })
    for (const other of [
      run({ store, as: { thread: 't2' } }),
      run({ store, as: { agent: 'child' } }),
      run({ store, tool: changed }),
    ])
      expect(codeOf(await other.call('/x', { depth: 1 }))).toBe('approval-pending')
    expect(codeOf(await call('/x', { depth: 2 }))).toBe('approval-pending')
    expect(codeOf(await call('/x', { depth: 1 }))).toBe('ran')
    expect(codeOf(await call('/x', { depth: 1 }))).toBe('approval-pending')
    expect(reached).toEqual([{ path: '/x', depth: 1 }])
  })

  it('and answers once lets one of two calls at the same time through', async () => {
    const store = await aStore(aFolder())
    const { call, reached } = run({ store })
    await approvalBoard(store).answer('ada', idOf(await call()), 'once')
    expect((await Promise.all([call(), call(), call()])).map(codeOf).sort()).toEqual([
      'approval-pending',
      'approval-pending',
      'ran',
    ])
    expect(reached).toHaveLength(1)
  })

  it('and answers always lets later calls through as well', async () => {
    const store = await aStore(aFolder())
    const { call } = run({ store })
    expect(await approvalBoard(store, now).answer('ada', idOf(await call()), 'always')).toBe('taken')
    expect([codeOf(await call()), codeOf(await call()), codeOf(await call('/y'))]).toEqual(['ran', 'ran', 'ran'])
    expect(codeOf(await run({ store, tool: changed }).call())).toBe('approval-pending')
  })

  it('and answers no refuses the call once, and is asked anew after that', async () => {
    const store = await aStore(aFolder())
    const { call } = run({ store })
    await approvalBoard(store).answer('ada', idOf(await call()), 'deny')
    expect([codeOf(await call()), codeOf(await call())]).toEqual(['call-denied', 'approval-pending'])
  })

  it('said no to this call, which counts before what is approved for good', async () => {
    const store = await aStore(aFolder())
    const { call } = run({ store })
    await approvalBoard(store).answer('ada', idOf(await call()), 'deny')
    await run({ store, approve: says('always') }).call('/y')
    expect([codeOf(await call()), codeOf(await call())]).toEqual(['call-denied', 'ran'])
  })

  it('answers own questions only, each one time', async () => {
    const store = await aStore(aFolder())
    const board = approvalBoard(store)
    const id = idOf(await run({ store }).call())
    expect(await board.answer('bob', id, 'once')).toBe('gone')
    expect(await board.answer('ada', 'none', 'once')).toBe('gone')
    expect(await board.answer('ada', id, 'deny')).toBe('taken')
    expect(await board.answer('ada', id, 'once')).toBe('gone')
    expect(await board.pending({ user: 'ada' })).toEqual([])
  })

  it('answers through the program that asks, with later', async () => {
    const store = await aStore(aFolder())
    expect(codeOf(await run({ store, approve: says('later') }).call())).toBe('approval-pending')
    expect(
      codeOf(
        await setting({ rules: [rule('ask', 'remove')], approve: says('later') }).call({
          name: 'remove',
          args: { path: '/x' },
        }),
      ),
    ).toBe('approval-needed')
  })

  it('has no question left once such calls are approved for good', async () => {
    const store = await aStore(aFolder())
    await run({ store }).call()
    await run({ store, approve: says('always') }).call('/y')
    expect(codeOf(await run({ store }).call())).toBe('ran')
    expect(await approvalBoard(store).pending({ user: 'ada' })).toEqual([])
  })

  it('uses up no answer by a call that was called off', async () => {
    const store = await aStore(aFolder())
    const { call, reached } = run({ store })
    await approvalBoard(store).answer('ada', idOf(await call()), 'once')
    const state = async () => store
    const approvals = callApprovals({ state, owner, agent: 'main', tell: () => {} })
    const off = setting({ rules: [rule('ask', 'remove(path:**)')], tools: [remove], more: { approvals } })
    const signal = AbortSignal.abort()
    expect(codeOf(await off.call({ name: 'remove', args: { path: '/x' }, signal }))).toBe('call-cancelled')
    expect(codeOf(await call())).toBe('ran')
    expect(reached).toHaveLength(1)
  })
})

describe('a call that nobody will approve [R4]', () => {
  it('is refused at once where the run has nobody, and leaves no question', async () => {
    const store = await aStore(aFolder())
    const { call } = run({ store, attended: false, rules: [rule('ask', 'remove(path:**)')] })
    expect(codeOf(await call())).toBe('approval-needed')
    expect(await approvalBoard(store).pending({ user: 'ada' })).toEqual([])
  })

  it('is refused where the question cannot be kept, and says why', async () => {
    const store = await aStore(aFolder())
    await store.close()
    const outcome = await run({ store }).call()
    expect(outcome).toMatchObject({ code: 'approval-needed' })
    expect(outcome.kind === 'refused' ? outcome.message : '').toContain('could not be kept (state-closed)')
    const open = await aStore(aFolder())
    expect(codeOf(await run({ store: open }).call('x'.repeat(300_000)))).toBe('approval-needed')
  })
})

it('how a person stands to a call is told, once, and only where a rule asks', async () => {
  const told: Json[] = []
  const stands = async (approvals: Partial<CallApprovals> | undefined, approve?: () => Promise<ApprovalAnswer>) => {
    const { call } = setting({
      rules: [rule('ask', 'remove')],
      ...(approve === undefined ? {} : { approve }),
      more:
        approvals === undefined
          ? {}
          : {
              approvals: {
                standing: async () => undefined,
                remember: async () => {},
                ask: async () => 'id',
                ...approvals,
              },
            },
    })
    const onApproval = (state: ApprovalState) => told.push(state)
    for (const name of ['list', 'remove']) await call({ name, args: { path: '/x' }, ...{ onApproval } })
  }
  await stands(undefined)
  await stands({})
  await stands({ standing: async () => 'always' })
  await stands({ standing: async () => 'once' })
  await stands({ standing: async () => 'deny' })
  await stands({}, says('once'))
  await stands({}, says('deny'))
  expect(told).toEqual(['nobody', 'pending', 'remembered', 'given', 'denied', 'given', 'denied'])
})
