// What every store of state must hold, as named checks that any test runner can run:
//
//   for (const check of stateConformance('sqlite', (folder) => openState('sqlite:state.db', { folder })))
//     test(check.name, check.run)
//
// Each check has a folder of its own, which is removed after it. A check that fails throws an error that says what is
// wrong.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Promotion, PromotionState } from '../catalog/promotion.ts'
import type { Json } from '../core/json.ts'
import type { StateStore, ThreadKey } from '../state/state-store.ts'
import { approvalChecks, keptApprovalChecks } from './approval-conformance.ts'
import { checkpointChecks } from './checkpoint-conformance.ts'
import { must, same } from './conformance-checks.ts'
import { keptThreadChecks, threadChecks } from './thread-conformance.ts'
import { sha256 } from './world.ts'

export interface StateCheck {
  readonly name: string
  /** Rejects when the store does not hold it. */
  readonly run: () => Promise<void>
}

export interface StateConformanceOptions {
  /** False: what is opened twice in a folder shares nothing, and ends when it is closed. Absent: it is kept. */
  readonly kept?: boolean
  /** Writes a text in the place of the stored promotions of a key. Absent: checks of malformed values are left out. */
  readonly spoil?: (folder: string, key: ThreadKey, text: string) => Promise<void>
}

/** Opens stores through `open`, in folders that are empty at first. A check closes what it opened. */
export function stateConformance(
  name: string,
  open: (folder: string) => Promise<StateStore>,
  options: StateConformanceOptions = {},
): readonly StateCheck[] {
  const check = (title: string, holds: (world: World) => Promise<void>): StateCheck => ({
    name: `${name}: ${title}`,
    run: () => inWorld(open, options, holds),
  })
  return [
    check('holds nothing at first, and has nothing to tell', startsEmpty),
    check('reads what was written', readsItsWrites),
    check('hands a change what is stored, and gives back what is stored then', changesWhatIsStored),
    check('writes nothing when a change gives what it was given', leavesTheSame),
    check('keeps what is stored when a change fails, and goes on', survivesFailure),
    check('refuses what could not be read again, and keeps what is stored', refusesUnreadable),
    check('loses no update of many at once', losesNothingAtOnce),
    check('does updates in the order in which they were asked for', keepsOrder),
    check('keeps users, threads and agents apart, whatever their names', keepsApart),
    check('forgets a thread with all its agents, and nothing else', forgets),
    check('counts calls by agent and tool, most called first', countsUse),
    ...[...approvalChecks, ...threadChecks, ...checkpointChecks].map(([title, holds]) => check(title, holds)),
    check('closes twice, does what was asked for before, and refuses what comes after', closes),
    ...(options.kept === false
      ? []
      : [
          check('is there when it is opened again', survivesReopening),
          ...[...keptApprovalChecks, ...keptThreadChecks].map(([title, holds]) => check(title, holds)),
          check('loses no update of two stores at once', losesNothingBetweenTwo),
          check('shows one store what another has written', showsOthers),
        ]),
    ...(options.spoil === undefined ? [] : [check('reads nothing where a stored value is malformed', readsNoRubbish)]),
  ]
}

interface World {
  readonly folder: string
  readonly open: () => Promise<StateStore>
  readonly spoil: (key: ThreadKey, text: string) => Promise<void>
}

