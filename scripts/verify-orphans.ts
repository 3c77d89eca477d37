// Starts and ends servers that behave badly, kills hosts with such servers running, and looks who is left over:
//
//   npm run verify:orphans -- [--rounds 200] [--lanes 4]
//
// Prints a table, and as last line `N passed, N failed`. Exit code 1 when anybody was left, 2 when the command line
// cannot be read. Needs a POSIX shell; without `setsid` there are no daemons among the servers.

import { parseArgs } from 'node:util'
import { type Round, runRounds } from '../test/sessions/process-rounds.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, lanes: { type: 'string', default: '4' } },
})
const rounds = numberOf('rounds', values.rounds)
const lanes = numberOf('lanes', values.lanes)

const seen: Round[] = []
const step = 25
const { left } = await runRounds({
  rounds,
  lanes,
  onRound: (round, done) => {
    seen.push(round)
    for (const line of round.left) console.log(`left over (${round.kind}): ${line}`)
    if (done % step === 0 || done === rounds)
      console.log(`  ${done} of ${rounds}: ${failures()} with somebody left over`)
  },
})

const kinds = [...new Set(seen.map((round) => round.kind))].sort()
const width = Math.max(...kinds.map((kind) => kind.length))
console.log(`${'kind'.padEnd(width)}  rounds  left over  slowest end`)
for (const kind of kinds) {
  const of = seen.filter((round) => round.kind === kind)
  const over = of.reduce((sum, round) => sum + round.left.length, 0)
  const slowest = Math.max(...of.map((round) => round.endMs))
  const cells = [String(of.length).padStart(6), String(over).padStart(9), `${slowest.toFixed(0)} ms`.padStart(11)]
  console.log(`${kind.padEnd(width)}  ${cells.join('  ')}`)
}
console.log(`at the end: ${left.length} left over`)
console.log(`${rounds - failures()} passed, ${failures()} failed`)
process.exitCode = failures() > 0 || left.length > 0 ? 1 : 0

function failures(): number {
  return seen.filter((round) => round.left.length > 0).length
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    console.error(`--${name} takes a whole number from 1, not "${text}"`)
    process.exit(2)
  }
  return number
}
