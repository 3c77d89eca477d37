// `toolgate call` that is broken off from the keyboard: the first time the call alone, the second time all at once.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { ensureBuilt, mainFile } from './built.ts'
import { isRunning } from './processes.ts'
import { listed, project, scripted } from './project.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

describe.runIf(process.platform !== 'win32')('a call that is interrupted [M1, S4]', () => {
  /** A server that hangs; what it received; and the program that calls it. */
  function hanging(more: ServerPlan = {}) {
    const lab = project()
    const plan: ServerPlan = {
      marker: lab.path('started'),
      record: lab.path('record.jsonl'),
      grandchild: true,
      pages: [{ tools: [listed('wait')] }],
      calls: { wait: { hang: true } },
      ...more,
    }
    lab.write('toolgate.yaml', `version: 1\nmcp_servers:\n  slow: ${scripted(plan)}\n`)
    ensureBuilt()
    const child = spawn(process.execPath, [mainFile, 'call', 'slow__wait'], {
      cwd: lab.folder,
      env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString('utf8')
    })
    const ended = once(child, 'close')
    const lines = (file: string) => (existsSync(lab.path(file)) ? lab.read(file).split('\n').filter(Boolean) : [])
    const methods = () => lines('record.jsonl').map((line) => (JSON.parse(line) as ReceivedMessage).method)
    return { child, ended, methods, said: () => said, pids: () => lines('started') }
  }
  const patient = { timeout: 20_000 }

  it('is told to the server, and leaves no process', async () => {
    const { child, ended, methods, said, pids } = hanging()
    await expect.poll(methods, patient).toContain('tools/call')
    child.kill('SIGINT')
    const [code] = await ended
    expect(code).toBe(1)
    expect(methods()).toContain('notifications/cancelled')
    expect(said()).toMatch(/^error call-cancelled {2}.*\n {2}do nothing, if that was meant\n {2}The call was sent/)
    expect(pids()).toHaveLength(2)
    await expect.poll(() => pids().filter(isRunning), patient).toEqual([])
  })

  it('ends at once when it is interrupted again, and leaves no process then either', async () => {
    // It goes on when its input ends, so that the first interrupt alone takes a while.
    const { child, ended, methods, pids } = hanging({ stubborn: true })
    await expect.poll(methods, patient).toContain('tools/call')
    child.kill('SIGINT')
    await expect.poll(methods, patient).toContain('notifications/cancelled')
    child.kill('SIGINT')
    const [code, signal] = await ended
    expect([code, signal]).toEqual([null, 'SIGINT'])
    await expect.poll(() => pids().filter(isRunning), patient).toEqual([])
  })

  it('is called off before it was sent while a server is still starting', async () => {
    const { child, ended, methods, said, pids } = hanging({ initialize: 'silent' })
    await expect.poll(methods, patient).toContain('initialize')
    child.kill('SIGINT')
    const [code] = await ended
    expect(code).toBe(1)
    expect(said()).toMatch(/^error call-cancelled {2}the call of "slow__wait" was called off before it was sent/)
    expect(methods()).not.toContain('tools/call')
    await expect.poll(() => pids().filter(isRunning), patient).toEqual([])
  })
})
