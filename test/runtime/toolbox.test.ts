// A configuration in service with real server processes: surfaces over time, edits, servers that come back, and calls.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { isAlive, listedTool, scriptedProgram } from '../sources/scripted.ts'
import { exposed, listings, owner, page, pidsOf, project, textOf } from './a-project.ts'

describe('a configuration in service', () => {
  it('calls a tool on the session that listed it, in the folder of the thread [M1] [M2]', async () => {
    const { write, open, folder } = project()
    write({ files: { pages: page('tell'), calls: { tell: { tell: true } } } })
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    const told = JSON.parse(textOf(await calls.call({ name: 'files__tell', args: { a: 1 } })))
    expect(told.args).toEqual({ a: 1 })
    expect(told.cwd).toBe('/mnt/user-data/servers/files')
    expect(pidsOf(folder, 'files').length).toBe(1)
    expect(toolbox.sessions()[0]?.pid).toBe(pidsOf(folder, 'files')[0])
  })

  it('gives each thread its own process and folder, and ends them with the thread [M1]', async () => {
    const { write, open, folder } = project()
    write({ files: { pages: page('save'), calls: { save: { file: { path: 'a.txt', text: 'x' } } } } })
    const toolbox = await open()
    const other = { user: 'ada', thread: 't2' }
    for (const who of [owner, other]) {
      const outcome = await (await toolbox.callsOf(who)).call({ name: 'files__save', args: {} })
      expect(textOf(outcome)).toBe('/mnt/user-data/servers/files/a.txt')
    }
    const [first = 0, second = 0] = pidsOf(folder, 'files')
    expect(first).not.toBe(second)
    await toolbox.endThread(other)
    await vi.waitFor(() => expect(isAlive(second)).toBe(false))
    expect(isAlive(first)).toBe(true)
    expect(existsSync(join(folder, '.toolgate/threads'))).toBe(true)
  })

  it('follows a list that changes: the next surface has the new tools, and a burst costs at most two listings [M4]', async () => {
    const { write, open, folder } = project()
    const record = join(folder, 'record')
    write({
      files: {
        record,
        pages: page('grow'),
        lists: [[listedTool('grow'), listedTool('grown')]],
        calls: { grow: { list: 0, listChanged: { times: 50, everyMs: 5 } } },
      },
    })
    const toolbox = await open()
    const seen: number[] = []
    toolbox.onGeneration((after) => seen.push(after.number))
    const listsBefore = listings(record)
    await (await toolbox.callsOf(owner)).call({ name: 'files__grow', args: {} })
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['files__grow', 'files__grown']), { timeout: 10_000 })
    expect(toolbox.current().because).toContain('the list of files changed')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(listings(record) - listsBefore).toBeLessThanOrEqual(2)
    expect(seen).toEqual([2])
  })

  it('keeps what is in force when an edit cannot be used, says so, and takes the next good one [M4]', async () => {
    const { write, open, file } = project()
    write({ files: { pages: page('read') } })
    const toolbox = await open()
    const before = toolbox.current()
    writeFileSync(file, '{"version": 1, "mcp_serverz": {}}')
    await vi.waitFor(() => expect(toolbox.current().rejectedEdit).toBeDefined(), { timeout: 10_000 })
    expect(toolbox.current().rejectedEdit?.[0]?.message).toContain('mcp_serverz')
    expect(toolbox.current().run).toBe(before.run)
    expect(exposed(toolbox)).toEqual(['files__read'])
    write({ files: { pages: page('read') }, more: { pages: page('write') } })
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['files__read', 'more__write']), { timeout: 10_000 })
    expect(toolbox.current().rejectedEdit).toBeUndefined()
  })

  it('ends the sessions of a server whose entry was edited, and keeps those of the others', async () => {
    const { write, open, folder } = project()
    const plan = (tool: string): ServerPlan => ({ pages: page(tool), calls: { '*': { text: 'ok' } } })
    write({ kept: plan('a'), edited: plan('b') })
    const toolbox = await open()
    const [kept = 0] = pidsOf(folder, 'kept')
    const [edited = 0] = pidsOf(folder, 'edited')
    const entry = (name: string, more: object = {}) => ({
      command: process.execPath,
      args: [scriptedProgram, `@${join(folder, `${name}.json`)}`],
      ...more,
    })
    write({}, { mcp_servers: { kept: entry('kept'), edited: entry('edited', { env: { MODE: 'other' } }) } })
    await vi.waitFor(() => expect(isAlive(edited)).toBe(false), { timeout: 10_000 })
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['kept__a', 'edited__b']), { timeout: 10_000 })
    expect(isAlive(kept)).toBe(true)
  })

  it('decides and carries out a call by the surface that it began with', async () => {
    const { write, open } = project()
    write({ files: { pages: page('slow'), calls: { slow: { afterMs: 1500, text: 'done' } } } })
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    const running = calls.call({ name: 'files__slow', args: {} })
    write(
      { files: { pages: page('slow'), calls: { slow: { afterMs: 1500, text: 'done' } } } },
      { deny_tools: ['slow'] },
    )
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual([]), { timeout: 10_000 })
    expect(textOf(await running)).toBe('done')
    expect(await calls.call({ name: 'files__slow', args: {} })).toMatchObject({
      kind: 'refused',
      code: 'denied-by-name',
    })
  })

  it('brings a server back that was down, without anyone asking', async () => {
    const { write, open, folder } = project()
    write({ files: { pages: page('read') }, lab: { exit: { at: 'start', code: 1 } } })
    const toolbox = await open()
    expect(exposed(toolbox)).toEqual(['files__read'])
    writeFileSync(join(folder, 'lab.json'), JSON.stringify({ pages: page('measure') }))
    await vi.waitFor(() => expect(exposed(toolbox)).toContain('lab__measure'), { timeout: 20_000, interval: 200 })
  })

  it('waits only so long for a server that is not required, and lets it come in later [G13]', async () => {
    const { write, open } = project()
    write({ fast: { pages: page('read') }, slow: { delayMs: 3000, pages: page('write') } })
    const toolbox = await open({ patienceMs: 1500 })
    expect(exposed(toolbox)).toEqual(['fast__read'])
    expect(toolbox.current().run.servers.find(({ name }) => name === 'slow')?.state).toBe('starting')
    await vi.waitFor(() => expect(exposed(toolbox)).toContain('slow__write'), { timeout: 15_000 })
  })

  it('leaves nothing running when it is closed, and refuses calls afterwards', async () => {
    const { write, open, folder } = project()
    write({ files: { pages: page('read'), grandchild: true, stubborn: true } })
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    await toolbox.close()
    for (const pid of pidsOf(folder, 'files')) expect(isAlive(pid)).toBe(false)
    expect(await calls.call({ name: 'files__read', args: {} })).toMatchObject({ kind: 'failed', code: 'pool-closed' })
  })

  it('fails a call by the name of what happened, and tells whether it may have had its effect', async () => {
    const { write, open } = project()
    write({
      files: {
        pages: page('die', 'refuse', 'fail'),
        calls: {
          die: { die: { signal: 'SIGKILL' } },
          refuse: { error: { code: -32000, message: 'not today' } },
          fail: { result: { content: [{ type: 'text', text: 'no such file' }], isError: true } },
        },
      },
    })
    const calls = await (await open()).callsOf(owner)
    const call = (name: string) => calls.call({ name: `files__${name}`, args: {} })
    expect(await call('die')).toMatchObject({ kind: 'failed', code: 'upstream-died', sent: true })
    expect(await call('refuse')).toMatchObject({ kind: 'failed', code: 'upstream-error' })
    expect(await call('fail')).toMatchObject({ kind: 'result', isError: true })
  })
})
