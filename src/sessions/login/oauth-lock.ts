// One at a time, over all processes that share a folder: a file that only one can make. Whoever holds it touches it
// every so often, so a holder that was killed is told from one that is slow by nothing but waiting: no clocks are
// compared, no process numbers believed (another container has its own).

import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

export interface LockOptions {
  /** How often a holder shows that it lives, milliseconds. */
  readonly touchMs?: number
  /** A lock that nobody touched while we watched it for so long belongs to a process that is gone. */
  readonly goneMs?: number
  /** How long is waited in all. */
  readonly waitMs?: number
}

/** Waited in vain: somebody else held the lock all the time. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld'
}

/**
 * Runs `work` while nobody else runs theirs under the same path; the folder must be there. Rejects with LockHeld, with
 * the error of a folder that cannot be written, or as `work` does.
 */
export async function whileAlone<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { touchMs = 1000, goneMs = 5000, waitMs = 40_000 } = options
  const mark = randomBytes(12).toString('hex')
  await taken(path, mark, goneMs, waitMs)
  const touch = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), touchMs)
  touch.unref()
  try {
    return await work()
  } finally {
    clearInterval(touch)
    // Somebody may have thought us dead, as after a sleep of the machine; then it is theirs.
    if ((await readFile(path, 'utf8').catch(() => '')) === mark) await rm(path, { force: true }).catch(() => {})
  }
}

async function taken(path: string, mark: string, goneMs: number, waitMs: number): Promise<void> {
  const start = performance.now()
  let seen: { readonly state: string; readonly since: number } | undefined
  while (!(await made(path, mark))) {
    const now = performance.now()
    if (now - start > waitMs) throw new LockHeld('another process has held the lock for too long')
    const state = await stateOf(path)
    if (state !== undefined && seen?.state === state && now - seen.since > goneMs) {
      await takeAway(path)
      seen = undefined
    } else if (seen?.state !== state) {
      seen = state === undefined ? undefined : { state, since: now }
    }
    await pause(25)
  }
}

async function made(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(mark)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    // Windows says EPERM of a file that is being removed.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

/** Another state after every touch and with every other holder. */
async function stateOf(path: string): Promise<string | undefined> {
  const about = await stat(path).catch(() => undefined)
  return about === undefined ? undefined : `${about.ino} ${about.mtimeMs}`
}

/**
 * Two may find the holder gone; renaming lets one of them win, and the other finds nothing. Between its last look and
 * this the lock may have become somebody's own: a window of one system call, behind which stands the second reading
 * after a refusal.
 */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.gone`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (moved) await rm(aside, { force: true }).catch(() => {})
}
