import { readFile } from 'node:fs/promises'
import { advised } from '../../assembly/advised.ts'
import type { PreparedRun } from '../../assembly/run-input.ts'
import type { Json } from '../../core/json.ts'
import type { Origin } from '../../core/origin.ts'
import { printable } from '../../core/printable.ts'
import { type ErrorCode, errorCodes } from '../../errors.ts'
import { blockText, terminalText } from '../../report/call-text.ts'
import { settlingStep } from '../../report/words.ts'
import type { CallOutcome, Failure, Refusal, ToolResult } from '../../runtime/tool-call.ts'
import type { CallProgress } from '../../sessions/session.ts'
import { personAt } from '../ask-person.ts'
import type { Command } from '../command.ts'
import { errorLines } from '../error-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { stopOnInterrupt } from '../interrupt.ts'
import { toolboxFor } from '../prepare.ts'
import { printJson } from '../print-json.ts'
import type { Terminal } from '../terminal.ts'
import { ownText, threadOwner } from '../thread-owner.ts'

export const call: Command = {
  name: 'call',
  summary: 'call one tool of the surface, through every rule that an agent meets',
  usage: 'NAME',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: {
    args: { type: 'string' },
    'args-file': { type: 'string' },
    user: { type: 'string' },
    thread: { type: 'string' },
    load: { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  flagHelp: [
    { flag: '--args JSON', means: 'the arguments as a JSON object (default: {})' },
    { flag: '--args-file FILE', means: 'the same from a file; - for standard input' },
    { flag: '--user ID, --thread ID', means: 'whose folders and sessions (default: local, default)' },
    { flag: '--load', means: 'load the tool into the thread first, where it is deferred' },
    { flag: '--yes', means: 'approve what a rule asks for' },
  ],
  examples: [
    `toolgate call files__read_text_file --args '{"path": "papers/notes.md"}'`,
    'toolgate call echo --args-file call.json --json',
  ],
  run: async ({ flags, terminal, positionals }) => {
    const [name = ''] = positionals
    const args = await argumentsOf(flags)
    const owner = threadOwner(flags, ownText(flags, 'thread') ?? 'default')
    const stop = stopOnInterrupt()
    const toolbox = await toolboxFor(flags, terminal, { owner, signal: stop.signal })
    try {
      const person = personAt(terminal, { flags, stop })
      const approve = person === undefined ? {} : { approve: person.approve }
      const calls = await toolbox.callsOf(owner, { ...approve, wholeResults: true })
      if (flags.own.load === true) await calls.load([name])
      const made = await calls.call({
        name,
        args,
        signal: stop.signal,
        onProgress: (progress) => terminal.progress(`${name}: ${progressText(progress)}`),
      })
      terminal.settle()
      // Servers that were called off while they were listed have no tools, and nobody approves any more.
      const outcome = stop.signal.aborted && made.kind === 'refused' ? calledOff(name) : made
      if (flags.output.json) printJson(terminal, { schema: 'toolgate.call/1', name, ...outcome })
      else if (outcome.kind === 'result') printResult(outcome, name, terminal)
      else printRefusal(outcome, { name, run: toolbox.current().run, terminal, wasAsked: person?.wasAsked() === true })
      return exitOf(outcome)
    } finally {
      stop.end()
      await toolbox.close()
    }
  },
}

async function argumentsOf(flags: Flags): Promise<Json> {
  const [text, file] = [ownText(flags, 'args'), ownText(flags, 'args-file')]
  if (text !== undefined && file !== undefined) throw usage('--args and --args-file say the same', '--args-file')
  const flag = file === undefined ? '--args' : '--args-file'
  const source = file === undefined ? (text ?? '{}') : await read(file)
  try {
    const value: unknown = JSON.parse(source)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Json
  } catch (error) {
    const fault = printable(error instanceof Error ? error.message : String(error), 160)
    const hint =
      file === undefined
        ? `put it in single quotes, such as --args '{"path": "notes.md"}', or into a file for --args-file`
        : 'write a JSON object into it, such as {"path": "notes.md"}'
    throw usage(`${flag} is no JSON: ${fault}`, flag, hint)
  }
  throw usage(`${flag} is no JSON object`, flag, 'write a JSON object, such as {"path": "notes.md"}')
}

async function read(file: string): Promise<string> {
  try {
    if (file !== '-') return await readFile(file, 'utf8')
    const parts: Buffer[] = []
    for await (const part of process.stdin) parts.push(part as Buffer)
    return Buffer.concat(parts).toString('utf8')
  } catch (error) {
    const fault = printable(error instanceof Error ? error.message : String(error), 300)
    throw usage(`--args-file cannot be read: ${fault}`, '--args-file', 'name a file, or - for standard input')
  }
}

const calledOff = (name: string): CallOutcome => ({
  kind: 'failed',
  code: 'call-cancelled',
  message: `the call of "${printable(name, 64)}" was called off before it was sent`,
  action: errorCodes['call-cancelled'].remedy,
  sent: false,
})

const progressText = ({ progress, total, message }: CallProgress): string =>
  [
    `${progress}${total === undefined ? '' : ` of ${total}`}`,
    ...(message === undefined ? [] : [printable(message, 120)]),
  ].join(' ')

/** What the tool said goes to stdout; in a pipe it is as the tool gave it. */
function printResult({ content, structuredContent, isError }: ToolResult, name: string, terminal: Terminal): void {
  const foreign = process.stdout.isTTY === true ? terminalText : (text: string) => text
  if (isError) terminal.note(terminal.notePaint.red(`${printable(name, 64)} says that it failed:`))
  for (const block of content) terminal.print(blockText(block, { paint: terminal.paint, foreign }))
  if (content.length === 0 && structuredContent !== undefined)
    terminal.print(foreign(JSON.stringify(structuredContent, null, 2)))
}

interface Asked {
  readonly name: string
  readonly run: PreparedRun
  readonly terminal: Terminal
  readonly wasAsked: boolean
}

function printRefusal(outcome: Refusal | Failure, { name, run, terminal, wasAsked }: Asked): void {
  const { code, message, action } = outcome
  const known = Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].remedy : undefined
  const origin = originOf(outcome, name, run)
  const found = advised({
    code,
    severity: 'error',
    message,
    ...(action === known ? {} : { hint: action }),
    ...(origin === undefined ? {} : { origin }),
  })
  const { hint: _, ...answered } = found
  const told = wasAsked && code === 'call-denied' ? answered : found
  terminal.note(errorLines(told, terminal.notePaint).join('\n'))
  if (outcome.kind === 'failed' && outcome.sent)
    terminal.note(`  The call was sent: it may have done its work all the same.`)
  if (code === 'unknown-tool') noteSilentServers(run, terminal)
}

/** Where the rule stands that refused: one that looks at arguments, or the one that keeps the tool from this run. */
function originOf(outcome: Refusal | Failure, name: string, { surface }: PreparedRun): Origin | undefined {
  if (outcome.kind === 'failed') return undefined
  if (outcome.rule !== undefined) return outcome.rule.origin
  const decision = surface.named(name).find((one) => one.outcome === 'excluded' && one.code === outcome.code)
  return decision === undefined ? undefined : settlingStep(decision)?.origin
}

/** A tool may be unknown because its server has never listed it. */
function noteSilentServers({ servers }: PreparedRun, terminal: Terminal): void {
  const silent = servers.filter(({ state, tools }) => state !== 'available' && state !== 'not-started' && tools === 0)
  if (silent.length === 0) return
  const shown = silent.slice(0, 5).map(({ name, state }) => `${printable(name, 64)} (${state})`)
  const more = silent.length > shown.length ? ` and ${silent.length - shown.length} more` : ''
  terminal.note(`  Of these servers no tools are known: ${shown.join(', ')}${more}; see \`toolgate servers\`.`)
}

function exitOf(outcome: CallOutcome): ExitCode {
  if (outcome.kind === 'result') return outcome.isError ? exitCodes.no : exitCodes.ok
  return outcome.code === 'unknown-tool' ? exitCodes.unknown : exitCodes.no
}
