// Commands on this machine itself, where the operator allowed it.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hostShell } from '../../src/sessions/processes/host-shell.ts'
import type { Shell } from '../../src/workspace/sandbox/shell.ts'
import { aThread, type Thread, textOf } from './sandbox-world.ts'

let thread: Thread
let shell: Shell
const environment = { PATH: process.env.PATH, HOME: '/nowhere', TOKEN: 'CANARY' }
beforeEach(async () => {
  thread = await aThread()
  shell = hostShell({ workspace: thread.workspace, outputBytes: 100_000, keptBytes: 4096, environment })
})
afterEach(() => rmSync(thread.top, { recursive: true, force: true }))

/** Processes that work in the folder of the thread. */
function workingThere(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(thread.workspace.temp)
    } catch {
      return false
    }
  })
}
const nobodyRuns = (): void => expect(workingThere()).toEqual([])
const run = (command: string, timeoutMs = 20_000) => shell.run({ command, timeoutMs })

describe('a command on the host', () => {
  it('gets a base of variables, no input, and one stream for output and errors', async () => {
    const result = await run('cat; echo "<$TOKEN>"; echo 1; echo 2 >&2; echo 3; exit 5')
    expect(textOf(result)).toBe('<>\n1\n2\n3\n')
    expect(result.end).toEqual({ kind: 'exited', code: 5 })
  })

  it('knows the files of the thread by their virtual names', async () => {
    await run('echo x > /mnt/user-data/outputs/x')
    expect(readFileSync(join(thread.workspace.userData, 'outputs/x'), 'utf8')).toBe('x\n')
  })

  it('runs no file of the workspace that a shell would read when it starts', async () => {
    writeFileSync(join(thread.workspace.cwd, '.bashrc'), 'echo read\n')
    const own = hostShell({
      workspace: thread.workspace,
      outputBytes: 100_000,
      keptBytes: 4096,
      environment: { ...environment, HOME: thread.workspace.cwd },
    })
    expect(textOf(await own.run({ command: 'echo only this', timeoutMs: 20_000 }))).toBe('only this\n')
  })

  it('is told as ended by a signal when it was', async () => {
    expect((await run('kill -KILL $$')).end).toEqual({ kind: 'exited', code: 137 })
  })
})

describe.skipIf(process.platform !== 'linux')('the end of a command on the host', () => {
  it.each([
    ['a job in the background', 'sleep 300 & echo done'],
    ['a session of its own', 'setsid sleep 300 & echo done'],
    ['a daemon', '(setsid sleep 300 >/dev/null 2>&1 </dev/null &) ; echo done'],
  ])('leaves nothing behind that it started: %s', async (_what, command) => {
    expect(textOf(await run(command))).toBe('done\n')
    nobodyRuns()
  })

  it('comes when its time is over, for all that it has started', async () => {
    const command =
      'trap "" TERM; (setsid sh -c "trap \\"\\" TERM; sleep 300" >/dev/null 2>&1 &); echo begun; sleep 300'
    const result = await run(command, 500)
    expect([textOf(result), result.end]).toEqual(['begun\n', { kind: 'ended', limit: 'time' }])
    nobodyRuns()
  })

  it('comes at the limit of output', async () => {
    const { output, end } = await run('yes')
    expect(end).toEqual({ kind: 'ended', limit: 'output' })
    expect(output.first.length + output.last.length).toBeLessThanOrEqual(4096)
    nobodyRuns()
  })

  it('comes when it is called off, and is told as such', async () => {
    const calledOff = new AbortController()
    const running = shell.run({ command: 'echo x > begun; sleep 300', timeoutMs: 60_000, signal: calledOff.signal })
    await vi.waitFor(() => expect(existsSync(join(thread.workspace.cwd, 'begun'))).toBe(true), { timeout: 10_000 })
    calledOff.abort(new Error('nobody waits'))
    await expect(running).rejects.toThrow('nobody waits')
    nobodyRuns()
  })
})
