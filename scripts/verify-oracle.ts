// The gates against the oracle: random worlds and all small ones.
//
//   npm run verify:oracle -- [--runs 100000] [--seed N] [--shown 5]

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { gateOrder } from '../src/gates/order.ts'
import { differences, differenceText } from '../test/oracle/compare.ts'
import { smallWorld, smallWorldsCount } from '../test/oracle/small-worlds.ts'
import type { World } from '../test/oracle/world.ts'
import { aWorld } from '../test/oracle/worlds.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    shown: { type: 'string', default: '5' },
  },
})
const runs = numberOf('runs', values.runs)
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : numberOf('seed', values.seed)
const shown = numberOf('shown', values.shown)

let passed = 0
let failed = 0

console.log(`${runs} random worlds, seed ${seed}`)
// In blocks, each from a seed of its own: what was looked at need not be kept.
const block = 5000
for (let start = 0; start < runs; start += block) {
  const numRuns = Math.min(block, runs - start)
  const blockSeed = seed + start
  const before = failed
  for (const world of fc.sample(aWorld, { numRuns, seed: blockSeed })) judge(world)
  if (failed > before && before < shown) showSmallest(blockSeed, numRuns)
  console.log(`  ${start + numRuns} of ${runs}: ${failed} differ`)
}

console.log(`${smallWorldsCount} small worlds`)
for (let number = 0; number < smallWorldsCount; number++) {
  const world = smallWorld(number)
  const before = failed
  judge(world)
  if (failed > before && before < shown)
    console.log(`number ${number}\n${differenceText(world, differences(world, gateOrder.default))}`)
  if ((number + 1) % 2 ** 15 === 0) console.log(`  ${number + 1} of ${smallWorldsCount}: ${failed} differ`)
}

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function judge(world: World): void {
  if (differences(world, gateOrder.default).length === 0) passed += 1
  else failed += 1
}

/** The first difference of a block, made as small as it can be. */
function showSmallest(blockSeed: number, numRuns: number): void {
  const property = fc.property(aWorld, (world) => differences(world, gateOrder.default).length === 0)
  const { counterexample } = fc.check(property, { seed: blockSeed, numRuns })
  for (const world of counterexample ?? []) console.log(differenceText(world, differences(world, gateOrder.default)))
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0) {
    console.error(`--${name} takes a whole number, not "${text}"`)
    process.exit(2)
  }
  return number
}
