// What a store must hold of conversations; a part of `stateConformance`.

import type { StateStore, ThreadKey } from '../state/state-store.ts'
import type { ThreadRecord } from '../state/thread-state.ts'
import { aCheckpoint, aWrite, fails, kept, numbersTo, odd, place, sameCheckpoint } from './checkpoint-conformance.ts'
import { must, same } from './conformance-checks.ts'

export interface ThreadWorld {
  readonly open: () => Promise<StateStore>
}

export type ThreadCheck = readonly [title: string, holds: (world: ThreadWorld) => Promise<void>]

export const threadChecks: readonly ThreadCheck[] = [
  ['reads the conversations that were written, whatever their names', readsConversations],
  ['loses no change of a conversation of many at once', losesNoChange],
  ['lists the conversations of a user, the one that was last written first', listsConversations],
  ['refuses a conversation that could not be read again', refusesConversations],
  ['lends a conversation to one holder at a time', lends],
  ['forgets conversations with their checkpoints, and nothing else', forgetsConversations],
]

/** Those that need a store that is kept. */
export const keptThreadChecks: readonly ThreadCheck[] = [
  ['keeps conversations, checkpoints and claims', survives],
  ['lends a conversation to one of two stores, and shows one what the other has written', sharesConversations],
]

const key: ThreadKey = { user: place.user, thread: place.thread, agent: place.agent }

const aRecord = (given: Partial<ThreadRecord> = {}): ThreadRecord => ({
  ...key,
  title: 'Where is the key?',
  startedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:01.000Z',
  turns: 1,
  state: 'waiting',
  skills: ['papers'],
  waitingFor: [
    { kind: 'clarification', callId: 'call1', agent: 'main', question: { question: 'Which?', options: ['a', 'b'] } },
    {
      kind: 'approval',
      callId: 'c2',
      agent: 'child',
      approvalId: 'id1',
      tool: 'a__b',
      args: { path: 'x\u0000\ud800' },
    },
  ],
  ...given,
})

async function readsConversations({ open }: ThreadWorld): Promise<void> {
  const { threads } = await open()
  same(await threads.read(key), undefined, 'a conversation that nobody began')
  const keys = odd.flatMap((name) => [
    { ...key, user: name },
    { ...key, thread: name },
    { ...key, agent: name },
  ])
  for (const at of keys) {
    const record = aRecord({ ...at, title: JSON.stringify(at) })
    same(await threads.update(at, () => record), record, 'what is stored')
  }
  for (const at of keys) same(await threads.read(at), aRecord({ ...at, title: JSON.stringify(at) }), 'a conversation')
  same(await threads.update(keys[0] ?? key, () => undefined), undefined, 'the answer to a removal')
  same(await threads.read(keys[0] ?? key), undefined, 'what was removed')
}

const many = 30
const numbers = numbersTo(many)
const withTurn = (before: ThreadRecord | undefined): ThreadRecord => aRecord({ turns: (before?.turns ?? 0) + 1 })

async function losesNoChange({ open }: ThreadWorld): Promise<void> {
  const { threads } = await open()
  await Promise.all(numbers.map(() => threads.update(key, withTurn)))
  same((await threads.read(key))?.turns, many, 'turns that were counted at once')
  const mistake = new Error('the mistake of a caller')
  const failing = threads.update(key, () => {
    throw mistake
  })
  must(
    (await failing.catch((error: unknown) => error)) === mistake,
    'the error of a change is not the one that comes out',
  )
  same(await threads.update(key, (before) => before), await threads.read(key), 'what a change left')
}

async function listsConversations({ open }: ThreadWorld): Promise<void> {
  const { threads } = await open()
  const keys = [key, { ...key, agent: 'child' }, { ...key, thread: 'thread2' }, { ...key, user: 'user2' }]
  for (const at of keys) await threads.update(at, () => aRecord(at))
  await threads.update(key, () => aRecord({ turns: 2 }))
  const wanted = [aRecord({ turns: 2 }), aRecord({ thread: 'thread2' }), aRecord({ agent: 'child' })]
  same(await threads.list({ user: 'user', limit: 10 }), wanted, 'conversations')
  same(await threads.list({ user: 'user', limit: 2 }), wanted.slice(0, 2), 'the two that were last written')
  for (const limit of [0, -1, Number.NaN]) same(await threads.list({ user: 'user', limit }), [], `${limit} of them`)
  same(await threads.list({ user: '', limit: 10 }), [], 'conversations of nobody')
}

async function refusesConversations({ open }: ThreadWorld): Promise<void> {
  const { threads } = await open()
  await threads.update(key, () => aRecord())
  const wrong: readonly object[] = [
    { title: 'x'.repeat(2_000_000) },
    { agent: 'other' },
    { state: 'gone' },
    { turns: 0.5 },
    { skills: 'papers' },
    { waitingFor: [{ kind: 'approval', callId: 'a', agent: 'b' }] },
    { waitingFor: [{ kind: 'clarification', callId: 'a', agent: 'b', question: { n: 1n } }] },
  ]
  for (const given of wrong)
    await fails(
      threads.update(key, () => aRecord(given)),
      Object.keys(given).join(),
    )
  await fails(threads.read({ ...key, thread: 't'.repeat(1_000_000) }), 'a name of a million characters')
  for (const until of [Number.NaN, Number.POSITIVE_INFINITY, 2 * 60 * 60 * 1000])
    await fails(threads.claim(key, { holder: 'a', now: 0, until }), `a claim until ${until}`)
  same(await threads.read(key), aRecord(), 'the conversation')
}

