// What a store must hold of approvals and of calls that wait for one; a part of `stateConformance`.

import type { AskedCall, Grant } from '../state/approval-state.ts'
import type { StateStore } from '../state/state-store.ts'
import { must, same } from './conformance-checks.ts'

export interface ApprovalWorld {
  readonly open: () => Promise<StateStore>
}

export type ApprovalCheck = readonly [title: string, holds: (world: ApprovalWorld) => Promise<void>]

export const approvalChecks: readonly ApprovalCheck[] = [
  ['remembers approvals by user, agent, tool and rule', remembers],
  ['lists approvals in order, and forgets those that are named', listsAndForgets],
  ['keeps one question about one call', asksOnce],
  ['hands an answer out once, and only for the very same call', answersOnce],
  ['forgets the oldest of too many questions', forgetsOldest],
  ['refuses a question that is too long', refusesLong],
]

/** Those that need a store that is kept. */
export const keptApprovalChecks: readonly ApprovalCheck[] = [['keeps approvals and questions', survives]]

const aGrant = (given: Partial<Grant> = {}): Grant => ({
  user: 'user',
  agent: 'main',
  tool: 'mcp:a/b',
  rule: 'ask b',
  definitionHash: 'd1',
  at: '2026-01-01T00:00:00.000Z',
  ...given,
})
const aQuestion = (given: Partial<AskedCall> = {}): AskedCall => ({
  id: 'id1',
  user: 'user',
  thread: 'thread',
  agent: 'main',
  tool: 'mcp:a/b',
  rule: 'ask b',
  call: 'call1',
  name: 'a__b',
  definitionHash: 'd1',
  args: { path: '/x' },
  askedAt: '2026-01-01T00:00:00.000Z',
  ...given,
})
const odd = ['', 'a', 'A', 'a\u0000', '\ud800', "'", '%'] as const

async function remembers({ open }: ApprovalWorld): Promise<void> {
  const { approvals } = await open()
  same(await approvals.find(aGrant()), undefined, 'an approval that nobody gave')
  for (const field of ['user', 'agent', 'tool', 'rule'] as const)
    for (const text of odd) await approvals.remember(aGrant({ [field]: text, definitionHash: field + text }))
  for (const field of ['user', 'agent', 'tool', 'rule'] as const)
    for (const text of odd)
      same((await approvals.find(aGrant({ [field]: text })))?.definitionHash, field + text, `the approval of ${field}`)
  await approvals.remember(aGrant({ user: 'a', definitionHash: 'd2' }))
  same(await approvals.find(aGrant({ user: 'a' })), aGrant({ user: 'a', definitionHash: 'd2' }), 'one given again')
}

async function listsAndForgets({ open }: ApprovalWorld): Promise<void> {
  const { approvals } = await open()
  const grants = [aGrant({ tool: 'z' }), aGrant(), aGrant({ rule: 'other' }), aGrant({ agent: 'child' })]
  for (const grant of [...grants, aGrant({ user: 'user2' })]) await approvals.remember(grant)
  same(await approvals.list({ user: 'user' }), grants, 'approvals')
  same(await approvals.list({ user: 'user', agent: 'child' }), grants.slice(3), 'approvals of one agent')
  same(await approvals.list({ user: '' }), [], 'approvals of nobody')
  const main = { user: 'user', agent: 'main' }
  same(await approvals.forget({ ...main, tool: 'mcp:a/b', rule: 'other' }), 1, 'forgotten by rule')
  same(await approvals.forget({ ...main, tool: 'mcp:a/b' }), 1, 'forgotten by tool')
  same(await approvals.forget({ ...main, tool: 'mcp:a/b' }), 0, 'forgotten again')
  same(await approvals.forget(main), 1, 'forgotten by agent')
  same((await approvals.list({ user: 'user' })).length, 1, 'what is left')
  same((await approvals.list({ user: 'user2' })).length, 1, 'what is left of another user')
}

