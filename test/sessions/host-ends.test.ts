import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { config, freshFolder, isAlive, markedPids, root, scripted } from '../sources/scripted.ts'
import { pidsWith } from './process-rounds.ts'

/** A program of ours that waits for a server which never answers, in a process of its own. */
async function host(more = '') {
  const folder = freshFolder()
  const marker = join(folder, 'pids')
  const server = scripted('lab', { marker, initialize: 'silent', grandchild: true, stubborn: true })
  const script = join(folder, 'host.mts')
  writeFileSync(
    script,
    `import { mcp } from ${JSON.stringify(join(root, 'src/sources/mcp.ts'))}
    ${more}
    const config = ${JSON.stringify(config({ mcpServers: [server] }))}
    await mcp.collect({ config, idleServers: new Set(), stateFolder: ${JSON.stringify(folder)}, environment: process.env } as never)`,
  )
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  for (let tries = 0; tries < 400 && !(existsSync(marker) && markedPids(marker).length === 2); tries += 1)
    await sleep(25)
  return { child, ended, pids: markedPids(marker) }
}

async function waitForEnd(pids: readonly number[]): Promise<readonly number[]> {
  for (let tries = 0; tries < 200 && pids.some(isAlive); tries += 1) await sleep(25)
  return pids.filter(isAlive)
}

describe('when the program itself ends [Q4]', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s, every server and its children end with it',
    async (signal) => {
      const { child, ended, pids } = await host()
      expect(pids.filter(isAlive)).toHaveLength(2)
      child.kill(signal)
      expect((await ended)[1]).toBe(signal)
      expect(await waitForEnd(pids)).toEqual([])
    },
  )

  it('by its own will, every server and its children end with it, though nobody is there to help', async () => {
    const { child, ended, pids } = await host('setTimeout(() => process.exit(7), 3000)')
    const guardians = pidsWith(`toolgate-guardian ${child.pid} `)
    for (const guardian of guardians) process.kill(guardian, 'SIGSTOP')
    expect((await ended)[0]).toBe(7)
    expect(await waitForEnd(pids)).toEqual([])
    for (const guardian of guardians) process.kill(guardian, 'SIGKILL')
  })

  it('leaves a signal to those who listen for it, and the servers to them as long as they go on', async () => {
    const { child, ended, pids } = await host("process.on('SIGTERM', () => setTimeout(() => process.exit(9), 1500))")
    child.kill('SIGTERM')
    await sleep(500)
    expect(pids.filter(isAlive)).toHaveLength(2)
    expect((await ended)[0]).toBe(9)
    expect(await waitForEnd(pids)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'by a kill, servers that are deaf to everything and their children end within five seconds [M1]',
    async () => {
      const { child, ended, pids } = await host()
      child.kill('SIGKILL')
      expect((await ended)[1]).toBe('SIGKILL')
      expect(await waitForEnd(pids)).toEqual([])
    },
  )
})
