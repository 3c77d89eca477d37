// The decision log as a file: JSON lines, only ever appended to. What stands in it already is looked at once, so
// that runs are numbered on and a catalog is written once.

import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { finding, ToolgateError } from '../errors.ts'
import { logLines } from '../report/decision-log.ts'
import type { Run } from '../report/run.ts'
import { sha256 } from '../sources/sha256.ts'

/** Appends one run. Throws a ToolgateError `log-unwritable` when the file cannot be read or written. */
export async function appendDecisionLog(file: string, run: Run, at: string): Promise<void> {
  try {
    const { runs, catalogs } = await contentsOf(file)
    const { lines } = logLines(run, { seq: runs + 1, at, sha256, written: catalogs })
    await appendFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ToolgateError(
      finding(
        'log-unwritable',
        'error',
        `the decision log ${file} cannot be read or written (${code ?? 'unknown error'})`,
        {
          subject: file,
          origin: { in: 'command line', key: '--log' },
        },
      ),
    )
  }
}

async function contentsOf(file: string): Promise<{ readonly runs: number; readonly catalogs: ReadonlySet<string> }> {
  let runs = 0
  const catalogs = new Set<string>()
  try {
    // The head of a line tells its type; a catalog's megabytes are not parsed.
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line.startsWith('{"type":"run"')) runs += 1
      const hash = /^\{"type":"catalog","hash":"([0-9a-f]{64})"/.exec(line)?.[1]
      if (hash !== undefined) catalogs.add(hash)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return { runs, catalogs }
}
