// What is known of a server does not get older than it may: hints of the server, and sessions that were started anew.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { listedTool } from '../sources/scripted.ts'
import { exposed, listings, owner, page, project } from './a-project.ts'

const soon = { timeout: 15_000, interval: 50 }
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('a server is listed again when its own time is over, and no other server is [M4]', async () => {
  const { write, open, folder } = project()
  const record = (name: string) => join(folder, `${name}.record`)
  const modern = (more: ServerPlan): ServerPlan => ({
    discover: true,
    initialize: { code: -32601, message: 'no such method' },
    lists: [[listedTool('grow'), listedTool('grown')]],
    calls: { grow: { list: 0 } },
    ...more,
  })
  write({
    short: modern({ record: record('short'), pages: page('grow'), ttlMs: 1500 }),
    long: modern({ record: record('long'), pages: page('read'), ttlMs: 600_000 }),
  })
  const toolbox = await open()
  const { freshForMs } = toolbox.current().run.servers.find(({ name }) => name === 'short') ?? {}
  expect(freshForMs).toBeLessThanOrEqual(1500)
  const before = [listings(record('short')), listings(record('long'))]
  await vi.waitFor(() => expect(listings(record('short'))).toBeGreaterThan(before[0] ?? 0), soon)
  expect(toolbox.current().number).toBe(1)
  await vi.waitFor(() => expect(listings(record('short'))).toBeGreaterThan((before[0] ?? 0) + 1), soon)
  expect(listings(record('long'))).toBe(before[1])
  const asked = listings(record('short'))
  await toolbox.close()
  await wait(2500)
  expect(listings(record('short'))).toBe(asked)
}, 40_000)

it('a session that a call started anew is listed once, and a generation is made only if it lists other tools [M4]', async () => {
  const { write, open, folder } = project()
  const record = join(folder, 'record')
  const plan = (...tools: readonly string[]): ServerPlan => ({
    record,
    pages: page(...tools),
    calls: { die: { die: { code: 1 } }, '*': { text: 'ok' } },
  })
  const other = { user: 'ada', thread: 't2' }
  write({ files: plan('die', 'read') })
  const toolbox = await open()
  const mine = await toolbox.callsOf(owner)
  const theirs = await toolbox.callsOf(other)
  const read = () => theirs.call({ name: 'files__read', args: {} })
  expect((await read()).kind).toBe('result')
  const before = listings(record)

  await theirs.call({ name: 'files__die', args: {} })
  for (const outcome of await Promise.all([read(), read(), read()])) expect(outcome.kind).toBe('result')
  await vi.waitFor(() => expect(listings(record)).toBe(before + 1), soon)
  await wait(1000)
  expect(listings(record)).toBe(before + 1)
  expect(toolbox.current().number).toBe(1)

  // Only the process that starts now lists the new tool.
  writeFileSync(join(folder, 'files.json'), JSON.stringify(plan('die', 'read', 'write')))
  await theirs.call({ name: 'files__die', args: {} })
  await vi.waitFor(async () => expect((await read()).kind).toBe('result'), soon)
  await vi.waitFor(() => expect(exposed(toolbox)).toContain('files__write'), soon)
  expect(toolbox.current().because).toContain('files was started anew')
  expect((await mine.call({ name: 'files__read', args: {} })).kind).toBe('result')
}, 40_000)
