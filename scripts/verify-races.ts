// The file functions against a thread that swaps folders, files and links under them, with nothing else to do.
//
//   npm run verify:races -- [--reads 100000] [--writes 20000] [--searches 500] [--compared 20000]
//
// Exit code 1 on any escape, on an error that a swap does not explain, and on a file that stays open.

import { parseArgs } from 'node:util'
import { systemReach } from '../src/workspace/held-folder.ts'
import { type RaceTally, race } from '../test/workspace/races.ts'

const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: '100000' },
    writes: { type: 'string', default: '20000' },
    searches: { type: 'string', default: '500' },
    compared: { type: 'string', default: '20000' },
  },
})

const counts = {
  reads: numberOf('reads', values.reads),
  writes: numberOf('writes', values.writes),
  searches: numberOf('searches', values.searches),
  compared: numberOf('compared', values.compared),
}
console.log(`files are reached by ${systemReach}`)
const started = performance.now()
const report = await race(counts, (line) => console.log(line))

const rows: readonly (readonly [string, RaceTally])[] = [
  ['reads', report.reads],
  ['writes', report.writes],
  ['searches', report.searches],
  ['realpath, then open', report.compared],
]
console.log(`\n${report.swaps} swaps in ${Math.round((performance.now() - started) / 1000)} s`)
console.log(row('', 'tries', 'done', 'refused', 'escapes'))
for (const [name, { tries, done, refused, escapes }] of rows) console.log(row(name, tries, done, refused, escapes))

const own = [report.reads, report.writes, report.searches]
const faults = own.flatMap((tally) => tally.faults)
for (const fault of faults) console.log(`unexpected: ${fault}`)
if (report.leaked > 0) console.log(`${report.leaked} files stayed open`)
const failed = own.reduce((sum, { escapes }) => sum + escapes, 0) + faults.length + Math.max(0, report.leaked)
const tries = own.reduce((sum, tally) => sum + tally.tries, 0)
console.log(`${Math.max(0, tries - failed)} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function row(name: string, ...cells: readonly (string | number)[]): string {
  return `${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(10)).join('')}`
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) {
    console.error(`--${name} takes a whole number, not "${text}"`)
    process.exit(2)
  }
  return number
}
