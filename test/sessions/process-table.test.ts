import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { newMarker } from '../../src/sessions/processes/process-marker.ts'
import { askPs, processTable, stillRuns } from '../../src/sessions/processes/process-table.ts'

/** A process that waits until its input closes. */
function waiting(env: { readonly [name: string]: string } = {}) {
  const child = spawn('/bin/sh', ['-c', 'while read -r line; do :; done'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.stdin.end()
      await exited
    },
  }
}

describe.skipIf(process.platform === 'win32')('a look at all processes', () => {
  it('shows us, what we start, and in which order', async () => {
    const child = waiting()
    try {
      const table = await processTable()
      const we = table?.running.get(process.pid)
      const it = table?.running.get(child.pid)
      expect(we?.parent).toBe(process.ppid)
      expect(it?.parent).toBe(process.pid)
      expect(it?.start).toBeGreaterThanOrEqual(we?.start ?? Number.POSITIVE_INFINITY)
      expect(table?.childrenOf(process.pid)).toContain(it)
    } finally {
      await child.end()
    }
    expect((await processTable())?.running.has(child.pid)).toBe(false)
  })

  it('is shared by all who ask before it begins, and by nobody who asks later', async () => {
    const first = processTable()
    expect(processTable()).toBe(first)
    await first
    expect(processTable()).not.toBe(first)
  })

  it.runIf(process.platform === 'linux')('leaves out who has ended and was not collected', async () => {
    // The shell becomes a program that collects no children before the child ends.
    const child = spawn('/bin/sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const dead = Number(String((await once(child.stdout, 'data'))[0]))
      await expect.poll(async () => (await processTable())?.running.has(dead)).toBe(false)
      expect(process.kill(dead, 0)).toBe(true)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it.runIf(process.platform === 'linux')('tells the marks that a process bears', async () => {
    const marker = newMarker()
    const [marked, plain] = [waiting({ TOOLGATE_SESSION: marker }), waiting({ OTHER: `TOOLGATE_SESSION=${marker}` })]
    try {
      for (const _ of [1, 2]) {
        const table = await processTable()
        const marks = (pid: number) => {
          const entry = table?.running.get(pid)
          return entry === undefined ? undefined : table?.marksOf(entry)
        }
        expect(await marks(marked.pid)).toBe(marker)
        expect(await marks(plain.pid)).toBe('')
      }
    } finally {
      await Promise.all([marked.end(), plain.end()])
    }
  })

  it.runIf(process.platform === 'linux')('is the same as ps gives it where there is no /proc', async () => {
    const child = waiting()
    try {
      const [table, list] = [await processTable(), await askPs()]
      for (const pid of [process.pid, child.pid]) {
        const told = list.find((entry) => entry.pid === pid)
        expect(told).toMatchObject({
          pid,
          parent: table?.running.get(pid)?.parent,
          group: table?.running.get(pid)?.group,
        })
        expect(Math.abs((told?.start ?? 0) - Date.now())).toBeLessThan(24 * 3600 * 1000)
      }
    } finally {
      await child.end()
    }
  })
})

describe.runIf(process.platform === 'linux')('a process that was seen', () => {
  it('is not taken for another that was given its number', async () => {
    const we = (await processTable())?.running.get(process.pid)
    expect(we).toBeDefined()
    if (we === undefined) return
    expect([stillRuns(we), stillRuns({ ...we, start: we.start - 1 })]).toEqual([true, false])
  })
})
