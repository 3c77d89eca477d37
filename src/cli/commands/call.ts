import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Json } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { blockText, terminalText } from '../../report/call-text.ts'
import type { ApprovalRequest } from '../../runtime/middleware.ts'
import type { CallOutcome } from '../../runtime/tool-call.ts'
import type { Command } from '../command.ts'
import { errorLines } from '../error-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type Flags, usage } from '../flags.ts'
import { toolboxFor } from '../prepare.ts'
import { printJson } from '../print-json.ts'
import type { Terminal } from '../terminal.ts'

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
    yes: { type: 'boolean' },
  },
  flagHelp: [
    { flag: '--args JSON', means: 'the arguments as a JSON object (default: {})' },
    { flag: '--args-file FILE', means: 'the same from a file; - for standard input' },
    { flag: '--user ID, --thread ID', means: 'whose folders and sessions (default: local, default)' },
    { flag: '--yes', means: 'approve what a rule asks for' },
  ],
  examples: [
    `toolgate call files__read_text_file --args '{"path": "papers/notes.md"}'`,
    'toolgate call echo --args-file call.json --json',
  ],
  run: async ({ flags, terminal, positionals }) => {
    const [name = ''] = positionals
    const args = await argumentsOf(flags)
    const owner = { user: textOf(flags, 'user') ?? 'local', thread: textOf(flags, 'thread') ?? 'default' }
    const stop = stopOnInterrupt()
    const toolbox = await toolboxFor(flags, terminal, { owner, signal: stop.signal })
    try {
      const approve = approverOf(flags, terminal)
      const calls = await toolbox.callsOf(owner, approve === undefined ? {} : { approve })
      const outcome = await calls.call({
        name,
        args,
        signal: stop.signal,
        onProgress: ({ progress, total, message }) =>
          terminal.progress(
            `${name}: ${progress}${total === undefined ? '' : ` of ${total}`}${message === undefined ? '' : ` ${printable(message, 120)}`}`,
          ),
      })
      terminal.settle()
      print(outcome, name, flags, terminal)
      return exitOf(outcome)
    } finally {
      stop.end()
      await toolbox.close()
    }
  },
}

function textOf(flags: Flags, flag: string): string | undefined {
  const value = flags.own[flag]
  return typeof value === 'string' ? value : undefined
}

async function argumentsOf(flags: Flags): Promise<Json> {
  const [text, file] = [textOf(flags, 'args'), textOf(flags, 'args-file')]
  if (text !== undefined && file !== undefined) throw usage('--args and --args-file say the same', '--args-file')
  const flag = file === undefined ? '--args' : '--args-file'
  const source = file === undefined ? (text ?? '{}') : await read(file)
  try {
    const value: unknown = JSON.parse(source)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Json
  } catch (error) {
    throw usage(`${flag} is no JSON: ${printable(error instanceof Error ? error.message : String(error), 160)}`, flag)
  }
  throw usage(`${flag} must be a JSON object, such as {"path": "notes.md"}`, flag)
}

async function read(file: string): Promise<string> {
  try {
    if (file !== '-') return await readFile(file, 'utf8')
    const parts: Buffer[] = []
    for await (const part of process.stdin) parts.push(part as Buffer)
    return Buffer.concat(parts).toString('utf8')
  } catch (error) {
    throw usage(`--args-file cannot be read: ${error instanceof Error ? error.message : String(error)}`, '--args-file')
  }
}

/** With --yes everything is approved; at a terminal the person is asked; otherwise nobody is there. */
function approverOf(flags: Flags, terminal: Terminal) {
  if (flags.own.yes === true) return async () => true
  if (flags.policy.unattended === true || process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    return undefined
  return async ({ call: { decision, args }, rule }: ApprovalRequest): Promise<boolean> => {
    terminal.settle()
    const why = rule === undefined ? '' : ` (rule "${printable(rule.text, 120)}")`
    terminal.note(`${decision.name} ${printable(JSON.stringify(args), 400)}${why}`)
    const line = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return /^y(es)?$/i.test((await line.question('Run it? [y/N] ')).trim())
    } finally {
      line.close()
    }
  }
}

/** The first interrupt calls the call off, so that the server is told; the second is the system's again. */
function stopOnInterrupt(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController()
  const stop = () => {
    process.off('SIGINT', stop)
    controller.abort()
  }
  process.on('SIGINT', stop)
  return { signal: controller.signal, end: () => process.off('SIGINT', stop) }
}

function print(outcome: CallOutcome, name: string, flags: Flags, terminal: Terminal): void {
  if (flags.output.json) {
    printJson(terminal, { schema: 'toolgate.call/1', name, ...outcome })
    return
  }
  if (outcome.kind === 'result') {
    const safe = process.stdout.isTTY === true ? terminalText : (text: string) => text
    if (outcome.isError) terminal.note(terminal.notePaint.red(`${printable(name, 64)} says that it failed:`))
    for (const block of outcome.content) terminal.print(safe(blockText(block, terminal.paint)))
    if (outcome.content.length === 0 && outcome.structuredContent !== undefined)
      terminal.print(safe(JSON.stringify(outcome.structuredContent, null, 2)))
    return
  }
  const { code, message, action } = outcome
  const found = { code, severity: 'error', message, hint: action } as const
  terminal.note(errorLines(found, terminal.notePaint).join('\n'))
}

function exitOf(outcome: CallOutcome): ExitCode {
  if (outcome.kind === 'result') return outcome.isError ? exitCodes.no : exitCodes.ok
  return outcome.code === 'unknown-tool' ? exitCodes.unknown : exitCodes.no
}