async function lends({ open }: ThreadWorld): Promise<void> {
  const { threads } = await open()
  const claim = (holder: string, now: number, until: number, at = key) => threads.claim(at, { holder, now, until })
  same(await claim('one', 1000, 2000), true, 'the first claim')
  same(await claim('other', 1500, 3000), false, 'a claim of what is taken')
  same(await claim('other', 1500, 3000, { ...key, agent: 'child' }), true, 'a claim of another conversation')
  same(await claim('one', 1900, 4000), true, 'a claim that is prolonged')
  same(await claim('other', 3999, 5000), false, 'a claim of what was prolonged')
  await threads.release(key, 'other')
  same(await claim('other', 3999, 5000), false, 'a claim of what another one gave back')
  same(await claim('other', 4000, 5000), true, 'a claim of what has expired')
  same(await claim('one', 4500, 6000), false, 'a claim of what was taken over')
  await threads.release(key, 'other')
  same(await claim('one', 4500, 6000), true, 'a claim of what was given back')
  const day = 24 * 60 * 60 * 1000
  same(await claim('one', day, day + 1000), true, 'a claim of a clock that is ahead')
  same(await claim('other', 5000, 6000), true, 'a claim of a clock that was set back')
  const holders = await Promise.all(numbers.map((number) => claim(`${number}`, 7000, 8000)))
  same(holders.filter((isHolder) => isHolder).length, 1, 'holders of many at once')
  same(await threads.read(key), undefined, 'a conversation that was claimed alone')
}

async function forgetsConversations({ open }: ThreadWorld): Promise<void> {
  const { threads, checkpoints } = await open()
  const child = { ...place, agent: 'child', run: 'call1' }
  const deep = { ...child, namespace: 'tools:1' }
  const others = [
    { ...place, thread: 'thread2' },
    { ...place, thread: 'Thread' },
    { ...place, user: 'user2' },
  ]
  const fill = async (): Promise<void> => {
    for (const at of [place, child, deep, ...others]) {
      await threads.update(at, () => aRecord({ user: at.user, thread: at.thread, agent: at.agent }))
      await checkpoints.put(at, aCheckpoint('id1'), 2)
      await checkpoints.putWrites(at, 'id1', kept(aWrite()))
    }
  }
  await fill()
  await checkpoints.forget(child)
  for (const at of [child, deep]) same(await checkpoints.read(at), undefined, 'a checkpoint of a forgotten run')
  for (const at of [place, ...others]) sameCheckpoint(await checkpoints.read(at), aCheckpoint('id1'), [aWrite()])
  await fill()
  const claim = { holder: 'one', now: 1000, until: 2000 }
  same(await threads.claim(key, claim), true, 'a claim')
  await threads.forget({ user: 'user', thread: 'thread' })
  for (const at of [place, child, deep]) {
    same(await threads.read(at), undefined, 'a forgotten conversation')
    same(await checkpoints.read(at), undefined, 'a checkpoint of a forgotten conversation')
    await checkpoints.put(at, aCheckpoint('id1'), 2)
    sameCheckpoint(await checkpoints.read(at), aCheckpoint('id1'))
  }
  for (const at of others) {
    must((await threads.read(at)) !== undefined, 'another conversation is gone')
    sameCheckpoint(await checkpoints.read(at), aCheckpoint('id1'), [aWrite()])
  }
  same(await threads.claim(key, { ...claim, holder: 'other' }), false, 'a claim of what was forgotten meanwhile')
}

async function survives({ open }: ThreadWorld): Promise<void> {
  const before = await open()
  await before.threads.update(key, () => aRecord())
  await before.checkpoints.put(place, aCheckpoint('id1'), 2)
  await before.checkpoints.putWrites(place, 'id1', kept(aWrite()))
  same(await before.threads.claim(key, { holder: 'one', now: 1000, until: 2000 }), true, 'a claim')
  await before.close()
  const after = await open()
  same(await after.threads.list({ user: 'user', limit: 2 }), [aRecord()], 'conversations')
  sameCheckpoint(await after.checkpoints.read(place), aCheckpoint('id1'), [aWrite()])
  same(await after.threads.claim(key, { holder: 'other', now: 1500, until: 2500 }), false, 'a claim of another')
}

async function sharesConversations({ open }: ThreadWorld): Promise<void> {
  const stores = [await open(), await open()] as const
  const each = <T>(work: (store: StateStore, number: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(numbers.map((number) => work(stores[number % 2 === 0 ? 0 : 1], number)))
  await each(({ threads }) => threads.update(key, withTurn))
  const claims = await each(({ threads }, number) =>
    threads.claim(key, { holder: `${number}`, now: 1000, until: 2000 }),
  )
  same(claims.filter((isHolder) => isHolder).length, 1, 'holders of two stores at once')
  await each(({ checkpoints }, number) => checkpoints.putWrites(place, 'id1', kept(aWrite({ index: number }))))
  await stores[0].checkpoints.put(place, aCheckpoint('id1'), 2)
  for (const { threads, checkpoints } of stores) {
    same((await threads.read(key))?.turns, many, 'turns that two stores counted at once')
    sameCheckpoint(
      await checkpoints.read(place),
      aCheckpoint('id1'),
      numbers.map((index) => aWrite({ index })),
    )
  }
}