async function asksOnce({ open }: ApprovalWorld): Promise<void> {
  const { askedCalls } = await open()
  same(await askedCalls.ask(aQuestion()), aQuestion(), 'the question')
  same(await askedCalls.ask(aQuestion({ id: 'id2' })), aQuestion(), 'the question that was there')
  const others = [aQuestion({ id: 'id3', thread: 'thread2' }), aQuestion({ id: 'id4', call: 'call2' })]
  for (const other of others) same(await askedCalls.ask(other), other, 'another question')
  same(await askedCalls.list({ user: 'user' }), [aQuestion(), ...others], 'questions')
  same(await askedCalls.list({ user: 'user', thread: 'thread2' }), others.slice(0, 1), 'questions of a thread')
  same(await askedCalls.find('id4'), others[1], 'a question by its id')
  await askedCalls.forget({ user: 'user', thread: 'thread' })
  same(await askedCalls.list({ user: 'user' }), others.slice(0, 1), 'questions after a thread was forgotten')
  await askedCalls.drop('id3')
  same(await askedCalls.find('id3'), undefined, 'a question that was dropped')
}

async function answersOnce({ open }: ApprovalWorld): Promise<void> {
  const { askedCalls } = await open()
  const key = { user: 'user', thread: 'thread', agent: 'main', call: 'call1' }
  same(await askedCalls.take(key), undefined, 'a question that nobody asked')
  same(await askedCalls.answer('id1', 'once'), undefined, 'an answer to nothing')
  await askedCalls.ask(aQuestion())
  same(await askedCalls.take(key), aQuestion(), 'a question without an answer')
  same(await askedCalls.answer('id1', 'once'), aQuestion({ answer: 'once' }), 'the answered question')
  same(await askedCalls.answer('id1', 'deny'), undefined, 'a second answer')
  for (const other of [{ user: 'x' }, { thread: 'x' }, { agent: 'x' }, { call: 'x' }])
    same(await askedCalls.take({ ...key, ...other }), undefined, 'the answer of another call')
  const taken = await Promise.all([1, 2, 3].map(() => askedCalls.take(key)))
  same(taken.filter((one) => one?.answer === 'once').length, 1, 'calls that one answer let through')
  same(await askedCalls.find('id1'), undefined, 'a question after its answer was used')
}

async function forgetsOldest({ open }: ApprovalWorld): Promise<void> {
  const { askedCalls } = await open()
  await askedCalls.ask(aQuestion({ id: 'other', thread: 'thread2' }))
  for (let index = 0; index < 103; index += 1)
    await askedCalls.ask(aQuestion({ id: `id${index}`, call: `call${index}` }))
  const kept = await askedCalls.list({ user: 'user', thread: 'thread' })
  must(kept.length <= 100 && kept[0]?.id !== 'id0', 'questions of a thread are without a bound')
  must(kept.at(-1)?.id === 'id102', 'the youngest question is not kept')
  must((await askedCalls.find('other')) !== undefined, 'a question of another thread is gone')
}

async function refusesLong({ open }: ApprovalWorld): Promise<void> {
  const { askedCalls } = await open()
  const long = aQuestion({ args: { text: 'x'.repeat(1_000_000) } })
  const kept = await askedCalls.ask(long).then(
    () => true,
    () => false,
  )
  must(!kept, 'arguments of a million characters are kept')
  same(await askedCalls.list({ user: 'user' }), [], 'questions')
}

async function survives({ open }: ApprovalWorld): Promise<void> {
  const before = await open()
  await before.approvals.remember(aGrant())
  await before.askedCalls.ask(aQuestion())
  await before.askedCalls.answer('id1', 'deny')
  await before.close()
  const after = await open()
  same(await after.approvals.list({ user: 'user' }), [aGrant()], 'approvals')
  same(await after.askedCalls.list({ user: 'user' }), [aQuestion({ answer: 'deny' })], 'questions')
}
