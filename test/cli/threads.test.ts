import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { threads } from '../../src/cli/commands/threads.ts'
import { parseFlags } from '../../src/cli/flags.ts'
import { threadFiles } from '../../src/cli/thread-files.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'
import type { ThreadRecord } from '../../src/state/thread-state.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { fakeTerminal } from './fake-terminal.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const record = (more: Partial<ThreadRecord>): ThreadRecord => ({
  user: 'local',
  thread: 't-1',
  agent: 'clerk',
  title: 'Sort the papers',
  startedAt: new Date(Date.now() - 7_200_000).toISOString(),
  updatedAt: new Date(Date.now() - 3_600_000).toISOString(),
  turns: 2,
  state: 'answered',
  skills: [],
  waitingFor: [],
  ...more,
})

const question = { question: 'How long?\u001b[2J', options: ['one line', 'one page'] }
const asks = { kind: 'clarification', callId: 'c1', agent: 'clerk', question } as const
const args = { path: 'a.md', content: 'one\ntwo' }
const approves = { kind: 'approval', callId: 'c2', agent: 'clerk', approvalId: 'q1', tool: 'edit', args } as const

const asked = {
  id: 'q1',
  user: 'local',
  thread: 't-1',
  agent: 'clerk',
  tool: 'config:edit',
  rule: 'ask edit',
  call: 'hash',
  name: 'edit',
  definitionHash: 'd',
  args,
  askedAt: '2026-01-01T00:00:00.000Z',
}

/** A project with these conversations in its state. */
async function desk(records: readonly ThreadRecord[] = [], fill?: (state: StateStore) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-threads-'))
  folders.push(folder)
  const file = join(folder, 'toolgate.yaml')
  // A server that could not even be started: nothing is.
  writeFileSync(file, 'version: 1\nagents: { clerk: {}, reader: {} }\nmcp_servers: { gone: { command: no-such } }\n')
  const use = async <T>(work: (state: StateStore) => Promise<T>): Promise<T> => {
    const state = await openState('sqlite:.toolgate/state.db', { folder })
    const found = await work(state)
    await state.close()
    return found
  }
  await use(async (state) => {
    for (const one of records) await state.threads.update(one, () => one)
    await fill?.(state)
  })
  const ask = async (...words: readonly string[]) => {
    const flags = parseFlags([...words, '--config', file], threads.flags)
    const terminal = fakeTerminal()
    const prepare = () => Promise.reject(new Error('no run is prepared'))
    const code = await threads.run({ flags, terminal, positionals: flags.positionals, prepare })
    return { code, text: terminal.printed(), notes: terminal.noted() }
  }
  return { ask, use, folder, file }
}

