// What a thread waits for, and the command lines that answer it.

import { printable } from '../../core/printable.ts'
import type { WaitingFor } from '../../state/thread-state.ts'
import { approvalLines, clarificationLines, type LineStyle } from './event-lines.ts'

/** The question of the model, or the call that must be approved, as a block. */
export function waitLines(wait: WaitingFor, style: LineStyle): readonly string[] {
  return wait.kind === 'clarification' ? clarificationLines(wait.question, style) : approvalLines(wait, style)
}

/** How to answer from a shell. `again` is the command line up to the words. */
export function answerLines(thread: string, waits: readonly WaitingFor[], again: string): readonly string[] {
  const tools = waits.flatMap((wait) => (wait.kind === 'approval' ? [printable(wait.tool, 64)] : []))
  const asks = waits.some(({ kind }) => kind === 'clarification')
  const shown = [...new Set(tools)].slice(0, 5).join(', ')
  return [
    ...(tools.length === 0
      ? []
      : [
          `The thread ${thread} waits until somebody approves ${shown}:`,
          `  ${again} --approve once`,
          '  (or always, or deny)',
        ]),
    ...(asks ? [`The thread ${thread} waits for your answer:`, `  ${again} "your answer"`] : []),
  ]
}