async function inWorld(
  open: (folder: string) => Promise<StateStore>,
  { spoil = async () => {} }: StateConformanceOptions,
  holds: (world: World) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-state-'))
  const opened: StateStore[] = []
  try {
    await holds({
      folder,
      open: async () => {
        const store = await open(folder)
        opened.push(store)
        return store
      },
      spoil: (key, text) => spoil(folder, key, text),
    })
  } finally {
    for (const store of opened) await store.close().catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}

const fails = async (asked: Promise<unknown>): Promise<unknown> => {
  const nothing = Symbol('nothing')
  const error = await asked.then(
    () => nothing,
    (thrown: unknown) => thrown,
  )
  must(error !== nothing, 'it did not fail')
  return error
}

const key: ThreadKey = { user: 'user', thread: 'thread', agent: 'main' }
const aPromotion = (name: string): Promotion => ({ name, definitionHash: sha256(name), by: 'search', tokens: 7 })
const aState = (...names: readonly string[]): PromotionState => ({
  version: 1,
  catalogHash: sha256(names.join('\n')),
  promoted: names.map(aPromotion),
})
const withName =
  (name: string) =>
  (before: PromotionState | undefined): PromotionState => ({
    ...aState(),
    promoted: [...(before?.promoted ?? []), aPromotion(name)],
  })
const namesOf = (state: PromotionState | undefined): readonly string[] =>
  (state?.promoted ?? []).map(({ name }) => name)

async function startsEmpty({ open }: World): Promise<void> {
  const store = await open()
  same(await store.promotions.read(key), undefined, 'promotions of a thread that nobody wrote')
  same(await store.use.most('main', 10), [], 'calls that nobody made')
  same(store.findings as unknown as Json, [], 'findings')
}

async function readsItsWrites({ open }: World): Promise<void> {
  const { promotions } = await open()
  for (const state of [aState('a', 'b'), aState(), aState(...oddTexts)]) {
    await promotions.update(key, () => state)
    same(await promotions.read(key), state, 'promotions')
  }
}

async function changesWhatIsStored({ open }: World): Promise<void> {
  const { promotions } = await open()
  same(await promotions.update(key, withName('a')), { ...aState(), promoted: [aPromotion('a')] }, 'the first answer')
  same(namesOf(await promotions.update(key, withName('b'))), ['a', 'b'], 'the second answer')
  same(await promotions.update(key, () => undefined), undefined, 'the answer to a removal')
  same(await promotions.read(key), undefined, 'what was removed')
}

async function leavesTheSame({ open }: World): Promise<void> {
  const { promotions } = await open()
  same(await promotions.update(key, (before) => before), undefined, 'a change of nothing to nothing')
  await promotions.update(key, () => aState('a'))
  same(await promotions.update(key, (before) => before), aState('a'), 'the answer')
  same(await promotions.read(key), aState('a'), 'promotions')
}

async function survivesFailure({ open }: World): Promise<void> {
  const { promotions } = await open()
  await promotions.update(key, () => aState('a'))
  const mistake = new Error('a mistake')
  let calls = 0
  const early = promotions.update(key, () => {
    throw mistake
  })
  must((await fails(early)) === mistake, 'the error of a change is not the one that comes out')
  // One that fails only when it is asked again, as where something was written in the meantime.
  const late = promotions.update(key, () => {
    calls += 1
    if (calls > 1) throw mistake
    return aState('late')
  })
  await late.catch((error: unknown) =>
    must(error === mistake, 'the error of a late change is not the one that comes out'),
  )
  await promotions.update(key, () => aState('b'))
  same(await promotions.read(key), aState('b'), 'promotions')
}

async function refusesUnreadable({ open }: World): Promise<void> {
  const { promotions } = await open()
  await promotions.update(key, () => aState('a'))
  const tooMany = aState(...Array.from({ length: 5000 }, (_, index) => `tool_${index}`))
  const tooLong = aState('n'.repeat(2_000_000))
  const later = { ...aState('a'), version: 2 } as unknown as PromotionState
  const twice = aState('a', 'a')
  const soon = Promise.resolve(aState('a')) as unknown as PromotionState
  for (const state of [tooMany, tooLong, later, twice, soon]) await fails(promotions.update(key, () => state))
  await fails(promotions.update({ ...key, thread: 't'.repeat(1_000_000) }, () => aState('a')))
  await fails(promotions.read({ ...key, user: undefined as unknown as string }))
  same(await promotions.read(key), aState('a'), 'promotions')
}

const many = 40
const numbers = Array.from({ length: many }, (_, index) => index)

async function losesNothingAtOnce({ open }: World): Promise<void> {
  const { promotions } = await open()
  await Promise.all(numbers.map((number) => promotions.update(key, withName(`tool_${number}`))))
  same(namesOf(await promotions.read(key)).length, many, 'promotions of updates at once')
}

async function keepsOrder({ open }: World): Promise<void> {
  const { promotions } = await open()
  const first = promotions.update(key, withName('a'))
  // Of what is stored before the first is done, it would have nothing to empty.
  const second = promotions.update(key, (before) => (before === undefined ? before : aState()))
  await Promise.all([first, second])
  same(await promotions.read(key), aState(), 'promotions that were emptied')
}

async function losesNothingBetweenTwo({ open }: World): Promise<void> {
  const stores = [await open(), await open()] as const
  await Promise.all(
    numbers.map((number) => {
      const { promotions, use } = stores[number % 2 === 0 ? 0 : 1]
      return Promise.all([promotions.update(key, withName(`tool_${number}`)), use.count('main', 'mcp:a/b')])
    }),
  )
  for (const { promotions, use } of stores) {
    same(new Set(namesOf(await promotions.read(key))).size, many, 'promotions of two stores at once')
    same((await use.most('main', 1))[0]?.calls, many, 'calls counted by two stores at once')
  }
}

async function showsOthers({ open }: World): Promise<void> {
  const [one, other] = [await open(), await open()]
  await one.promotions.update(key, () => aState('a'))
  same(await other.promotions.read(key), aState('a'), 'what the other store reads')
  await other.promotions.forget(key)
  same(await one.promotions.read(key), undefined, 'what the other store forgot')
}

/** Texts that have been taken for one another: by quotes, cuts, folding, mending, comparing or joining. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  'a',
  'A',
  'a ',

  'a\u0301',
  '\u00e1',
  'a\u0000',
  'a\u0000b',
  '\u0000',
  '\ud800',
  '\udc00',
  '\ufffd',
  '😀',
  '\ufeffa',
  'a/b',
  '"a"',
  "'a'",
  'a"',
  '%',
  '_',
  '*',
  '\\',
  '\\u0000',
  '\n',
  'null',
  '1',
  '01',
  '1.0',
  'a\nb',
  'a\tb',
  '__proto__',
  'constructor',
  'İ',
  'i̇',
  'ß',
  'ss',
  '\u202ea',
  'ａ',
]

async function keepsApart({ open }: World): Promise<void> {
  const { promotions, use } = await open()
  const keys = oddTexts.flatMap((odd, index): ThreadKey[] => {
    const next = oddTexts[(index + 1) % oddTexts.length] ?? ''
    return [
      { ...key, user: odd },
      { ...key, thread: odd },
      { ...key, agent: odd },
      { user: odd, thread: next, agent: '' },
      { user: odd + next, thread: '', agent: '' },
    ]
  })
  // Several of these are the same key, so what counts is what was written last.
  const wanted = new Map<string, { readonly at: ThreadKey; readonly state: PromotionState }>()
  for (const [index, at] of keys.entries()) wanted.set(wordOf(at), { at, state: aState(`tool_${index}`) })
  for (const { at, state } of wanted.values()) await promotions.update(at, () => state)
  for (const { at, state } of wanted.values()) same(await promotions.read(at), state, `promotions of ${wordOf(at)}`)

  for (const odd of oddTexts) await use.count(odd, odd)
  for (const odd of oddTexts) same(await use.most(odd, 9), [{ id: odd, calls: 1 }], `calls of ${JSON.stringify(odd)}`)
}

const wordOf = ({ user, thread, agent }: ThreadKey): string => JSON.stringify([user, thread, agent])

async function forgets({ open }: World): Promise<void> {
  const { promotions } = await open()
  const gone = [key, { ...key, agent: 'child' }, { ...key, agent: '' }]
  const kept = [
    { ...key, thread: 'thread2' },
    { ...key, thread: 'threa' },
    { ...key, thread: 'Thread' },
    { ...key, thread: '%' },
    { ...key, user: 'user2' },
  ]
  for (const at of [...gone, ...kept]) await promotions.update(at, () => aState('a'))
  await promotions.forget({ user: key.user, thread: key.thread })
  for (const at of gone) same(await promotions.read(at), undefined, `promotions of the forgotten ${wordOf(at)}`)
  for (const at of kept) same(await promotions.read(at), aState('a'), `promotions of ${wordOf(at)}`)
  await promotions.forget({ user: 'nobody', thread: 'none' })
}

async function countsUse({ open }: World): Promise<void> {
  const { use } = await open()
  for (const id of ['b', 'a', 'c', 'a', 'c', 'c']) await use.count('main', id)
  await Promise.all(numbers.map(() => use.count('child', 'a')))
  const ofMain = [
    { id: 'c', calls: 3 },
    { id: 'a', calls: 2 },
    { id: 'b', calls: 1 },
  ]
  same(await use.most('main', 10), ofMain, 'calls')
  same(await use.most('main', 2), ofMain.slice(0, 2), 'the two most called')
  for (const limit of [0, -1, Number.NaN]) same(await use.most('main', limit), [], `the ${limit} most called`)
  same(await use.most('child', 10), [{ id: 'a', calls: many }], 'calls of another agent')
}

async function closes({ open }: World): Promise<void> {
  const store = await open()
  const asked = store.promotions.update(key, () => aState('a'))
  await Promise.all([store.close(), store.close()])
  same(await asked, aState('a'), 'what was asked for before the end')
  await fails(store.promotions.read(key))
  await fails(store.promotions.update(key, () => aState('b')))
  await fails(store.promotions.forget(key))
  await fails(store.use.count('main', 'a'))
  await fails(store.use.most('main', 1))
  await fails(store.threads.read(key))
  await fails(store.threads.update(key, () => undefined))
  await fails(store.checkpoints.places(key))
  await fails(store.checkpoints.forget({ ...key, run: '' }))
  await store.close()
}

async function survivesReopening({ open }: World): Promise<void> {
  const before = await open()
  await before.promotions.update(key, () => aState('a', 'b'))
  await before.use.count('main', 'a')
  await before.close()
  const after = await open()
  same(after.findings as unknown as Json, [], 'findings')
  same(await after.promotions.read(key), aState('a', 'b'), 'promotions')
  same(await after.use.most('main', 1), [{ id: 'a', calls: 1 }], 'calls')
}

async function readsNoRubbish({ open, spoil }: World): Promise<void> {
  const store = await open()
  const good = JSON.stringify(aState('a'))
  const rubbish = [
    '',
    'null',
    '[]',
    good.slice(0, -1),
    good.replace('"version":1', '"version":2'),
    good.replace('"by":"search"', '"by":"nobody"'),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    JSON.stringify(aState('n'.repeat(2_000_000))),
    '{"__proto__":{"version":1,"catalogHash":"a","promoted":[]}}',
  ]
  for (const value of rubbish) {
    await store.promotions.update(key, () => aState('a'))
    await spoil(key, value)
    same(await store.promotions.read(key), undefined, `promotions read from ${value.slice(0, 60)}`)
    same(namesOf(await store.promotions.update(key, withName('b'))), ['b'], 'promotions put in the place of rubbish')
  }
}
