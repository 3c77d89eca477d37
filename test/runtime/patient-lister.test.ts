import { expect, it, vi } from 'vitest'
import { patientLister } from '../../src/runtime/patient-lister.ts'
import type { Listing } from '../../src/sessions/listing/listing.ts'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import { serverConfig } from '../sources/scripted.ts'

const listing = { tools: [] } as unknown as Listing
const after = (ms: number) => new Promise<Listing>((resolve) => setTimeout(resolve, ms, listing))

it('a slow server is told to be starting, and comes in later [G13]', async () => {
  const late: string[] = []
  let starts = 0
  const lister = patientLister({
    list: () => {
      starts += 1
      return after(120)
    },
    patienceMs: () => 20,
    onLate: (server) => late.push(server),
  })
  const first = await lister.list(serverConfig('slow'), undefined)
  expect(first).toBeInstanceOf(Unavailable)
  expect((first as Unavailable).state).toBe('starting')
  // Asked again meanwhile, it is not started a second time.
  await lister.list(serverConfig('slow'), undefined)
  expect(starts).toBe(1)
  await vi.waitFor(() => expect(late).toContain('slow'))
})

it('a server that is required, and any server without patience, is waited for', async () => {
  const lister = patientLister({ list: () => after(60), patienceMs: () => 1, onLate: () => {} })
  expect(await lister.list(serverConfig('files', { required: true }), undefined)).toBe(listing)
  const waiting = patientLister({ list: () => after(60), patienceMs: () => undefined, onLate: () => {} })
  expect(await waiting.list(serverConfig('files'), undefined)).toBe(listing)
})

it('an entry that was edited is not answered for by the one before it', async () => {
  const asked: string[] = []
  const lister = patientLister({
    list: async ({ args }) => {
      asked.push(args.join())
      return after(40)
    },
    patienceMs: () => 1,
    onLate: () => {},
  })
  const entry = (arg: string) => serverConfig('lab', { args: [arg] })
  await Promise.all([lister.list(entry('before'), undefined), lister.list(entry('after'), undefined)])
  expect(asked).toEqual(['before', 'after'])
})
