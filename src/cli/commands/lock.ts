import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stateFolderOf } from '../../assembly/prepare-run.ts'
import { pinsFile, pinsSchema } from '../../assembly/read-pins.ts'
import type { PreparedRun } from '../../assembly/run-input.ts'
import { lockOf, lockText } from '../../report/lock.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { Command } from '../command.ts'
import { usage } from '../flags.ts'
import { lockFileDefault } from '../lock-file.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import type { Terminal } from '../terminal.ts'
import { writeOutput } from '../write-output.ts'

export const lock: Command = {
  name: 'lock',
  summary: 'write the surface as a file for review; `diff --locked` compares with it',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: { out: { type: 'string' }, pins: { type: 'boolean' } },
  flagHelp: [
    { flag: '--out FILE', means: `where to write (default: ${lockFileDefault})` },
    { flag: '--pins', means: 'approve the definitions as they are now instead (used with `pins: { enabled: true }`)' },
  ],
  examples: ['toolgate lock', 'toolgate lock --agent clerk --out clerk.lock.json', 'toolgate lock --pins'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare()
    if (flags.own.pins === true) {
      if (flags.own.out !== undefined)
        throw usage('--pins writes to the state folder; --out has no effect with it', '--out')
      await writePins(run, flags.output.json, terminal)
      return exitOf(run)
    }
    const document = lockOf(run, sha256)
    const file = String(flags.own.out ?? lockFileDefault)
    await writeOutput(file, lockText(document))
    if (flags.output.json) printJson(terminal, { schema: 'toolgate.written/1', file, tools: document.tools.length })
    else terminal.print(`${file}: ${document.tools.length} tools, surface ${run.surface.hash.slice(0, 12)}`)
    return exitOf(run)
  },
}

/** Approves every definition at the door that is sound; `why` shows one that changes later as withheld. */
async function writePins(run: PreparedRun, json: boolean, terminal: Terminal): Promise<void> {
  if (run.config === undefined) throw usage('--pins needs a configuration', '--pins')
  const folder = stateFolderOf(run.config)
  const approvedAt = new Date().toISOString()
  const pins = run.candidates
    .filter((candidate) => candidate.availability.state === 'available' && candidate.faults === undefined)
    .map(({ id, definitionHash }) => ({ id, definitionHash, approvedAt }))
  await mkdir(folder, { recursive: true })
  const file = join(folder, pinsFile)
  await writeFile(file, `${JSON.stringify({ schema: pinsSchema, pins }, null, 2)}\n`, { mode: 0o600 })
  if (json) printJson(terminal, { schema: 'toolgate.written/1', file, pins: pins.length })
  else terminal.print(`${file}: ${pins.length} definitions approved`)
}
