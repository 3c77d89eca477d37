// Calls of real MCP servers from npm, each through the whole enforcement, on sessions that stay open.

import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { openToolbox, type Toolbox } from '../../src/runtime/toolbox.ts'
import { freshFolder, isAlive } from '../sources/scripted.ts'

const require = createRequire(import.meta.url)
const program = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js')
const started = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [program(name), ...args],
})

const ada = { user: 'ada', thread: 't1' }
let toolbox: Toolbox
let folder: string

beforeAll(async () => {
  folder = freshFolder()
  mkdirSync(join(folder, 'papers'))
  writeFileSync(join(folder, 'papers/rules.txt'), 'no running in the halls')
  const servers = {
    // One entry for all threads: each works on its own files.
    files: started('server-filesystem', '/mnt/user-data/workspace'),
    papers: started('server-filesystem', 'papers'),
    memory: { ...started('server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    thinking: started('server-sequential-thinking'),
    demo: { ...started('server-everything', 'stdio'), tool_name_prefix: false },
  }
  const file = join(folder, 'toolgate.json')
  writeFileSync(file, JSON.stringify({ version: 1, mcp_servers: servers }))
  const { config } = await loadConfig(file, { environment: process.env })
  if (config === undefined) throw new Error('the configuration is not usable')
  toolbox = await openToolbox({ config, owner: ada })
  const states = toolbox.current().run.servers.map(({ name, state, detail }) => [name, state, detail])
  expect(states).toEqual(Object.keys(servers).map((name) => [name, 'available', undefined]))
})

afterAll(async () => {
  const pids = toolbox.sessions().flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  await toolbox.close()
  for (const pid of pids) expect(isAlive(pid)).toBe(false)
})

async function called(name: string, args: object, owner = ada, onProgress?: () => void): Promise<string> {
  const calls = await toolbox.callsOf(owner)
  const outcome = await calls.call({ name, args, ...(onProgress === undefined ? {} : { onProgress }) })
  if (outcome.kind !== 'result') throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome.content.map(({ text }) => String(text ?? '')).join('\n')
}

describe('real servers [S4] [M1] [M3]', () => {
  it('a file server works on the files of each thread, under virtual paths', async () => {
    const path = '/mnt/user-data/workspace/notes.md'
    expect(await called('files__write_file', { path, content: 'remember the milk' })).toContain(path)
    expect(await called('files__read_text_file', { path })).toContain('remember the milk')
    expect(await called('files__list_allowed_directories', {})).toContain('/mnt/user-data/workspace')
    const others = called('files__read_text_file', { path }, { user: 'ada', thread: 't2' })
    expect(await others).not.toContain('milk')
  })

  it('a file server shows the folder that the operator named, and nothing else of the host', async () => {
    const listed = await called('papers__list_allowed_directories', {})
    expect(listed).toContain(join(folder, 'papers'))
    expect(await called('papers__read_text_file', { path: join(folder, 'papers/rules.txt') })).toContain('halls')
    const refused = await called('papers__read_text_file', { path: join(folder, 'toolgate.json') })
    expect(refused).toContain('[path outside the workspace]')
    expect(refused).not.toContain(join(folder, 'toolgate.json'))
  })

  it('a memory is one for all threads where its entry names the file', async () => {
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
    await called('memory__create_entities', { entities })
    expect(await called('memory__read_graph', {}, { user: 'bob', thread: 't9' })).toContain('likes tea')
  })

  it('a server without files answers as it does everywhere', async () => {
    const thought = { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    expect(await called('thinking__sequentialthinking', thought)).toContain('"thoughtNumber": 1')
  })

  it('progress is passed on', async () => {
    let signs = 0
    const name = toolbox.current().run.surface.decisions.find(({ name: one }) => /long.?running/i.test(one))?.name ?? ''
    await called(name, { duration: 1, steps: 4 }, ada, () => {
      signs += 1
    })
    expect(signs).toBeGreaterThanOrEqual(2)
  })
})
