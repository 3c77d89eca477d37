// What a store must hold of conversations and of their checkpoints; a part of `stateConformance`.

import type { StateStore, ThreadKey } from '../state/state-store.ts'
import type {
  CheckpointPlace,
  CheckpointWithWrites,
  Encoded,
  StoredCheckpoint,
  StoredWrite,
  ThreadRecord,
} from '../state/thread-state.ts'
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
  ['reads the checkpoints that were put, whatever their names', readsCheckpoints],
  ['keeps the checkpoints that were put last, with their writes', prunes],
  ['keeps the writes of a step in order, earlier ones or those that replace them', keepsWrites],
  ['keeps writes whose checkpoint is put after them', keepsEarlyWrites],
  ['lists checkpoints by id, youngest first', listsCheckpoints],
  ['tells where there are checkpoints, of which there are not too many', tellsPlaces],
  ['forgets conversations with their checkpoints, and nothing else', forgetsConversations],
  ['refuses checkpoints that are too long', refusesLong],
]

/** Those that need a store that is kept. */
export const keptThreadChecks: readonly ThreadCheck[] = [
  ['keeps conversations, checkpoints and claims', survives],
  ['lends a conversation to one of two stores, and shows one what the other has written', sharesConversations],
]

const key: ThreadKey = { user: 'user', thread: 'thread', agent: 'main' }
const place: CheckpointPlace = { ...key, run: '', namespace: '' }

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

const encoded = (text: string): Encoded => ({ type: 'json', bytes: new TextEncoder().encode(text) })
const aCheckpoint = (id: string, given: Partial<StoredCheckpoint> = {}): StoredCheckpoint => ({
  id,
  checkpoint: encoded(`checkpoint ${id}`),
  metadata: encoded(`metadata ${id}`),
  ...given,
})
const aWrite = (given: Partial<StoredWrite> = {}): StoredWrite => ({
  taskId: 'task1',
  taskPath: '',
  index: 0,
  channel: 'messages',
  value: encoded('value'),
  ...given,
})
const kept = (...writes: readonly StoredWrite[]) => writes.map((write) => ({ ...write, replace: false }))
const replacing = (...writes: readonly StoredWrite[]) => writes.map((write) => ({ ...write, replace: true }))

/** Names that have been taken for one another: by quotes, cuts, folding, mending or joining. */
const odd = [
  '',
  ' ',
  'a',
  'A',
  'a\u0000',
  'a\u0301',
  '\u00e1',
  '\ud800',
  '\ufffd',
  '😀',
  "'a'",
  '"a"',
  '%',
  '[]',
  '\\',
] as const

const plain = (value: Encoded) => ({ type: value.type, bytes: Buffer.from(value.bytes).toString('hex') })
const shown = (found: CheckpointWithWrites | undefined) =>
  found && {
    ...found.checkpoint,
    checkpoint: plain(found.checkpoint.checkpoint),
    metadata: plain(found.checkpoint.metadata),
    writes: found.writes.map((write) => ({ ...write, value: plain(write.value) })),
  }

function sameCheckpoint(
  found: CheckpointWithWrites | undefined,
  wanted: StoredCheckpoint,
  writes: readonly StoredWrite[] = [],
): void {
  same(shown(found), shown({ checkpoint: wanted, writes }), `the checkpoint ${JSON.stringify(wanted.id)}`)
}

const idsOf = (found: readonly CheckpointWithWrites[]): readonly string[] =>
  found.map(({ checkpoint }) => checkpoint.id)

const fails = async (asked: Promise<unknown>, what: string): Promise<void> => {
  const done = await asked.then(
    () => true,
    () => false,
  )
  must(!done, `${what} did not fail`)
}

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
const numbers = Array.from({ length: many }, (_, index) => index)
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

