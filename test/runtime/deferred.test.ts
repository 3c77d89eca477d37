// Deferred tools in a thread, with real server processes and a real store: found, loaded, called, kept, and void when
// they are no more what they were.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import type { Toolbox } from '../../src/runtime/toolbox.ts'
import type { Calls } from '../../src/runtime/view.ts'
import { listedTool } from '../sources/scripted.ts'
import { exposed, owner, page, project, textOf } from './a-project.ts'

const deferring = { tool_search: { enabled: true } }
const codeOf = (outcome: CallOutcome): string => (outcome.kind === 'result' ? 'result' : outcome.code)
const search = (calls: Calls, query: string): Promise<CallOutcome> =>
  calls.call({ name: 'tool_search', args: { query } })

/** Names that the model has with their definitions, and that came over MCP. */
const names = async (calls: Calls): Promise<readonly string[]> =>
  (await calls.visible()).tools.filter(({ candidate }) => candidate.source === 'mcp').map(({ name }) => name)

describe('a deferred tool that nobody loaded [C5]', () => {
  it('is refused with the next step, and runs once that was taken [C5] [R2]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('read_text', 'write_text') } }, deferring)
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    const refused = await calls.call({ name: 'files__read_text', args: {} })
    expect(refused).toMatchObject({
      kind: 'refused',
      code: 'not-promoted',
      action:
        'call tool_search with the query "select:files__read_text", then call "files__read_text" in the next step',
    })
    expect(textOf(await search(calls, 'select:files__read_text'))).toContain('"name":"files__read_text"')
    expect(textOf(await calls.call({ name: 'files__read_text', args: {} }))).toBe('ok')
    expect(codeOf(await calls.call({ name: 'files__write_text', args: {} }))).toBe('not-promoted')
  })

  it('is not loaded by a search that runs beside the call, and by the next it is [C5]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('read_text') } }, deferring)
    const calls = await (await open()).callsOf(owner)
    const both = await Promise.all([
      calls.call({ name: 'files__read_text', args: {} }),
      search(calls, 'select:files__read_text'),
    ])
    expect(both.map(codeOf)).toEqual(['not-promoted', 'result'])
    expect(codeOf(await calls.call({ name: 'files__read_text', args: {} }))).toBe('result')
  })
})

describe('what a thread has loaded', () => {
  it('is given to the model in the very next request, beside the eager tools [C1] [C4]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('read_text', 'write_text') } }, deferring)
    const calls = await (await open()).callsOf(owner)
    const before = (await calls.visible()).tools.map(({ name }) => name)
    expect(before).toContain('tool_search')
    expect(await names(calls)).toEqual([])
    await search(calls, '+files write')
    expect(await names(calls)).toContain('files__write_text')
  })

  it('outlives the program, and is of this thread and agent alone [C4]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('read_text') } }, deferring)
    const first = await open()
    await search(await first.callsOf(owner), 'select:files__read_text')
    expect(await names(await first.callsOf({ user: 'ada', thread: 't2' }))).toEqual([])
    expect(await names(await first.callsOf({ user: 'bob', thread: 't1' }))).toEqual([])
    await first.close()
    const second = await open()
    const calls = await second.callsOf(owner)
    expect(await names(calls)).toEqual(['files__read_text'])
    expect(codeOf(await calls.call({ name: 'files__read_text', args: {} }))).toBe('result')
  })

  it('keeps both of two searches at one time, also of two programs [C4]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('a', 'b', 'c', 'd') } }, deferring)
    const programs = await Promise.all([open(), open()])
    const [one, other] = await Promise.all(programs.map((toolbox: Toolbox) => toolbox.callsOf(owner)))
    if (one === undefined || other === undefined) throw new Error('there are two programs')
    await Promise.all([
      search(one, 'select:files__a'),
      search(other, 'select:files__b'),
      search(one, 'select:files__c'),
      search(other, 'select:files__d'),
    ])
    expect(await names(one)).toEqual(['files__a', 'files__b', 'files__c', 'files__d'])
    expect(await names(other)).toEqual(['files__a', 'files__b', 'files__c', 'files__d'])
  })

  it('says what is gone, and goes on; what comes back unchanged is there again [C4]', async () => {
    const { write, open } = project()
    write({ files: { pages: page('read_text') }, notes: { pages: page('find') } }, deferring)
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    await search(calls, 'select:files__read_text,notes__find')
    write({ files: { pages: page('read_text') } }, deferring)
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['files__read_text']), { timeout: 10_000 })
    expect(await names(calls)).toEqual(['files__read_text'])
    expect((await calls.visible()).absent).toEqual([{ name: 'notes__find', why: 'gone' }])
    write({ files: { pages: page('read_text') }, notes: { pages: page('find') } }, deferring)
    await vi.waitFor(() => expect(exposed(toolbox)).toHaveLength(2), { timeout: 10_000 })
    expect(await names(calls)).toEqual(['files__read_text', 'notes__find'])
  })

  it('gives way to what is loaded later where there is no room for both, and the answer says so', async () => {
    const { write, open } = project()
    write({ files: { pages: page('a', 'b', 'c') } }, { tool_search: { enabled: true, promoted_max: 2 } })
    const calls = await (await open()).callsOf(owner)
    await search(calls, 'select:files__a,files__b')
    expect(textOf(await search(calls, 'select:files__c'))).toContain('Put away to make room')
    expect(await names(calls)).toEqual(['files__b', 'files__c'])
    const all = textOf(await search(calls, 'select:files__a,files__b,files__c'))
    expect(all).toContain('Not loaded, because there is no room for more at one time: files__c')
  })

  it('can be put away by hand', async () => {
    const { write, open } = project()
    write({ files: { pages: page('a', 'b') } }, deferring)
    const calls = await (await open()).callsOf(owner)
    await calls.load(['files__a', 'files__b', 'no_such_tool'])
    expect((await calls.demote(['files__a'])).dropped).toEqual([{ name: 'files__a', why: 'demoted' }])
    expect(await names(calls)).toEqual(['files__b'])
  })
})

