// One run of the suite, and what it found, read from the files that it writes.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import pLimit from 'p-limit'
import type { Run } from './runs.ts'
import { startProgram } from './started-program.ts'

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description: string
  readonly errorMessage?: string
}

export interface Scenario {
  readonly name: string
  readonly checks: readonly Check[]
}

const runMs = 600_000
const scenarioMs = 90_000
/** Clients that the suite starts at one time. All at once, as it would do it, they starve on a small machine. */
const lanes = 2

/** `suite` starts the suite; `subject` is the URL of a server, or the command of a client. */
export async function runSuite(run: Run, suite: readonly string[], subject: string): Promise<readonly Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-results-'))
  const start = (words: readonly string[]) => finished([...suite, ...words], folder)
  try {
    const results = join(folder, 'results')
    if (run.side === 'server') {
      const what = run.revision === undefined ? [] : ['--requirements', run.revision]
      await start(['server', '--url', subject, '--output-dir', results, ...what])
    } else {
      const limit = pLimit(lanes)
      const { revision = '' } = run
      const names = clientScenarios(await start(['list', '--requirements', revision]))
      const words = ['--spec-version', revision, '--timeout', String(scenarioMs), '--output-dir', results]
      await Promise.all(
        names.map((name) => limit(() => start(['client', '--command', subject, '--scenario', name, ...words]))),
      )
    }
    return scenariosIn(results)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What it printed. The suite ends with 1 when anything fails, so its exit code tells nothing. */
async function finished(words: readonly string[], cwd: string): Promise<string> {
  const program = startProgram(words, { cwd })
  const timer = setTimeout(() => void program.end(), runMs)
  await program.over
  clearTimeout(timer)
  return program.printed()
}

/** Of the lists that the suite prints, the one of the client side. */
function clientScenarios(printed: string): readonly string[] {
  const [, section = ''] = printed.split(/^Client scenarios.*$/m)
  const names: string[] = []
  for (const line of section.split('\n').slice(1)) {
    const [, name] = /^ {2}- (\S+)$/.exec(line) ?? []
    if (name === undefined) break
    names.push(name)
  }
  return names
}

/** The suite makes a folder for each scenario: its side, its name and the time. */
function scenariosIn(results: string): readonly Scenario[] {
  return readdirSync(results, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('checks.json'))
    .map((file) => {
      const folder = dirname(file).split(sep).join('/')
      const [, name = folder] = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? []
      return { name, checks: JSON.parse(readFileSync(join(results, file), 'utf8')) as Check[] }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
