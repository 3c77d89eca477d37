// Prints what a process makes of the same 300 worlds, as text to compare: run in another language and time zone, it
// must print the same.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { toolsTable } from '../../src/report/tools-table.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aWorld } from '../oracle/worlds.ts'
import { decide, runOf } from './harness.ts'

/** One line a world: hash of the surface, of the report and of the table. */
export function printedSurfaces(): string {
  const lines = fc.sample(aWorld, { numRuns: 300, seed: 7 }).map((world) => {
    const surface = decide(world)
    const report = toolsReport(runOf(surface), { lang: 'en' })
    const table = toolsTable(report, { lang: 'en', width: 100 })
    return [
      surface.hash,
      sha256(canonicalJson(report as unknown as Json)),
      sha256(table),
      ...surface.decisions.map(({ name }) => name),
    ].join(' ')
  })
  return lines.join('\n')
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) console.log(printedSurfaces())
