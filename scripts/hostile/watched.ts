// What every case means without saying it: the process stays alive, the event loop stays free, no prototype
// changes, nothing secret is printed, and the case ends.

import { existsSync, readFileSync } from 'node:fs'
import { printable } from '../../src/core/printable.ts'
import type { HostileCase } from './case.ts'
import { canary } from './expected.ts'

/** Longest time that the event loop may be held, in milliseconds; from the README of the data. */
const blockedMsMax = 250
const tickMs = 10
/** A case without a bound of its own ends within this. */
const caseMsMax = 30_000

/** Runs a case and adds the misses that show from outside. Never rejects. */
export async function watched(one: HostileCase, run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const prototypes = prototypesNow()
  const output = watchOutput()
  const faults = watchFaults()
  const loop = watchLoop()
  const started = performance.now()
  const out: string[] = []
  try {
    out.push(...(await inTime(one, run)))
  } catch (error) {
    out.push(
      `the runner threw: ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error), 500)}`,
    )
  }
  const tookMs = performance.now() - started
  const blockedMs = await loop.end()
  out.push(...faults.end(), ...output.end())

  const { max_ms: maxMs } = one.expect
  if (maxMs !== undefined && tookMs > maxMs) out.push(`took ${Math.round(tookMs)} ms, over ${maxMs}`)
  if (blockedMs > blockedMsMax) out.push(`held the event loop for ${Math.round(blockedMs)} ms, over ${blockedMsMax}`)
  if (prototypesNow() !== prototypes) out.push('a prototype was changed')
  return out
}

async function inTime(one: HostileCase, run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const limit = Math.max(caseMsMax, (one.expect.max_ms ?? 0) * 3)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([`did not end within ${limit} ms`]), limit)
  })
  try {
    return await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Longest time between two ticks of a timer in which this thread was computing. A machine that gives the process
 * no time makes ticks late as well; only time that was used counts.
 */
function watchLoop(): { readonly end: () => Promise<number> } {
  let at = performance.now()
  let used = threadMs()
  let longest = 0
  const tick = (): void => {
    const late = performance.now() - at - tickMs
    const now = threadMs()
    longest = Math.max(longest, Math.min(late, now - used))
    at = performance.now()
    used = now
  }
  const timer = setInterval(tick, tickMs)
  return {
    end: async () => {
      await new Promise((resolve) => setTimeout(resolve, tickMs))
      clearInterval(timer)
      tick()
      return longest
    },
  }
}

/** Processor time of this thread so far. Where the system does not tell, that of the process, compilers and all. */
function threadMs(): number {
  if (tellsThreadTime) return Number(readFileSync(threadTimeFile, 'utf8').split(' ', 1)[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Linux: nanoseconds of the thread that reads it, then two other figures. */
const threadTimeFile = '/proc/thread-self/schedstat'
const tellsThreadTime = existsSync(threadTimeFile) && Number.parseInt(readFileSync(threadTimeFile, 'utf8'), 10) > 0

/** Everything on the prototypes that pollution aims at, by name and identity. */
function prototypesNow(): string {
  const names = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map(String).join(),
  )
  const probe: { readonly polluted?: unknown; readonly allow_host_bash?: unknown } = {}
  return `${names.join(';')};${String(probe.polluted)};${String(probe.allow_host_bash)}`
}

/** Errors that nobody caught, each of which would have ended the process. */
function watchFaults(): { readonly end: () => string[] } {
  const seen: string[] = []
  const note = (error: unknown): void => {
    seen.push(`nobody caught: ${printable(error instanceof Error ? error.message : String(error), 200)}`)
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  return {
    end: () => {
      process.off('uncaughtException', note)
      process.off('unhandledRejection', note)
      return seen
    },
  }
}

/** Looks into what is printed meanwhile; it is printed all the same. */
function watchOutput(): { readonly end: () => string[] } {
  const seen: string[] = []
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }))
  for (const { stream, write } of streams) {
    stream.write = function (this: unknown, ...args: Parameters<typeof write>) {
      if (canary.test(String(args[0]))) seen.push('a secret was printed')
      return write.apply(stream, args)
    } as typeof write
  }
  return {
    end: () => {
      for (const { stream, write } of streams) stream.write = write
      return seen
    },
  }
}