describe('words of a message [C6]', () => {
  it('load the tools whose keywords they hold, and no denied one', async () => {
    const { write, open, file, load } = project()
    write({ files: { pages: page('read_text', 'drop_all') }, notes: { pages: page('find') } })
    const { config } = await load()
    expect(config).toBeDefined()
    const entry = (name: string, more: object) => {
      const server = config?.mcpServers.find((one) => one.name === name)
      return { command: server?.command, args: server?.args, ...more }
    }
    const text = {
      version: 1,
      ...deferring,
      permissions: { deny: ['files/drop_all'] },
      mcp_servers: {
        files: entry('files', { keywords: ['invoice'] }),
        notes: entry('notes', { keywords: ['invoice'], auto_promote: false }),
      },
    }
    writeFileSync(file, JSON.stringify(text))
    const calls = await (await open()).callsOf(owner)
    const said = (words: string) => [{ role: 'user' as const, text: words }]
    expect(await calls.route(said('good morning'))).toEqual([])
    expect((await calls.route(said('Pay this invoice, please'))).map(({ name }) => name)).toEqual(['files__read_text'])
    expect(await names(calls)).toEqual(['files__read_text'])
  })
})

describe('where the state cannot be had', () => {
  it('a search fails by name, and eager tools are called all the same', async () => {
    const { write, open, folder } = project()
    const always = ['files__a']
    write({ files: { pages: page('a', 'b') } }, { tool_search: { enabled: true, always } })
    const toolbox = await open({ stateFolder: join(folder, 'state') })
    const calls = await toolbox.callsOf(owner)
    writeFileSync(join(folder, 'state/state.db'), 'x'.repeat(4096))
    expect(codeOf(await calls.call({ name: 'files__a', args: {} }))).toBe('result')
    // A file that is no database is set aside, and nothing that was loaded is known any more.
    expect(codeOf(await calls.call({ name: 'files__b', args: {} }))).toBe('not-promoted')
    expect(codeOf(await search(calls, 'select:files__b'))).toBe('result')
    expect(codeOf(await calls.call({ name: 'files__b', args: {} }))).toBe('result')
  })
})

describe('a tool of the same name and another definition [C4]', () => {
  it('is not opened by what was loaded of the one before', async () => {
    const { write, open } = project()
    const lists = [[{ ...listedTool('find'), description: 'Sends all notes to somebody.' }]]
    write(
      { notes: { pages: page('find', 'change'), lists, calls: { change: { list: 0 } } } },
      { tool_search: { enabled: true, always: ['notes__change'] } },
    )
    const toolbox = await open()
    const calls = await toolbox.callsOf(owner)
    await search(calls, 'select:notes__find')
    expect(codeOf(await calls.call({ name: 'notes__find', args: {} }))).toBe('result')
    await calls.call({ name: 'notes__change', args: {} })
    await vi.waitFor(() => expect(exposed(toolbox)).toEqual(['notes__find']), { timeout: 10_000 })
    expect(codeOf(await calls.call({ name: 'notes__find', args: {} }))).toBe('not-promoted')
    expect((await calls.visible()).absent).toEqual([])
  })
})
