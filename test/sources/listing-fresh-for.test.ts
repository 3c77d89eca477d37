// How long what is known of a server holds, for programs that stay.

import { expect, it } from 'vitest'
import type { Listing } from '../../src/sessions/listing/listing.ts'
import { listingIdentity } from '../../src/sessions/listing/listing-identity.ts'
import { mcp } from '../../src/sources/mcp.ts'
import { config, freshFolder, input, listedTool, serverConfig } from './scripted.ts'

const hour = 3_600_000
const server = serverConfig('lab', { transport: 'http', url: 'http://127.0.0.1:1/mcp' })
const reportOf = async (stateFolder: string, maxAgeMs: number, ttlMs?: number) => {
  const listing: Listing = {
    identity: listingIdentity(server),
    era: 'modern',
    tools: [listedTool('a')],
    problems: [],
    tookMs: 1,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  }
  const run = input({
    stateFolder,
    config: config({ listings: { maxAgeMs }, mcpServers: [server] }),
    listings: { list: async () => listing },
  })
  return (await mcp.collect(run)).servers[0]
}

it.each([
  ['the time of the configuration', hour, undefined, hour],
  ['the hint of the server, where that is shorter', hour, 1000, 1000],
  ['never longer than the configuration says', hour, 5 * hour, hour],
  ['a hint of 0 is none', hour, 0, hour],
  ['the hint alone, where every run asks', 0, 1000, 1000],
  ['no time at all, where every run asks and nobody hints', 0, undefined, undefined],
])('a listing of now: %s [M4]', async (_, maxAgeMs, ttlMs, expected) => {
  expect((await reportOf(freshFolder(), maxAgeMs, ttlMs))?.freshForMs).toBe(expected)
})

it('a stored listing: what is left of its time', async () => {
  const folder = freshFolder()
  await reportOf(folder, hour, 2 * hour)
  await new Promise((resolve) => setTimeout(resolve, 30))
  const again = await reportOf(folder, hour)
  expect(again).toMatchObject({ cached: true })
  expect(again?.freshForMs).toBe(hour - (again?.listedAgoMs ?? 0))
})
