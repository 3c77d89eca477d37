// Feeds a folder of hostile inputs and says what did not come out as it must:
//
//   npm run hostile -- --data DIR [--kind KIND]
//
// One line for each miss, and as last line `N passed, N failed`. Exit code 1 when anything failed, 2 when the
// command line or the folder cannot be read.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printable } from '../src/core/printable.ts'
import { kinds } from './hostile/kinds.ts'
import { runCases } from './hostile/run-cases.ts'

const usage = 'usage: npm run hostile -- --data DIR [--kind KIND]'

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { data: { type: 'string' }, kind: { type: 'string' } } })
  if (values.data === undefined) throw new Error(usage)
  const dataDir = resolve(values.data)
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`no folder "${printable(values.data)}"`)
  const only = values.kind === undefined ? {} : { only: values.kind }
  const { passed, failed } = await runCases(dataDir, { kinds, ...only, say: (line) => console.log(line) })
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error), 300))
  process.exitCode = 2
}
// What a case left open must not keep the answer waiting.
setTimeout(() => process.exit(), 1000).unref()