async function readsCheckpoints({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  same(await checkpoints.read(place), undefined, 'a checkpoint that nobody put')
  const bytes = [
    new Uint8Array(0),
    Uint8Array.from({ length: 256 }, (_, index) => index),
    Buffer.from('xabcx').subarray(1, 4),
  ]
  const fields = ['user', 'thread', 'agent', 'run', 'namespace'] as const
  const wanted = fields.flatMap((field) =>
    odd.map((name, index) => {
      const at = { ...place, agent: 'a', run: 'r', namespace: 'n', [field]: name }
      const value = { type: `${field}${name}`, bytes: bytes[index % bytes.length] ?? new Uint8Array(0) }
      return [at, aCheckpoint(`id${name}`, { parentId: name, checkpoint: value, metadata: value })] as const
    }),
  )
  for (const [at, checkpoint] of wanted) {
    await checkpoints.put(at, checkpoint, 1)
    await checkpoints.putWrites(at, checkpoint.id, kept(aWrite({ taskId: checkpoint.id, value: checkpoint.metadata })))
  }
  for (const [at, checkpoint] of wanted) {
    const writes = [aWrite({ taskId: checkpoint.id, value: checkpoint.metadata })]
    sameCheckpoint(await checkpoints.read(at), checkpoint, writes)
    sameCheckpoint(await checkpoints.read(at, checkpoint.id), checkpoint, writes)
    same(await checkpoints.read(at, 'other'), undefined, 'a checkpoint of another id')
  }
}

async function prunes({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  const other = { ...place, namespace: 'other' }
  await checkpoints.put(other, aCheckpoint('id0'), 2)
  for (const id of ['id1', 'id2', 'id3', 'id4']) {
    await checkpoints.put(place, aCheckpoint(id), 2)
    await checkpoints.putWrites(place, id, kept(aWrite({ taskId: id })))
  }
  same(idsOf(await checkpoints.list(place, { limit: 10 })), ['id4', 'id3'], 'checkpoints that are kept')
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id4'), [aWrite({ taskId: 'id4' })])
  sameCheckpoint(await checkpoints.read(place, 'id3'), aCheckpoint('id3'), [aWrite({ taskId: 'id3' })])
  sameCheckpoint(await checkpoints.read(other), aCheckpoint('id0'))
  // One that was forgotten comes again without its writes.
  await checkpoints.put(place, aCheckpoint('id2'), 3)
  sameCheckpoint(await checkpoints.read(place, 'id2'), aCheckpoint('id2'))
  // A clock that was set back: what was put last is the last, and stays.
  await checkpoints.put(place, aCheckpoint('id1'), 2)
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
  same(idsOf(await checkpoints.list(place, { limit: 10 })), ['id2', 'id1'], 'checkpoints after a clock was set back')
  for (const keep of [0, -1, Number.NaN]) await checkpoints.put(place, aCheckpoint('id5'), keep)
  same(idsOf(await checkpoints.list(place, { limit: 10 })), ['id5'], 'the least that is kept')
}

async function keepsWrites({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  await checkpoints.put(place, aCheckpoint('id1'), 1)
  const first = aWrite({ taskId: 'b', taskPath: '~a', index: 0 })
  const second = aWrite({ taskId: 'b', taskPath: '~a', index: 1 })
  const other = aWrite({ taskId: 'a', taskPath: '~a!' })
  const astral = aWrite({ taskId: '\u{10000}' })
  const input = aWrite({ taskId: '\uffff' })
  const error = aWrite({ taskId: 'b', taskPath: '~a', index: -1, channel: '__error__' })
  await checkpoints.putWrites(place, 'id1', kept(second, other, astral, first))
  await checkpoints.putWrites(place, 'id1', [...replacing(error), ...kept(input)])
  await checkpoints.putWrites(place, 'id1', [])
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'), [input, astral, error, first, second, other])
  const value = encoded('later')
  await checkpoints.putWrites(place, 'id1', [...kept({ ...first, value }), ...replacing({ ...error, value })])
  const writes = [input, astral, { ...error, value }, first, second, other]
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'), writes)
  const [listed] = await checkpoints.list(place, { limit: 1 })
  sameCheckpoint(listed, aCheckpoint('id1'), writes)
}

async function keepsEarlyWrites({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  await checkpoints.put(place, aCheckpoint('id1'), 1)
  await checkpoints.putWrites(place, 'id3', kept(aWrite()))
  await checkpoints.put(place, aCheckpoint('id2'), 1)
  await checkpoints.put(place, aCheckpoint('id3'), 1)
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id3'), [aWrite()])
  // Those of a checkpoint that is forgotten do not lie about.
  await checkpoints.putWrites(place, 'id1', kept(aWrite()))
  await checkpoints.put(place, aCheckpoint('id4'), 1)
  await checkpoints.put(place, aCheckpoint('id1'), 1)
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
}

async function listsCheckpoints({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  for (const id of ['id1', 'id3', 'id2']) await checkpoints.put(place, aCheckpoint(id, { parentId: 'id0' }), 10)
  const list = async (limit: number, before?: string) => idsOf(await checkpoints.list(place, { limit, before }))
  same(await list(10), ['id3', 'id2', 'id1'], 'checkpoints')
  same(await list(2), ['id3', 'id2'], 'the two youngest')
  same(await list(10, 'id3'), ['id2', 'id1'], 'those before the youngest')
  same(await list(1, 'id25'), ['id2'], 'the one before an id that is not there')
  for (const limit of [0, -1, Number.NaN]) same(await list(limit), [], `${limit} of them`)
  same(await checkpoints.list({ ...place, run: 'other' }, { limit: 10 }), [], 'checkpoints of another run')
}

const inOrder = (places: readonly CheckpointPlace[]) =>
  places.map(({ user, thread, agent, run, namespace }) => JSON.stringify([user, thread, agent, run, namespace])).sort()

async function tellsPlaces({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  const child = { ...place, agent: 'child', run: 'call1' }
  const places = [place, child, { ...child, namespace: 'tools:1' }]
  for (const at of [...places, { ...place, thread: 'thread2' }]) await checkpoints.put(at, aCheckpoint('id1'), 2)
  const { user, thread } = key
  same(inOrder(await checkpoints.places({ user, thread })), inOrder(places), 'places of a thread')
  same(await checkpoints.places({ user, thread, agent: 'main' }), [place], 'places of an agent')
  same(inOrder(await checkpoints.places({ user, thread, run: 'call1' })), inOrder(places.slice(1)), 'places of a run')
  same(await checkpoints.places({ user, thread, run: 'call1', namespace: '' }), [child], 'the outermost place of a run')
  same(await checkpoints.places({ user: '', thread }), [], 'places of nobody')

  for (let number = 0; number < 1001; number += 1)
    await checkpoints.put({ ...place, agent: 'many', run: `run${number}` }, aCheckpoint('id1'), 2)
  const left = await checkpoints.places({ user, thread })
  must(left.length <= 1001, 'the places of a thread are without a bound')
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
  sameCheckpoint(await checkpoints.read({ ...place, agent: 'many', run: 'run1000' }), aCheckpoint('id1'))
  same(await checkpoints.read(child), undefined, 'the place that was longest left alone')
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

async function refusesLong({ open }: ThreadWorld): Promise<void> {
  const { checkpoints } = await open()
  await checkpoints.put(place, aCheckpoint('id1'), 1)
  const long = { type: 'json', bytes: new Uint8Array(64 * 1024 * 1024 + 1) }
  await fails(checkpoints.put(place, aCheckpoint('id2', { checkpoint: long }), 1), 'a long checkpoint')
  await fails(checkpoints.put(place, aCheckpoint('id2', { metadata: long }), 1), 'long metadata')
  await fails(checkpoints.putWrites(place, 'id1', kept(aWrite({ value: long }))), 'a long write')
  const tooMany = Array.from({ length: 10_001 }, (_, index) => aWrite({ index }))
  await fails(checkpoints.putWrites(place, 'id1', kept(...tooMany)), 'a step of ten thousand writes')
  await fails(checkpoints.putWrites(place, 'id1', kept(aWrite({ index: 0.5 }))), 'half an index')
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
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
