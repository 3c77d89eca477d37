// The person at the terminal, asked what a turn waits for. Nobody is asked where there is no terminal, where the output is
// for a program, or where the run is unattended.

import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { askLine } from '../ask-line.ts'
import type { Flags } from '../flags.ts'
import type { Interrupt } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'
import { optionsOf } from './event-lines.ts'

export type Approval = 'once' | 'always' | 'deny'

export interface RunPerson {
  /** Undefined: the person leaves it open. */
  readonly approve: (tool: string) => Promise<Approval | undefined>
  /** Words, or those of the option whose number was typed. Undefined: the person leaves it open. */
  readonly answer: (question: JsonObject) => Promise<string | undefined>
}

interface Asking {
  readonly flags: Flags
  readonly stop: Interrupt
}

/** Undefined: nobody is there. */
export function runPerson(terminal: Terminal, { flags, stop }: Asking): RunPerson | undefined {
  const isThere = process.stdin.isTTY === true && process.stdout.isTTY === true
  if (!isThere || flags.output.json || flags.policy.unattended === true) return undefined
  const ask = <T>(question: string, read: (line: string) => T | undefined): Promise<T | undefined> =>
    askLine(terminal.notePaint.yellow(question), { stop, read })
  return {
    approve: (tool) => ask(`Run ${printable(tool, 64)}? y once, a always, n no: `, approvalIn),
    answer: (question) => {
      const options = optionsOf(question)
      const wordsIn = (line: string): string | undefined =>
        (/^\d{1,2}$/.test(line) ? options[Number(line) - 1] : undefined) ?? (line === '' ? undefined : line)
      return ask(options.length === 0 ? 'Your answer: ' : 'Your answer (a number, or your words): ', wordsIn)
    },
  }
}

/** INVARIANT: only a clear yes is one. */
function approvalIn(line: string): Approval | undefined {
  if (/^y(es)?$/i.test(line)) return 'once'
  if (/^a(lways)?$/i.test(line)) return 'always'
  return /^no?$/i.test(line) ? 'deny' : undefined
}
