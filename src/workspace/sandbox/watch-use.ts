// What no limit of a single process bounds, looked at from outside while a command runs: how many processes there are,
// what they use together, and how much room the disk has left. The kernel counts processes by itself too, but not
// against root.

import { statfs } from 'node:fs/promises'
import { type FirstProcess, treeUse } from './first-process.ts'
import type { EndingLimit, ShellLimits } from './shell.ts'

export interface WatchOptions {
  readonly first: FirstProcess
  readonly limits: ShellLimits
  /** A folder on the disk that the command writes to. */
  readonly folder: string
  readonly over: (limit: EndingLimit) => void
}

const firstPauseMs = 20
const pauseMsMax = 60
/** A look may take a tenth of the time at most. */
const restPerLook = 9
/** Room that others may take while a command runs is not held against it. */
const takenBytesMin = 16 * 1024 * 1024

/** Looks until it is stopped, or until a limit is passed, which is told once. */
export function watchUse({ first, limits, folder, over }: WatchOptions): { readonly stop: () => void } {
  let stopped = false
  let pauseMs = firstPauseMs
  let freeAtBegin: number | undefined
  let timer: NodeJS.Timeout | undefined

  const passed = async (): Promise<EndingLimit | undefined> => {
    const { tasks, memoryBytes } = treeUse(first, limits.processes)
    if (tasks > limits.processes) return 'processes'
    if (memoryBytes > limits.memoryBytes) return 'memory'
    const free = await freeBytes(folder)
    freeAtBegin ??= free
    if (free === undefined || freeAtBegin === undefined) return undefined
    return free < limits.diskReserveBytes && freeAtBegin - free > takenBytesMin ? 'disk' : undefined
  }
  const look = async (): Promise<void> => {
    const begun = performance.now()
    const limit = await passed()
    if (stopped) return
    if (limit !== undefined) return over(limit)
    pauseMs = Math.min(pauseMs * 1.5, pauseMsMax)
    wait(Math.max(pauseMs, (performance.now() - begun) * restPerLook))
  }
  const wait = (ms: number): void => {
    timer = setTimeout(() => void look(), ms)
  }

  void look()
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
