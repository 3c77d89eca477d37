// Edits, closing and failing while other things happen.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { freshFolder, isAlive, listedTool } from '../sources/scripted.ts'
import { exposed, listings, owner, page, pidsOf, project, textOf } from './a-project.ts'

const soon = { timeout: 15_000, interval: 50 }
const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

const plan = (tool: string, more: ServerPlan = {}): ServerPlan => ({ pages: page(tool), ...more })

describe('an edit', () => {
  it('is in force soon, however long a server takes, and no generation is of two configurations', async () => {
    const { write, open } = project()
    const slow = { lab: plan('measure', { delayMs: 6000 }) }
    write({ files: plan('read') })
    const toolbox = await open()
    const seen: (readonly [denied: boolean, inConfig: boolean])[] = []
    toolbox.onGeneration(({ run, config }) =>
      seen.push([
        run.surface.find('files__read') === undefined,
        config.permissions.rules.some(({ text }) => text === 'read'),
      ]),
    )
    write({ files: plan('read'), ...slow })
    await vi.waitFor(() => expect(toolbox.current().config.mcpServers.length).toBe(2), soon)
    // The listing of the slow server is still under way.
    write({ files: plan('read'), ...slow }, { deny_tools: ['read'] })
    await vi.waitFor(() => expect(toolbox.current().run.surface.find('files__read')).toBeUndefined(), soon)
    expect(toolbox.current().run.servers.find(({ name }) => name === 'lab')?.state).toBe('starting')
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['lab__measure']), soon)
    for (const [denied, inConfig] of seen) expect(denied).toBe(inConfig)
  }, 40_000)

  it('that comes while a slow refresh runs is not held up by it, and the refresh is of no older configuration', async () => {
    const { write, open, folder } = project()
    write({ files: plan('read'), lab: plan('measure', { exit: { at: 'start', code: 1 } }) })
    const toolbox = await open()
    const slow = plan('measure', { delayMs: 6000 })
    writeFileSync(join(folder, 'lab.json'), JSON.stringify(slow))
    await new Promise((resolve) => setTimeout(resolve, 300))
    let isOver = false
    const refresh = toolbox.refresh('somebody asks', ['lab']).finally(() => {
      isOver = true
    })
    write({ files: plan('read'), lab: slow }, { deny_tools: ['read'] })
    await vi.waitFor(() => expect(toolbox.current().run.surface.find('files__read')).toBeUndefined(), soon)
    expect(isOver).toBe(false)
    const { config } = await refresh
    expect(config.permissions.rules.length).toBe(1)
    expect(toolbox.current().run.surface.find('files__read')).toBeUndefined()
  }, 40_000)

  it('of rules alone ends no session, and one that changes nothing makes no generation', async () => {
    const { write, open, folder, file } = project()
    write({ files: plan('read') })
    const toolbox = await open()
    const [pid = 0] = pidsOf(folder, 'files')
    write({ files: plan('read') }, { deny_tools: ['write'] })
    await vi.waitFor(() => expect(toolbox.current().number).toBe(2), soon)
    writeFileSync(file, readFileSync(file))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(toolbox.current().number).toBe(2)
    expect(pidsOf(folder, 'files')).toEqual([pid])
    expect(isAlive(pid)).toBe(true)
  })

  it('that turns a server off, or takes it away, ends its sessions', async () => {
    const { write, open, folder, file } = project()
    write({ off: plan('a'), gone: plan('b'), kept: plan('c') })
    const toolbox = await open()
    const pids = ['off', 'gone'].map((name) => pidsOf(folder, name)[0] ?? 0)
    const text = JSON.parse(readFileSync(file, 'utf8'))
    text.mcp_servers.off.enabled = false
    delete text.mcp_servers.gone
    writeFileSync(file, JSON.stringify(text))
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['kept__c']), soon)
    for (const pid of pids) await vi.waitFor(() => expect(isAlive(pid)).toBe(false), soon)
  })

  it('that takes a server away gives its running call some time, and then tells it what happened', async () => {
    const { write, open } = project()
    write({
      files: { pages: page('quick', 'hang'), calls: { quick: { afterMs: 1500, text: 'done' }, hang: { hang: true } } },
    })
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    const quick = calls.call({ name: 'files__quick', args: {} })
    const hang = calls.call({ name: 'files__hang', args: {} })
    write({})
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual([]), soon)
    expect(textOf(await quick)).toBe('done')
    expect(await hang).toMatchObject({ kind: 'failed', sent: true })
  }, 30_000)

  it('leaves a call that waited for a person nothing to start any more', async () => {
    const { write, open, folder } = project()
    write({ files: plan('read') }, { permissions: { ask: ['read'] } })
    const toolbox = await open()
    let agree = (_: boolean) => {}
    const asked = new Promise<boolean>((resolve) => {
      agree = resolve
    })
    const calls = await toolbox.callsOf({ user: 'ada', thread: 't9' }, { approve: () => asked })
    const waiting = calls.call({ name: 'files__read', args: {} })
    const started = pidsOf(folder, 'files').length
    write({})
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual([]), soon)
    agree(true)
    expect(await waiting).toMatchObject({ kind: 'failed', code: 'server-unavailable', sent: false })
    expect(pidsOf(folder, 'files').length).toBe(started)
  })

  it('in a quick row ends with the last one', async () => {
    const { write, open } = project()
    write({ files: plan('read') })
    const toolbox = await open()
    for (let count = 0; count < 12; count += 1) {
      write({ files: plan('read') }, { deny_tools: [`tool_${count}`] })
      await new Promise((resolve) => setTimeout(resolve, 60 + 40 * (count % 4)))
    }
    const rule = () => toolbox.current().config.permissions.rules.map(({ text }) => text)
    await vi.waitFor(() => expect(rule()).toEqual(['tool_11']), soon)
  })

  it('that cannot be read for a fault of the reader is told, and the next one is taken', async () => {
    const { write, open, load, file } = project()
    write({ files: plan('read') })
    let fails = true
    const toolbox = await open({
      reload: async () => {
        if (fails) throw new Error('the disk is gone')
        return load()
      },
    })
    write({ files: plan('read') }, { deny_tools: ['read'] })
    await vi.waitFor(() => expect(toolbox.current().rejectedEdit?.[0]?.message).toContain('the disk is gone'), soon)
    expect(exposed(toolbox)).toEqual(['files__read'])
    fails = false
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual([]), soon)
    expect(toolbox.current().rejectedEdit).toBeUndefined()
  })

  it('of which no run can be made is not in force, and what comes later is served as before', async () => {
    const { write, open, folder } = project()
    const skill = (name: string) => {
      mkdirSync(join(folder, 'skills', name), { recursive: true })
      writeFileSync(join(folder, 'skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: Writes texts.\n---\n`)
    }
    skill('writing')
    const files = plan('grow', { lists: [[listedTool('grow'), listedTool('grown')]], calls: { grow: { list: 0 } } })
    write({ files }, { skills: { paths: ['skills'] } })
    const toolbox = await open({ policy: { skills: ['writing'] } })
    write({ files })
    await vi.waitFor(() => expect(toolbox.current().rejectedEdit?.[0]?.code).toBe('skill-unknown'), soon)
    await (await toolbox.callsOf(owner)).call({ name: 'files__grow', args: {} })
    await vi.waitFor(() => expect(exposed(toolbox)).toContain('files__grown'), soon)
  })

  it('that is refused is told without the secrets of the configuration', async () => {
    const { write, open, file } = project()
    process.env.TOOLGATE_TEST_TOKEN = 'hunter2-hunter2'
    write(
      {},
      { mcp_servers: { web: { url: 'http://127.0.0.1:9/', headers: { Authorization: '$TOOLGATE_TEST_TOKEN' } } } },
    )
    const toolbox = await open()
    writeFileSync(file, '{"version": 1, "hunter2-hunter2": {}}')
    await vi.waitFor(() => expect(toolbox.current().rejectedEdit).toBeDefined(), soon)
    expect(JSON.stringify(toolbox.current().rejectedEdit)).not.toContain('hunter2-hunter2')
    delete process.env.TOOLGATE_TEST_TOKEN
  }, 40_000)
})

