// What a command may use, and that nothing of it is left, however it ends.

import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aThread, isSkipped, keptBytes, mebibyte, runningIn, type Thread, textOf } from './sandbox-world.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
afterEach(() => rmSync(thread.top, { recursive: true, force: true }))

const nobodyRuns = (): void => expect(runningIn(thread.workspace)).toEqual([])
const sizeOf = (name: string): number => statSync(join(thread.workspace.cwd, name)).size

describe.skipIf(isSkipped)('limits of a command (Debian package bubblewrap)', () => {
  it('hold one file to its size, and say so in the exit code', async () => {
    const { end } = await thread.run('head -c 3M /dev/zero > big', { fileBytes: mebibyte })
    expect(end).toEqual({ kind: 'exited', code: 153 })
    expect(sizeOf('big')).toBe(mebibyte)
  })

  it('hold one process to its memory', async () => {
    const fill = (bytes: number) => `x=$(head -c ${bytes} /dev/zero | tr '\\0' a); echo "\${#x}"`
    expect(textOf(await thread.run(fill(1_000_000), { memoryBytes: 64 * mebibyte }))).toBe('1000000\n')
    const { output, end } = await thread.run(fill(200_000_000), { memoryBytes: 64 * mebibyte })
    expect(output.first).not.toContain('200000000')
    // It meets the limit by itself: nobody had to look at it.
    expect(end.kind).toBe('exited')
    expect(end).not.toEqual({ kind: 'exited', code: 0 })
  })

  it('end a command whose processes use too much together', async () => {
    const one = `x=$(head -c 15000000 /dev/zero | tr '\\0' a); sleep 20; echo "\${#x}"`
    const command = `for i in 1 2 3 4 5 6 7 8; do (${one}) & done; wait`
    const { end } = await thread.run(command, { memoryBytes: 64 * mebibyte })
    expect(end).toEqual({ kind: 'ended', limit: 'memory' })
    nobodyRuns()
  })

  it('stop a flood of processes', async () => {
    const command = 'i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done; echo all'
    const { output, end } = await thread.run(command, { processes: 40 }, 3000)
    expect(output.first).not.toContain('all')
    // The kernel counts for an ordinary user, and bash tries again for a while; for root we count.
    expect(end.kind === 'ended' && ['processes', 'time'].includes(end.limit)).toBe(true)
    nobodyRuns()
  })

  it('let as many processes run as are allowed', async () => {
    const command = 'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.2 & done; wait; echo all'
    expect(textOf(await thread.run(command, { processes: 40 }))).toBe('all\n')
  })

  it('end a flood of output, and keep its first and its last part', async () => {
    const { output, end } = await thread.run('echo first; yes', { outputBytes: 100_000 })
    expect(end).toEqual({ kind: 'ended', limit: 'output' })
    expect(output.first.startsWith('first\ny\n')).toBe(true)
    expect(output.last.endsWith('y\n') || output.last.endsWith('y')).toBe(true)
    expect(output.first.length + output.last.length).toBeLessThanOrEqual(keptBytes)
    expect(output.leftOutBytes).toBeGreaterThan(90_000)
    nobodyRuns()
  })

  it('hold temporary files to the memory that they may take, under every name', async () => {
    const command =
      'for f in /tmp/x /var/tmp/y /dev/shm/z; do head -c 80M /dev/zero > $f; done; echo; df -k /tmp /dev/shm'
    const text = textOf(await thread.run(command, { tempBytes: mebibyte }))
    expect(text.match(/No space left on device/g)?.length).toBe(3)
    expect(text).toMatch(/ 1024 .*\/tmp\n.* 65536 .*\/dev\/shm/)
  })

  it('end a command that takes the last room of a disk, and none that takes no room', async () => {
    const limits = { diskReserveBytes: 2 ** 50, fileBytes: 512 * mebibyte }
    const { end } = await thread.run('head -c 200M /dev/zero > big; sync big; sleep 20', limits)
    expect(end).toEqual({ kind: 'ended', limit: 'disk' })
    expect((await thread.run('sleep 0.3; echo small > small', limits)).end).toEqual({ kind: 'exited', code: 0 })
  })

  it('keep no memory image of what crashed, and open no more files than usual', async () => {
    expect(textOf(await thread.run('ulimit -c; ulimit -Hc; ulimit -n'))).toBe('0\n0\n1024\n')
    await thread.run('ulimit -f unlimited || echo kept; kill -SEGV $$')
    expect(readdirSync(thread.workspace.cwd)).toEqual(['.tmp'])
  })
})

