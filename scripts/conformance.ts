// The official conformance suite against the gateway, with a server behind it that offers all that the suite calls; and
// against the session layer, as a client. Uses this machine only, but for what npm installs.
//
//   npm run conformance -- [--direct] [--only RUN]... [--upstream stdio|http] [--cache FOLDER]
//
// --direct leaves the gateway out: whatever fails then is the fixture's. Prints what fails, a table, and as last line
// `N passed, N failed`. Exit code 1 when anything failed that is not listed in conformance/exceptions.ts, or is listed
// and did not fail; 2 when the command line cannot be read. The gateway is the one in dist.

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printable } from '../src/core/printable.ts'
import { exceptions } from './conformance/exceptions.ts'
import { installedSuite } from './conformance/installed-suite.ts'
import { type Judged, judgeRun } from './conformance/judge-run.ts'
import { runSuite } from './conformance/run-suite.ts'
import { type Run, runs } from './conformance/runs.ts'
import { startTarget, tsProgram } from './conformance/targets.ts'

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'toolgate-conformance-suite') },
    direct: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    upstream: { type: 'string', default: 'stdio' },
  },
})
const { direct } = values
const cache = resolve(values.cache)
const upstream = values.upstream === 'http' ? 'http' : 'stdio'
const chosen = values.only.length === 0 ? runs : runs.filter(({ name }) => values.only.includes(name))
if (chosen.length < values.only.length || upstream !== values.upstream) {
  console.error(`--only takes one of ${runs.map(({ name }) => name).join(', ')}; --upstream takes stdio or http`)
  process.exit(2)
}

const judged = new Map<string, Judged>()
for (const run of chosen) judged.set(run.name, await judgedRun(run))

const width = Math.max(...runs.map(({ name }) => name.length))
console.log(`${'run'.padEnd(width)}  passed  excused  failed`)
for (const [name, { passed, excused, faults }] of judged) {
  const cells = [String(passed).padStart(6), String(excused).padStart(7), String(faults.length).padStart(6)]
  console.log(`${name.padEnd(width)}  ${cells.join('  ')}`)
}
const total = (of: (run: Judged) => number): number => [...judged.values()].reduce((sum, run) => sum + of(run), 0)
const failed = total(({ faults }) => faults.length)
console.log(`${total(({ passed }) => passed)} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function judgedRun(run: Run): Promise<Judged> {
  const suite = installedSuite(run.suite, cache)
  try {
    return told(run, run.side === 'client' ? await clientRun(run, suite) : await serverRun(run, suite))
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return told(run, { passed: 0, excused: 0, faults: [`could not be run: ${fault}`] })
  }
}

async function clientRun(run: Run, suite: readonly string[]): Promise<Judged> {
  console.log(`${run.name}: the session layer`)
  return judgeRun(run, await runSuite(run, suite, tsProgram('client.ts').join(' ')), exceptions)
}

async function serverRun(run: Run, suite: readonly string[]): Promise<Judged> {
  const target = await startTarget({ direct, upstream })
  console.log(`${run.name}: ${target.what}`)
  try {
    return judgeRun(run, await runSuite(run, suite, target.url), exceptions)
  } finally {
    await target.end()
  }
}

function told({ name }: Run, result: Judged): Judged {
  for (const fault of result.faults) console.log(`  FAIL ${name} ${printable(fault, 400)}`)
  return result
}
