// What a store must hold of checkpoints; a part of `stateConformance`.

import type { StateStore } from '../state/state-store.ts'
import type {
  CheckpointPlace,
  CheckpointWithWrites,
  Encoded,
  StoredCheckpoint,
  StoredWrite,
} from '../state/thread-state.ts'
import { must, same } from './conformance-checks.ts'

export interface CheckpointWorld {
  readonly open: () => Promise<StateStore>
}

export type CheckpointCheck = readonly [title: string, holds: (world: CheckpointWorld) => Promise<void>]

export const checkpointChecks: readonly CheckpointCheck[] = [
  ['reads the checkpoints that were put, whatever their names', readsCheckpoints],
  ['keeps the checkpoints that were put last, with their writes', prunes],
  ['keeps the writes of a step in order, earlier ones or those that replace them', keepsWrites],
  ['keeps writes whose checkpoint is put after them', keepsEarlyWrites],
  ['lists checkpoints by id, youngest first', listsCheckpoints],
  ['tells where there are checkpoints, of which there are not too many', tellsPlaces],
  ['refuses checkpoints that are too long', refusesLong],
]

export const place: CheckpointPlace = { user: 'user', thread: 'thread', agent: 'main', run: '', namespace: '' }

/** Names that have been taken for one another: by quotes, cuts, folding, mending or joining. */
export const odd = [
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

export const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

const encoded = (text: string): Encoded => ({ type: 'json', bytes: new TextEncoder().encode(text) })
export const aCheckpoint = (id: string, given: Partial<StoredCheckpoint> = {}): StoredCheckpoint => ({
  id,
  checkpoint: encoded(`checkpoint ${id}`),
  metadata: encoded(`metadata ${id}`),
  ...given,
})
export const aWrite = (given: Partial<StoredWrite> = {}): StoredWrite => ({
  taskId: 'task1',
  taskPath: '',
  index: 0,
  channel: 'messages',
  value: encoded('value'),
  ...given,
})
export const kept = (...writes: readonly StoredWrite[]) => writes.map((write) => ({ ...write, replace: false }))
const replacing = (...writes: readonly StoredWrite[]) => writes.map((write) => ({ ...write, replace: true }))

const plain = (value: Encoded) => ({ type: value.type, bytes: Buffer.from(value.bytes).toString('hex') })
const shown = (found: CheckpointWithWrites | undefined) =>
  found && {
    ...found.checkpoint,
    checkpoint: plain(found.checkpoint.checkpoint),
    metadata: plain(found.checkpoint.metadata),
    writes: found.writes.map((write) => ({ ...write, value: plain(write.value) })),
  }

export function sameCheckpoint(
  found: CheckpointWithWrites | undefined,
  wanted: StoredCheckpoint,
  writes: readonly StoredWrite[] = [],
): void {
  same(shown(found), shown({ checkpoint: wanted, writes }), `the checkpoint ${JSON.stringify(wanted.id)}`)
}

const idsOf = (found: readonly CheckpointWithWrites[]): readonly string[] =>
  found.map(({ checkpoint }) => checkpoint.id)

export const fails = async (asked: Promise<unknown>, what: string): Promise<void> => {
  const done = await asked.then(
    () => true,
    () => false,
  )
  must(!done, `${what} did not fail`)
}

async function readsCheckpoints({ open }: CheckpointWorld): Promise<void> {
  const { checkpoints } = await open()
  same(await checkpoints.read(place), undefined, 'a checkpoint that nobody put')
  const bytes = [new Uint8Array(0), Uint8Array.from(numbersTo(256)), Buffer.from('xabcx').subarray(1, 4)]
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

async function prunes({ open }: CheckpointWorld): Promise<void> {
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

async function keepsWrites({ open }: CheckpointWorld): Promise<void> {
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

async function keepsEarlyWrites({ open }: CheckpointWorld): Promise<void> {
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

async function listsCheckpoints({ open }: CheckpointWorld): Promise<void> {
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

async function tellsPlaces({ open }: CheckpointWorld): Promise<void> {
  const { checkpoints } = await open()
  const child = { ...place, agent: 'child', run: 'call1' }
  const places = [place, child, { ...child, namespace: 'tools:1' }]
  for (const at of [...places, { ...place, thread: 'thread2' }]) await checkpoints.put(at, aCheckpoint('id1'), 2)
  const { user, thread } = place
  same(inOrder(await checkpoints.places({ user, thread })), inOrder(places), 'places of a thread')
  same(await checkpoints.places({ user, thread, agent: 'main' }), [place], 'places of an agent')
  same(inOrder(await checkpoints.places({ user, thread, run: 'call1' })), inOrder(places.slice(1)), 'places of a run')
  same(await checkpoints.places({ user, thread, run: 'call1', namespace: '' }), [child], 'the outermost place of a run')
  same(await checkpoints.places({ user: '', thread }), [], 'places of nobody')

  for (const number of numbersTo(1001))
    await checkpoints.put({ ...place, agent: 'many', run: `run${number}` }, aCheckpoint('id1'), 2)
  const left = await checkpoints.places({ user, thread })
  must(left.length <= 1001, 'the places of a thread are without a bound')
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
  sameCheckpoint(await checkpoints.read({ ...place, agent: 'many', run: 'run1000' }), aCheckpoint('id1'))
  same(await checkpoints.read(child), undefined, 'the place that was longest left alone')
}

async function refusesLong({ open }: CheckpointWorld): Promise<void> {
  const { checkpoints } = await open()
  await checkpoints.put(place, aCheckpoint('id1'), 1)
  const long = { type: 'json', bytes: new Uint8Array(64 * 1024 * 1024 + 1) }
  await fails(checkpoints.put(place, aCheckpoint('id2', { checkpoint: long }), 1), 'a long checkpoint')
  await fails(checkpoints.put(place, aCheckpoint('id2', { metadata: long }), 1), 'long metadata')
  await fails(checkpoints.putWrites(place, 'id1', kept(aWrite({ value: long }))), 'a long write')
  const tooMany = numbersTo(10_001).map((index) => aWrite({ index }))
  await fails(checkpoints.putWrites(place, 'id1', kept(...tooMany)), 'a step of ten thousand writes')
  await fails(checkpoints.putWrites(place, 'id1', kept(aWrite({ index: 0.5 }))), 'half an index')
  sameCheckpoint(await checkpoints.read(place), aCheckpoint('id1'))
}
