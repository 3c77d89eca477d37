// A replay for people: one line a run, the first difference below it, and what a changed fact would have altered.

import { printable } from '../core/printable.ts'
import { diffText } from './diff-text.ts'
import { wrapped } from './layout.ts'
import { styleOf, type TextStyle } from './paint.ts'
import { phrases } from './phrases.ts'
import type { Replay } from './replay.ts'
import type { Lang } from './words.ts'

/** The replay as lines of text; equal runs are counted, others told. */
export function replayText(replay: Replay, options: TextStyle & { readonly lang: Lang }): string {
  const { paint, width } = styleOf(options)
  const say = phrases[options.lang]
  const lines: string[] = []
  for (const run of replay.runs) {
    const head = `${run.seq}  ${printable(run.at, 30)}  ${printable(run.agent, 60)}  ${run.surface.slice(0, 12)}`
    lines.push(`${head}  ${run.equal ? paint.green(say.replayEqual) : paint.red(say.replayDiffers)}`)
    const { difference } = run
    if (difference !== undefined) {
      const where =
        difference.id === undefined ? difference.field : `${printable(difference.id, 160)} ${difference.field}`
      const text = `${where}: ${difference.recorded} → ${difference.replayed}`
      lines.push(...wrapped(text, width - 4).map((line) => `    ${line}`))
    }
    if (run.whatIf !== undefined) {
      const text = diffText(run.whatIf, { ...options, width: width - 4 })
      lines.push(...text.split('\n').map((line) => `    ${line}`.trimEnd()), '')
    }
  }
  const equal = replay.runs.filter((run) => run.equal).length
  lines.push(say.replaySum(equal, replay.runs.length, replay.refusals))
  lines.push(...replay.findings.flatMap((found) => wrapped(found.message, width).map(paint.red)))
  return lines.join('\n')
}
