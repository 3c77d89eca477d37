// The end of a server, in three steps that each take only as long as somebody is left: its input is closed, it is told
// to end, it is killed.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Family } from './process-family.ts'
import type { RunningProcess } from './process-table.ts'

/** Time for a server to leave by itself once its input is closed. */
const graceMs = 100
/** Time between TERM and KILL. */
const termMs = 1500
const killMs = 1000
const pauseMsMin = 5
const pauseMsMax = 60

/** Ends a whole family. Resolves when nobody of it is left, or cannot be ended at all. */
export async function endFamily(family: Family, leaving: Promise<unknown>, closeInput: () => void): Promise<void> {
  // Who has left the group is known by its parent, as long as that is there.
  await family.look()
  closeInput()
  const graceEnds = performance.now() + graceMs
  await within(leaving, graceMs)
  let left = await waitFor(family, await family.look(), graceEnds)
  for (const [signal, ms] of [['SIGTERM', termMs] as const, ['SIGKILL', killMs] as const]) {
    // Who has ended meanwhile must not be signalled, for somebody else may have its number.
    if (left.length > 0) left = await family.look()
    if (left.length === 0) break
    family.signal(left, signal)
    left = await waitFor(family, left, performance.now() + ms, signal)
  }
  // What has ended is to be collected, too.
  await within(leaving, graceMs)
}

/** Waits for these to leave, and for those who came meanwhile. Who comes gets the signal as well. */
async function waitFor(
  family: Family,
  members: readonly RunningProcess[],
  until: number,
  signal?: NodeJS.Signals,
): Promise<readonly RunningProcess[]> {
  let left = members
  let pauseMs = pauseMsMin
  while (left.length > 0 && performance.now() < until) {
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, pauseMsMax)
    if (family.anyRuns(left)) continue
    left = await family.look()
    if (signal !== undefined) family.signal(left, signal)
  }
  return left
}

/** Resolves when the promise does, and at the latest after so many milliseconds. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const patience = new AbortController()
  await Promise.race([promise, sleep(ms, undefined, patience)]).catch(() => {})
  patience.abort()
}
