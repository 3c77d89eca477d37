// Servers that are killed, hang, flood and flap, next to one that is good: who else notices, how long it takes until
// all is well, and whether a process is left.
//
//   npm run verify:faults [-- --only R5]
//
// One line a scenario, then `N passed, N failed`; exit code 1 when anything failed.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { printable } from '../src/core/printable.ts'
import { scriptedProgram } from '../test/sources/scripted.ts'
import { scenarios } from './faults/order.ts'
import type { Scenario } from './faults/scenario.ts'
import { makeWorld, type Others } from './faults/world.ts'

/** Others lose no call but one in a thousand. */
const othersMin = 0.999

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = scenarios.filter(({ id }) => values.only === undefined || values.only.split(',').includes(id))
if (chosen.length === 0) {
  console.error(`there is no scenario ${values.only}; known: ${scenarios.map(({ id }) => id).join(', ')}`)
  process.exit(2)
}

const canary = `toolgate-canary-${randomBytes(6).toString('hex')}`
const program = scriptedProgram
let failed = 0
console.log(row('', 'SCENARIO', 'TOOK', 'OTHERS', 'P99', 'BACK IN', 'LEFT', ''))
for (const scenario of chosen) {
  const misses = await told(scenario)
  if (misses.length > 0) failed += 1
  for (const miss of misses) console.log(`    MISS ${printable(miss, 300)}`)
}
console.log(`${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
setTimeout(() => process.exit(), 2000).unref()

async function told(scenario: Scenario): Promise<readonly string[]> {
  const world = makeWorld({ program, canary })
  const begin = performance.now()
  let misses: string[] = []
  let seen = ''
  let others: Others | undefined
  let recoveryMs: number | undefined
  try {
    const stop = scenario.others === false ? undefined : await world.others()
    const outcome = await inTime(scenario, scenario.run(world))
    misses = [...outcome.misses]
    seen = outcome.seen
    recoveryMs = outcome.recoveryMs
    others = await stop?.()
  } catch (error) {
    misses.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  await world.close()
  const left = await leftOver()
  if (left.length > 0) misses.push(`left running: ${left.join(', ')}`)
  if (others !== undefined && (others.calls - others.failed) / others.calls < othersMin)
    misses.push(`${others.failed} of ${others.calls} calls of a good server failed`)
  if (recoveryMs !== undefined && recoveryMs > 2000) misses.push(`back in ${Math.round(recoveryMs)} ms, over 2000`)
  console.log(
    row(
      misses.length === 0 ? 'ok' : 'FAIL',
      `${scenario.id} ${scenario.title}`,
      `${((performance.now() - begin) / 1000).toFixed(1)} s`,
      others === undefined ? '' : `${others.calls - others.failed}/${others.calls}`,
      others === undefined ? '' : `${others.p99Ms.toFixed(0)} ms`,
      recoveryMs === undefined ? '' : `${recoveryMs.toFixed(0)} ms`,
      String(left.length),
      seen,
    ),
  )
  return misses
}

async function inTime<T>(scenario: Scenario, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${scenario.boundMs} ms`)), scenario.boundMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Processes whose command line bears our word; the dead that nobody collected do not count. */
async function leftOver(): Promise<readonly string[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    const left = running()
    if (left.length === 0) return []
    await sleep(100)
  }
  return running()
}

function running(): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(canary)
    } catch {
      return false
    }
  })
}

function row(...cells: readonly string[]): string {
  const widths = [4, 58, 7, 9, 7, 8, 4, 0]
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(' ')
    .trimEnd()
}
