// Stores under processes that come and go: two that write at once, one that is killed in the middle, one whose disk is
// full. The processes are state-child.ts.

import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { key, namesOf } from './a-state.ts'
import { aFolder, aStore } from './places.ts'
import { afterSteps } from './work-step.ts'

const program = fileURLToPath(new URL('./state-child.ts', import.meta.url))
const node = ['--expose-gc', '--import', 'tsx', program]
const cwd = import.meta.dirname

describe('two processes that write at once', () => {
  it('lose no promotion and no call of one another', async () => {
    const folder = aFolder()
    const count = 60
    const names = ['one', 'other']
    const ends = names.map((name) => {
      const child = spawn(process.execPath, [...node, 'add', folder, name, String(count)], { cwd, stdio: 'inherit' })
      return once(child, 'exit')
    })
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
    ])
    const { promotions, use } = await aStore(folder)
    const wanted = names.flatMap((name) => Array.from({ length: count }, (_, index) => `${name}_${index + 1}`))
    expect([...namesOf(await promotions.read(key))].sort()).toEqual(wanted.sort())
    expect(await use.most('main', 3)).toEqual([{ id: 'mcp:files/read', calls: 2 * count }])
  })
})

describe('a process that is killed', () => {
  it('leaves every acknowledged change, at most the one after it, and nothing else [R13]', async () => {
    const shared = aFolder()
    const watcher = await aStore(shared)
    let acknowledged = 0
    async function round(seed: number): Promise<void> {
      // Every third is killed while it makes its file; the others share one, which a store of this process has open.
      const alone = seed % 3 === 0
      const folder = alone ? aFolder() : shared
      const thread = `thread ${seed}`
      const after = alone ? { line: 'ready', ms: chance(seed, 250) } : { line: 'done 1', ms: chance(seed, 150) }
      const done = await killed(folder, { seed, thread, after })
      acknowledged += done
      const { promotions, findings } = await aStore(folder)
      expect(findings, `round ${seed}`).toEqual([])
      const stored = await promotions.read({ ...key, thread })
      expect([afterSteps(seed, done), afterSteps(seed, done + 1)], `round ${seed}, ${done} done`).toContainEqual(stored)
      if (!alone) expect(await watcher.promotions.read({ ...key, thread })).toEqual(stored)
    }
    for (let first = 0; first < 15; first += 3) await Promise.all([round(first), round(first + 1), round(first + 2)])
    // They were killed at work, not before it.
    expect(acknowledged).toBeGreaterThan(30)
  })
})

/** A figure below `max` that is the same for the same round. */
const chance = (round: number, max: number): number =>
  createHash('sha256').update(`moment ${round}`).digest().readUInt32BE(0) % max

interface Plan {
  readonly seed: number
  readonly thread: string
  /** It is killed so long after it has said this. */
  readonly after: { readonly line: string; readonly ms: number }
}

/** Kills a worker, and gives the number of the last change that it said was done. */
async function killed(folder: string, { seed, thread, after }: Plan): Promise<number> {
  const child = spawn(process.execPath, [...node, 'work', folder, String(seed), thread], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`it ended by itself: ${said}`)))
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
      if (said.includes(`${after.line}\n`)) resolve()
    })
  })
  await sleep(after.ms)
  child.kill('SIGKILL')
  await closed
  return said.split('\n').filter((line) => line.startsWith('done ')).length
}

interface Told {
  readonly when: string
  readonly unchanged: string
  readonly write: string
  readonly other: string
  readonly forget: string
  readonly count: string
  readonly read: number
  readonly most: string
  readonly findings: readonly string[]
}

/** What a child says that runs to its end; nothing where the system does not allow the disk that it needs. */
const toldBy = (command: readonly string[], role: string, folder: string): Promise<readonly Told[] | undefined> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = [...command, process.execPath, ...node, role, folder]
    execFile(file, args, { cwd, timeout: 30_000 }, (error, stdout, stderr) => {
      if (/unshare|mount point|Operation not permitted/.test(stderr)) resolve(undefined)
      else if (error !== null) reject(new Error(stderr || error.message))
      else
        resolve(
          stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Told),
        )
    })
  })

/** A disk of its own, which ends with the process. */
function onDisk(folder: string, size: string): readonly string[] {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  return ['unshare', ...user, '--mount', 'sh', '-c', `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`, folder]
}

const fine = 'no error'
const works = { unchanged: fine, write: fine, other: fine, forget: fine, count: fine, read: 900, most: fine }
const reads = {
  unchanged: fine,
  forget: fine,
  write: 'state-write-failed',
  other: 'state-write-failed',
  read: 1,
  most: fine,
}
const onlyReads = [expect.stringMatching(/^state-file: the state can be read and not written: /)]

describe('a disk that takes nothing', () => {
  it('because it is full: reads go on, writes fail by name, what is stored stays, and it recovers', async ({
    skip,
  }) => {
    const folder = aFolder()
    const told = await toldBy(onDisk(folder, '3m'), 'full', folder)
    if (told === undefined) skip('no disk of its own can be mounted here')
    expect(told).toEqual([
      { when: 'full', ...reads, count: expect.any(String), findings: [] },
      {
        when: 'opened when full',
        ...reads,
        forget: expect.any(String),
        count: expect.any(String),
        findings: onlyReads,
      },
      { when: 'room again', ...works, findings: [] },
      { when: 'opened when full, room again', ...works, findings: onlyReads },
    ])
  })

  it('because files may not grow: reads go on, and only what is too long fails', async () => {
    const folder = aFolder()
    const told = await toldBy(['sh', '-c', 'ulimit -f 256; exec "$@"', 'sh'], 'limit', folder)
    expect(told).toEqual([{ when: 'limited', ...reads, count: fine, findings: [] }])
  })

  it('because it is mounted read-only: reads go on, writes fail by name, until it may be written', async ({ skip }) => {
    const folder = aFolder()
    const told = await toldBy(onDisk(folder, '4m'), 'read-only', folder)
    if (told === undefined) skip('no disk of its own can be mounted here')
    const refused = { count: 'state-write-failed' }
    expect(told).toEqual([
      { when: 'opened when read-only', ...reads, ...refused, findings: onlyReads },
      { when: 'nothing there', ...reads, ...refused, read: 0, findings: [] },
      { when: 'writable again', ...works, findings: onlyReads },
    ])
  })
})
