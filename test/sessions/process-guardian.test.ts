import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, it } from 'vitest'
import { entrust, guardianScript, relieve } from '../../src/sessions/processes/process-guardian.ts'
import { newMarker } from '../../src/sessions/processes/process-marker.ts'
import { isAlive } from '../sources/scripted.ts'
import { pidsWith } from './process-rounds.ts'

const started: number[] = []
afterAll(() => {
  for (const pid of started) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
})

/** A process that leads a group and does not end by itself. */
function sleeper(env: { readonly [name: string]: string } = {}, first = ''): number {
  const child = spawn('/bin/sh', ['-c', `${first} exec sleep 600`], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  child.unref()
  if (child.pid === undefined) throw new Error('no shell')
  started.push(child.pid)
  return child.pid
}

/** The guardians of this process. */
const guardians = (): readonly number[] => pidsWith(`toolgate-guardian ${process.pid} `)

/** The one there is. A number that is none would mean ourselves to `kill`. */
function theGuardian(): number {
  const [guardian, second] = guardians()
  if (guardian === undefined || second !== undefined) throw new Error('there is not one guardian')
  return guardian
}

describe.skipIf(process.platform === 'win32')('the guardian of a program that starts servers [M1, Q4]', () => {
  it('comes with the first server, is one for all, and has left when the last server has ended', async () => {
    const marker = newMarker()
    expect(guardians()).toEqual([])
    await entrust({ marker })
    const guardian = theGuardian()
    await Promise.all([entrust({ group: 4_999_999 }), entrust({ group: 4_999_998 })])
    expect(guardians()).toEqual([guardian])
    await relieve({ group: 4_999_999 })
    await relieve({ marker })
    expect(guardians()).toEqual([guardian])
    await relieve({ group: 4_999_998 })
    // Not even as one that was not collected.
    expect(() => process.kill(guardian, 0)).toThrow('ESRCH')
  })

  it('is replaced when somebody kills it', async () => {
    await entrust({ group: 4_999_997 })
    const first = theGuardian()
    await new Promise((resolve) => setTimeout(resolve, 1200))
    process.kill(first, 'SIGKILL')
    await expect.poll(() => guardians().filter((pid) => pid !== first)).toHaveLength(1)
    await relieve({ group: 4_999_997 })
    expect(guardians()).toEqual([])
  })

  it('holds up nobody when somebody stops it', async () => {
    await entrust({ group: 4_999_996 })
    const guardian = theGuardian()
    process.kill(guardian, 'SIGSTOP')
    await entrust({ group: 4_999_995 })
    await relieve({ group: 4_999_995 })
    await relieve({ group: 4_999_996 })
    process.kill(guardian, 'SIGCONT')
    await expect.poll(guardians).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('what the guardian does when its program is gone [M1, Q4]', () => {
  it('ends what was not taken back, and only that', async () => {
    const [ours, others] = [newMarker(), newMarker()]
    const plain = sleeper()
    const deaf = sleeper({}, "trap '' TERM HUP;")
    const takenBack = sleeper()
    const marked = sleeper({ TOOLGATE_SESSION: `${others}.${ours}` })
    const markedByOthers = sleeper({ TOOLGATE_SESSION: others })
    const guardian = spawn('/bin/sh', ['-c', guardianScript, 'toolgate-guardian', 'test'], {
      detached: true,
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const left = once(guardian, 'exit')
    guardian.stdin.write([`+ ${plain}`, `+ ${takenBack}`, `+ m${others}0`, `+ ${deaf}`, `+ m${ours}`, ''].join('\n'))
    guardian.stdin.write([`- ${takenBack}`, '- 4999994', `- m${others}0`, ''].join('\n'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) guardian.kill(signal)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([plain, deaf, takenBack, marked, markedByOthers].every(isAlive)).toBe(true)
    guardian.stdin.end()
    expect(await left).toEqual([0, null])
    await expect.poll(() => [plain, deaf].filter(isAlive)).toEqual([])
    // Marks are in the environment, which only Linux shows.
    if (process.platform === 'linux') await expect.poll(() => isAlive(marked)).toBe(false)
    expect([takenBack, markedByOthers].filter(isAlive)).toEqual([takenBack, markedByOthers])
  })
})
