// What the tool `bash` answers: the output, and in its last line how the command ended. A limit that was passed is told
// in words that say what to do instead.

import type { JsonObject } from '../../core/json.ts'
import { errorCodes, finding, ToolgateError } from '../../errors.ts'
import { countOf } from '../files/answer-text.ts'
import { virtualText } from '../mapping/rewrite-result.ts'
import { optionalCountOf, textOf, wrong } from '../tool-arguments.ts'
import type { Workspace } from '../workspace.ts'
import { threadsOf } from './host-names.ts'
import type { EndingLimit, Shell, ShellLimits, ShellResult } from './shell.ts'

export interface BashContext {
  readonly signal?: AbortSignal
  readonly workspace?: Workspace
  /** Absent: the run has neither a sandbox nor leave to use the host, and the call fails with `shell-not-here`. */
  readonly shell?: Shell
}

const secondsDefault = 120
const secondsMax = 600

/**
 * Runs one command. Answers as MCP results do; a command that was ended by a limit is an error of the tool, one that
 * failed by itself is not. Throws a ToolgateError: `shell-not-here`, `sandbox-failed`, `arguments-invalid`.
 */
export async function bashTool(args: JsonObject, context: BashContext): Promise<JsonObject> {
  const { shell, signal, workspace } = context
  if (shell === undefined) throw notHere()
  const command = textOf(args, 'command')
  if (command.trim() === '') throw wrong('command', 'is empty')
  // Whatever else an argument says, it chooses neither the place nor the limits.
  const seconds = Math.min(optionalCountOf(args, 'timeout_s') ?? secondsDefault, secondsMax)
  const request = { command, timeoutMs: seconds * 1000, ...(signal === undefined ? {} : { signal }) }
  const result = await shell.run(request)
  const text = bashText(result, { seconds, limits: shell.limits })
  return { content: [{ type: 'text', text: shown(text, workspace) }], isError: result.end.kind === 'ended' }
}

/** Tables of mounts name folders of the host, and on the host everything does. */
const shown = (text: string, workspace: Workspace | undefined): string =>
  workspace === undefined ? text : virtualText(text, { workspace, openRoots: [], privateRoots: threadsOf(workspace) })

function notHere(): ToolgateError {
  const what = 'commands cannot be run: there is no sandbox here, and host bash is not allowed'
  return new ToolgateError(finding('shell-not-here', 'error', what, { hint: errorCodes['shell-not-here'].remedy }))
}

export interface BashBounds {
  readonly seconds: number
  readonly limits: Shell['limits']
}

/** The answer as text. Its last line is ours, whatever the output holds. */
export function bashText({ output, end }: ShellResult, bounds: BashBounds): string {
  const { first, last, leftOutBytes } = output
  const lines = leftOutBytes === 0 ? [first] : [first, leftOutNote(leftOutBytes), last]
  const note = end.kind === 'ended' ? limitNote(end.limit, bounds) : exitNote(end.code, first === '', bounds.limits)
  return [...lines, `[${note}]`].reduce(
    (text, line) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`,
  )
}

const leftOutNote = (bytes: number): string =>
  `[${countOf(bytes, 'byte')} of output left out here; write it to a file, and read that in parts]`

function exitNote(code: number, isSilent: boolean, limits: Partial<ShellLimits>): string {
  const hint = signalHints(limits).get(code)
  return `${isSilent ? 'no output, ' : ''}exit code ${code}${hint === undefined ? '' : `: ${hint}`}`
}

/** What shells make of a program that a signal ended: 128 and its number, of those that the limits lead to. */
const signalHints = ({ fileBytes }: Partial<ShellLimits>): ReadonlyMap<number, string> =>
  new Map([
    [126, 'the program may not be run'],
    [127, 'there is no such program'],
    [137, 'a program was killed (SIGKILL)'],
    [139, 'a program crashed (SIGSEGV)'],
    [143, 'a program was ended (SIGTERM)'],
    ...(fileBytes === undefined ? [] : [[153, `a file reached the limit of ${amount(fileBytes)}`] as const]),
  ])

function limitNote(limit: EndingLimit, { seconds, limits }: BashBounds): string {
  switch (limit) {
    case 'time':
      return `timed out after ${countOf(seconds, 'second')}, and was ended with all that it had started; give a longer timeout_s (at most ${secondsMax}) or do less in one call`
    case 'output':
      return `ended at the limit of ${amount(limits.outputBytes)} of output; write it to a file, or print less`
    case 'memory':
      return `ended at the limit of ${amount(limits.memoryBytes)} of memory for all its processes; work on less at a time`
    case 'processes':
      return `ended at the limit of ${limits.processes} processes; run fewer at a time`
    case 'disk':
      return `ended because the disk has less than ${amount(limits.diskReserveBytes)} left; remove what is not needed, and write less`
  }
}

const units = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const

/** `512 MiB`, `1.5 GiB`. */
function amount(bytes = 0): string {
  const [size, unit] = units.find(([least]) => bytes >= least) ?? [1, 'bytes']
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}