describe('closing', () => {
  it('twice, and while everything is asked, leaves nothing running, and marks no server as failed', async () => {
    const { write, open, folder } = project()
    const record = join(folder, 'record')
    write({ files: plan('read', { record }), lab: plan('measure') })
    const toolbox = await open()
    // Started anew, it takes long.
    await toolbox.endThread(owner)
    writeFileSync(join(folder, 'files.json'), JSON.stringify(plan('read', { record, delayMs: 6000 })))
    const refreshing = toolbox.refresh('somebody asks', ['files', 'lab'])
    await vi.waitFor(() => expect(toolbox.sessions().map(({ phase }) => phase)).toContain('starting'), soon)
    await Promise.all([toolbox.close(), toolbox.close()])
    await toolbox.close()
    expect((await refreshing).number).toBeGreaterThanOrEqual(1)
    for (const name of ['files', 'lab']) for (const pid of pidsOf(folder, name)) expect(isAlive(pid)).toBe(false)
    expect(readdirSync(join(folder, '.toolgate/listings')).filter((name) => name.endsWith('.failed'))).toEqual([])
    const before = listings(record)
    expect((await toolbox.refresh('too late', ['files'])).number).toBe(toolbox.current().number)
    expect(listings(record)).toBe(before)
  })

  it('refuses every call afterwards, those of this process included', async () => {
    const { write, open } = project()
    write({}, { tool_groups: ['file:read'] })
    const toolbox = await open()
    const tool = toolbox
      .current()
      .run.surface.decisions.find(({ outcome, candidate }) => outcome !== 'excluded' && candidate.source === 'builtin')
    const calls = await toolbox.callsOf(owner)
    await toolbox.close()
    expect(await calls.call({ name: tool?.name ?? 'read_file', args: {} })).toMatchObject({ code: 'pool-closed' })
  })

  it('after a beginning that failed leaves nothing running', async () => {
    const { write, open, folder } = project()
    write({ files: plan('read', { calls: { read: { listChanged: { times: 5, everyMs: 10 } } } }) })
    await expect(open({ policy: { skills: ['none'] } })).rejects.toThrow()
    expect(existsSync(join(folder, '.toolgate/running'))).toBe(false)
    for (const pid of pidsOf(folder, 'files')) expect(isAlive(pid)).toBe(false)
  })
})