describe.skipIf(isSkipped)('the end of a command (Debian package bubblewrap)', () => {
  const stubborn = 'trap "" TERM INT HUP; (setsid sh -c "trap \\"\\" TERM; sleep 300" >/dev/null 2>&1 &); sleep 300'

  it('comes when its time is over, for all that it has started', async () => {
    const { end } = await thread.run(`echo begun; ${stubborn}`, {}, 700)
    expect(end).toEqual({ kind: 'ended', limit: 'time' })
    nobodyRuns()
  })

  it.each([
    ['a job in the background', 'sleep 300 & echo done'],
    ['one that holds no output', 'sleep 300 >/dev/null 2>&1 & echo done'],
    ['a session of its own', 'setsid sleep 300 & echo done'],
    ['a daemon', '(setsid sh -c "sleep 300 & sleep 300" >/dev/null 2>&1 </dev/null &) ; echo done'],
    ['one that ignores signals', 'sh -c "trap \\"\\" TERM HUP INT; sleep 300" & echo done'],
  ])('leaves nothing behind that it started: %s', async (_what, command) => {
    const result = await thread.run(command)
    expect([textOf(result), result.end]).toEqual(['done\n', { kind: 'exited', code: 0 }])
    nobodyRuns()
  })

  it('comes when it is called off, and is told as such', async () => {
    const calledOff = new AbortController()
    const running = thread
      .shell()
      .run({ command: `echo x > begun; ${stubborn}`, timeoutMs: 60_000, signal: calledOff.signal })
    await vi.waitFor(() => expect(existsSync(join(thread.workspace.cwd, 'begun'))).toBe(true), { timeout: 10_000 })
    expect(runningIn(thread.workspace).length).toBeGreaterThan(0)
    calledOff.abort(new Error('nobody waits'))
    await expect(running).rejects.toThrow('nobody waits')
    nobodyRuns()
  })

  it('comes before its beginning when it was called off while the sandbox started', async () => {
    for (const ms of [0, 5, 15]) {
      const calledOff = new AbortController()
      const request = { command: 'echo x > begun; sleep 300', timeoutMs: 60_000, signal: calledOff.signal }
      const running = thread.shell().run(request)
      setTimeout(() => calledOff.abort(new Error('nobody waits')), ms)
      await expect(running).rejects.toThrow('nobody waits')
      nobodyRuns()
    }
    const before = AbortSignal.abort(new Error('before'))
    await expect(thread.shell().run({ command: 'echo', timeoutMs: 1000, signal: before })).rejects.toThrow('before')
  })

  it('is told as a kill when somebody else ends it', async () => {
    const running = thread.run('echo x > begun; sleep 300')
    await vi.waitFor(() => expect(existsSync(join(thread.workspace.cwd, 'begun'))).toBe(true), { timeout: 10_000 })
    for (const pid of runningIn(thread.workspace)) process.kill(pid, 'SIGKILL')
    expect((await running).end).toEqual({ kind: 'exited', code: 137 })
    nobodyRuns()
  })

  it('concerns no other command of the thread that runs at the same time', async () => {
    const [slow, quick] = await Promise.all([thread.run('sleep 0.6; echo slow'), thread.run('sleep 300', {}, 200)])
    expect([textOf(slow), quick.end]).toEqual(['slow\n', { kind: 'ended', limit: 'time' }])
  })
})

describe.skipIf(isSkipped)('a program that runs commands (Debian package bubblewrap)', () => {
  const room = (path: string): string => JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../../src', path)))
  const program = `
    import { sandboxLimits } from ${room('config/build-sections.ts')}
    import { openWorkspace } from ${room('workspace/open-workspace.ts')}
    import { namespaceShell } from ${room('workspace/sandbox/namespace-shell.ts')}
    const [threadsFolder, command] = process.argv.slice(1)
    const workspace = await openWorkspace({ threadsFolder, owner: { user: 'ada', thread: 't1' } })
    const shell = namespaceShell({ workspace, keptBytes: 4096, network: false, programs: [], limits: sandboxLimits() })
    const { output } = await shell.run({ command, timeoutMs: 60_000 })
    process.stdout.write(output.first)`
  const started = (command: string, fds: readonly number[] = []) =>
    spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program, join(thread.top, 'threads'), command],
      { stdio: ['ignore', 'pipe', 'inherit', ...fds] },
    )

  it('takes them along when it is killed without a last word', async () => {
    const running = started('echo x > begun; (setsid sleep 300 >/dev/null 2>&1 &); sleep 300')
    await vi.waitFor(() => expect(existsSync(join(thread.workspace.cwd, 'begun'))).toBe(true), { timeout: 20_000 })
    expect(runningIn(thread.workspace).length).toBeGreaterThan(1)
    running.kill('SIGKILL')
    await vi.waitFor(nobodyRuns, { timeout: 10_000 })
  })

  it('hands no file on to them that it was given open itself', async () => {
    const secret = join(thread.top, 'secret')
    writeFileSync(secret, 'CANARY')
    const opened = Array.from({ length: 12 }, () => openSync(secret, 'r'))
    const running = started(
      'ls /proc/self/fd | tr "\\n" " "; for n in 3 4 9 10 14; do cat <&$n; done 2>/dev/null',
      opened,
    )
    let text = ''
    running.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
    await new Promise((done) => running.once('close', done))
    // The fourth is the folder that ls itself reads.
    expect(text).toBe('0 1 2 3 ')
  })
})