describe('toolgate threads [U1]', () => {
  it('lists the threads of a user, the last one first, with what they wait for', async () => {
    const { ask } = await desk([
      record({ thread: 't-old', state: 'failed', title: 'Old\u001b[2J' }),
      record({ thread: 't-new', agent: 'reader', state: 'waiting', turns: 1, waitingFor: [asks, approves] }),
      record({ thread: 't-other', user: 'ann' }),
    ])
    const { code, text } = await ask()
    expect(code).toBe(0)
    expect(text.split('\n')).toEqual([
      'THREAD  AGENT   STATE    LAST     TURNS  TITLE',
      't-new   reader  waiting  1 h ago      1  Sort the papers',
      '  waits for an answer: How long?\\u001b[2J',
      '  waits until somebody approves edit',
      't-old   clerk   failed   1 h ago      2  Old\\u001b[2J',
    ])
    expect((await ask('--user', 'ann')).text).toContain('t-other')
    expect((await ask('--agent', 'reader')).text).not.toContain('t-old')
    expect((await ask('--user', 'bob')).text).toBe('no threads')
  })

  it('shows as many as is asked for, and says how many more there are', async () => {
    const { ask } = await desk(['a', 'b', 'c'].map((thread) => record({ thread })))
    expect((await ask('--limit', '1')).text).toMatch(/^THREAD.*\nc .*\n… and 2 more; --all shows them$/)
    expect(JSON.parse((await ask('--limit', '1', '--json')).text)).toMatchObject({
      schema: 'toolgate.threads/1',
      total: 3,
      threads: [{ thread: 'c', state: 'answered' }],
    })
  })

  it('shows one thread with what it waits for whole, and the commands that answer', async () => {
    const { ask, file } = await desk([
      record({ agent: 'reader', state: 'waiting', skills: ['site-audit'], waitingFor: [approves, asks] }),
    ])
    const { code, text } = await ask('t-1')
    expect(code).toBe(0)
    for (const part of [
      't-1  reader  waiting\n  Sort the papers\n  2 turns, begun 2 h ago, last 1 h ago\n  skills in use: site-audit\n',
      '? edit must be approved\n  │ path: a.md\n  │ content:\n  │   one\n  │   two\n',
      '? How long?\\u001b[2J\n   1  one line\n   2  one page\n',
      `  toolgate run --config ${file} --agent reader --thread t-1 --approve once\n`,
      `  toolgate run --config ${file} --agent reader --thread t-1 "your answer"\n`,
    ])
      expect(text).toContain(part)
    expect(text.split('\n').at(-1)).toMatch(/^Its files: .*threads.local.t-1.user-data$/)
    expect(JSON.parse((await ask('t-1', '--json')).text)).toMatchObject({
      schema: 'toolgate.threads/1',
      user: 'local',
      thread: 't-1',
      threads: [{ agent: 'reader', waitingFor: [approves, asks] }],
    })
  })

  it('says how a turn that was broken off goes on', async () => {
    const { ask } = await desk([record({ state: 'running' })])
    expect((await ask('t-1')).text).toMatch(
      /A program carries it on, or was ended .*\nTo go on: .* --thread t-1 --resume/,
    )
  })

  it('names the nearest thread where there is none of that name', async () => {
    const { ask } = await desk([record({ thread: 'papers' })])
    await expect(ask('papres')).rejects.toMatchObject({
      finding: { code: 'unknown-name', hint: 'did you mean "papers"' },
    })
  })

  it.each([
    [['--forget'], /--forget needs the id of a thread/],
    [['t-1', '--yes'], /--yes has no effect without --forget/],
    [['t-1', '--no-mcp'], /only --config and --agent have an effect here/],
    [['../x'], /the thread id "\.\.\/x" cannot be used/],
    [['t-1', '--forget'], /nobody is there to be asked/],
  ])('refuses %j', async (words, fault) => {
    const { ask } = await desk([record({})])
    await expect(ask(...words)).rejects.toThrow(fault)
  })
})

describe('a thread that is forgotten', () => {
  const promoted = {
    version: 1,
    catalogHash: 'c',
    promoted: [{ name: 'find', definitionHash: 'd', by: 'search', tokens: 1 }],
  } as const
  const key = { user: 'local', thread: 't-1', agent: 'clerk' }
  const filled = (state: StateStore) =>
    Promise.all([state.promotions.update(key, () => promoted), state.askedCalls.ask(asked)])

  it('has no conversation, no loaded tools and no questions any more; its files stay, and others are not touched', async () => {
    const { ask, use, file } = await desk([record({}), record({ agent: 'reader' }), record({ thread: 't-2' })], filled)
    const { config } = await loadConfig(file, { environment: {} })
    if (config === undefined) throw new Error('the configuration of this test cannot be used')
    const files = threadFiles(config, key)
    mkdirSync(files, { recursive: true })
    const { code, text } = await ask('t-1', '--forget', '--yes')
    expect(code).toBe(0)
    expect(text).toMatch(/^t-1: forgotten\nIts files stay: .*user-data$/)
    expect(existsSync(files)).toBe(true)
    const left = await use(async ({ threads: conversations, promotions, askedCalls }) => [
      (await conversations.list({ user: 'local', limit: 10 })).map(({ thread }) => thread),
      await promotions.read(key),
      await askedCalls.list({ user: 'local' }),
    ])
    expect(left).toEqual([['t-2'], undefined, []])
  })

  it('is not, while a program carries it on', async () => {
    const { ask, use } = await desk([record({})], async (state) => {
      const now = Date.now()
      await state.threads.claim(key, { holder: 'another', now, until: now + 60_000 })
    })
    const { code, notes } = await ask('t-1', '--forget', '--yes')
    expect([code, notes]).toEqual([1, expect.stringContaining('another program carries on "t-1"')])
    expect(await use((state) => state.threads.read(key))).toBeDefined()
  })

  it('may be one that only `call` has used', async () => {
    const { ask, use } = await desk([], filled)
    expect((await ask('t-1', '--forget', '--yes')).text).toBe('t-1: forgotten')
    expect(await use((state) => state.promotions.read(key))).toBeUndefined()
  })
})

it('names the very folder that the files of a thread are in', async () => {
  const { file, folder } = await desk()
  const { config } = await loadConfig(file, { environment: {} })
  if (config === undefined) throw new Error('the configuration of this test cannot be used')
  const owner = { user: 'Ann', thread: 'T-1' }
  const { userData } = await openWorkspace({ threadsFolder: join(folder, '.toolgate/threads'), owner })
  expect(threadFiles(config, owner)).toBe(userData)
})
