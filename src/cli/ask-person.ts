// Who approves what a rule asks for: the flag --yes, or the person at the terminal. INVARIANT: only a clear yes is one.

import { createInterface } from 'node:readline/promises'
import { printable } from '../core/printable.ts'
import type { ApprovalRequest } from '../runtime/middleware.ts'
import type { Flags } from './flags.ts'
import type { Interrupt } from './interrupt.ts'
import type { Terminal } from './terminal.ts'

export interface Person {
  readonly approve: (request: ApprovalRequest) => Promise<boolean>
  /** Whoever answered knows why nothing was done. */
  readonly wasAsked: () => boolean
}

interface Asking {
  readonly flags: Flags
  /** Ends the question. */
  readonly stop: Interrupt
}

/** With --yes everything is approved; at a terminal the person is asked; otherwise nobody is there. */
export function personAt(terminal: Terminal, { flags, stop }: Asking): Person | undefined {
  if (flags.own.yes === true) return { approve: async () => true, wasAsked: () => false }
  if (flags.policy.unattended === true || process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    return undefined
  let asked = false
  const approve = async ({ call: { decision, args }, rule }: ApprovalRequest): Promise<boolean> => {
    asked = true
    terminal.settle()
    const why = rule === undefined ? '' : ` (rule "${printable(rule.text, 120)}")`
    terminal.note(`This call must be approved: ${decision.name} ${printable(JSON.stringify(args), 400)}${why}`)
    const line = createInterface({ input: process.stdin, output: process.stderr })
    // While it reads, the terminal sends the key and no signal.
    line.on('SIGINT', stop.now)
    try {
      return /^y(es)?$/i.test((await line.question('Run it? [y/N] ', { signal: stop.signal })).trim())
    } catch {
      // An interrupt, or the end of the input: both are no yes.
      if (!stop.signal.aborted) terminal.note('')
      return false
    } finally {
      line.close()
    }
  }
  return { approve, wasAsked: () => asked }
}
