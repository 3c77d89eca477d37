// A browser server writes a screenshot; the agent knows it by its virtual path, and can open it there. The browser
// comes inside an npm package; where it does not run, the test is skipped, or the browser of the machine is named by
// TOOLGATE_CHROMIUM.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { openToolbox, type Toolbox } from '../../src/runtime/toolbox.ts'
import { openFile, readWhole } from '../../src/workspace/open-file.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { pathIn } from '../../src/workspace/path-in.ts'
import { freshFolder } from '../sources/scripted.ts'

const owner = { user: 'ada', thread: 'browse' }
const require = createRequire(import.meta.url)
const page = createServer((_, answer) => {
  answer.setHeader('content-type', 'text/html')
  answer.end('<title>A page</title><h1>Hello from the page</h1>')
})
const browser = await chromium()
const runs = spawnSync(browser, ['--version'], { timeout: 30_000 }).status === 0
let toolbox: Toolbox | undefined
let folder: string

beforeAll(async () => {
  if (!runs) return
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  folder = freshFolder()
  const args = ['--headless', '--isolated', '--no-sandbox', '--executable-path', browser]
  const cli = join(require.resolve('@playwright/mcp/package.json'), '../cli.js')
  const server = { command: process.execPath, args: [cli, ...args], tool_name_prefix: false }
  const file = join(folder, 'toolgate.json')
  writeFileSync(file, JSON.stringify({ version: 1, mcp_servers: { browser: server } }))
  const { config } = await loadConfig(file, { environment: process.env })
  if (config === undefined) throw new Error('the configuration is not usable')
  toolbox = await openToolbox({ config, owner })
  const { run } = toolbox.current()
  expect(run.servers, JSON.stringify(run.findings)).toMatchObject([{ name: 'browser', state: 'available' }])
}, 120_000)

afterAll(async () => {
  await toolbox?.close()
  page.close()
})

async function chromium(): Promise<string> {
  if (process.env.TOOLGATE_CHROMIUM !== undefined) return process.env.TOOLGATE_CHROMIUM
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath().catch(() => 'no browser for this machine')
}

async function called(name: string, args: object): Promise<string> {
  const calls = await toolbox?.callsOf(owner)
  const outcome = await calls?.call({ name, args })
  if (outcome === undefined) throw new Error('no toolbox was opened')
  if (outcome.kind !== 'result') throw new Error(outcome.message)
  const text = outcome.content.map(({ text: words }) => String(words ?? '')).join('\n')
  expect(outcome.isError, text).toBe(false)
  return text
}

it.skipIf(!runs)(
  'a screenshot of a browser server is readable at its virtual path [M3]',
  async () => {
    const { port } = page.address() as AddressInfo
    expect(await called('browser_navigate', { url: `http://127.0.0.1:${port}/` })).toContain('A page')

    const named = await called('browser_take_screenshot', { filename: 'shot.png' })
    expect(named).toContain('](/mnt/user-data/servers/browser/shot.png)')
    const unnamed = await called('browser_take_screenshot', {})
    const [, path = ''] = /\]\((\/mnt\/user-data\/servers\/browser\/[^)]+\.png)\)/.exec(unnamed) ?? []
    const asked = await called('browser_take_screenshot', { filename: '/mnt/user-data/servers/browser/asked.png' })
    expect(asked).toContain('/mnt/user-data/servers/browser/asked.png')

    for (const text of [named, unnamed, asked]) expect(text).not.toContain(folder)
    const workspace = await openWorkspace({
      threadsFolder: join(folder, '.toolgate/threads'),
      owner,
      skillsFolders: [],
    })
    for (const virtual of [
      '/mnt/user-data/servers/browser/shot.png',
      path,
      '/mnt/user-data/servers/browser/asked.png',
    ]) {
      const file = openFile(pathIn(workspace, virtual))
      try {
        const bytes = await readWhole(file, 10_000_000)
        expect(bytes.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n')
      } finally {
        file.close()
      }
    }
  },
  120_000,
)
