import type { PreparedRun } from '../../assembly/run-input.ts'
import { lockOf, lockText } from '../../report/lock.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { Command, CommandContext } from '../command.ts'
import { usage } from '../flags.ts'
import { lockFileDefault } from '../lock-file.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
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
    { flag: '--pins', means: 'the same as `toolgate pin --approve`' },
  ],
  examples: ['toolgate lock', 'toolgate lock --agent clerk --out clerk.lock.json', 'toolgate lock --pins'],
  run: async (context) => {
    const { flags, terminal, prepare } = context
    if (flags.own.pins === true && flags.own.out !== undefined)
      throw usage('--pins writes to the state folder; --out has no effect with it', '--out')
    const run = await prepare({ refresh: true, use: false })
    if (flags.own.pins === true) {
      await approveAll(run, context)
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

async function approveAll(run: PreparedRun, context: CommandContext): Promise<void> {
  if (run.config === undefined) throw usage('--pins needs a configuration', '--pins')
  // Only who approves loads what approving takes.
  const [{ approve }, { printApproved }] = await Promise.all([
    import('../../assembly/pins-approve.ts'),
    import('./pin.ts'),
  ])
  const approved = await approve(run, 'all')
  if (!context.flags.output.json) printApproved(approved, context)
  else
    printJson(context.terminal, {
      schema: 'toolgate.written/1',
      file: approved.file,
      pins: approved.stored.pins.length,
    })
}