describe('whoever listens', () => {
  it('and throws keeps nobody else from hearing, and costs no generation', async () => {
    const { write, open } = project()
    write({ files: plan('read') })
    const toolbox = await open()
    const heard: number[] = []
    toolbox.onGeneration(() => {
      throw new Error('a fault of the listener')
    })
    const end = toolbox.onGeneration(({ number }) => heard.push(number))
    write({ files: plan('read') }, { deny_tools: ['read'] })
    await vi.waitFor(() => expect(heard).toEqual([2]), soon)
    end()
    write({ files: plan('read') })
    await vi.waitFor(() => expect(toolbox.current().number).toBe(3), soon)
    expect(heard).toEqual([2])
  })
})

describe('a project that a link leads to', () => {
  it('has its paths mapped under both names', async () => {
    const real = freshFolder()
    const link = join(freshFolder(), 'project')
    symlinkSync(real, link)
    const { write, open } = project(link)
    const both = { content: [{ type: 'text', text: `${join(real, 'x')} ${join(link, 'x')}` }] }
    write({
      files: {
        pages: page('where', 'tell'),
        calls: { where: { file: { path: 'a', text: '' } }, tell: { result: both } },
      },
    })
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    expect(textOf(await calls.call({ name: 'files__where', args: {} }))).toBe('/mnt/user-data/servers/files/a')
    const told = textOf(await calls.call({ name: 'files__tell', args: {} }))
    expect(told).not.toContain(real)
    expect(told).not.toContain(link)
  })
})
