// A difference for people: what was gained, what was lost, what is otherwise now; the reason on both sides.

import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { DiffSide, DiffState, SurfaceDiff } from './diff.ts'
import { clipped, grouped, widthOf, wrapped } from './layout.ts'
import { colourOf, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import { labelledLines, roomBeside } from './totals-text.ts'
import type { Lang } from './words.ts'

export interface DiffTextOptions extends TextStyle {
  readonly lang: Lang
  /** Also what is exposed on neither side, and what differs only in its reason. */
  readonly all?: boolean
  /** Most entries. Absent: 60. */
  readonly limit?: number
}

interface Line {
  readonly mark: '+' | '-' | '~'
  readonly name: string
  readonly before?: DiffState
  readonly after?: DiffState
  readonly reasons: readonly string[]
  /** What people look for first: the model gained or lost the tool, or gets it otherwise. */
  readonly loud: boolean
}

/** The difference as lines of text; gained, lost and changed tools, then the counts. */
export function diffText(diff: SurfaceDiff, options: DiffTextOptions): string {
  const style = styleOf(options)
  const { paint, width } = style
  const say = phrases[options.lang]
  if (diff.same) return say.same(diff.after.surface.slice(0, 12))
  const lines = linesOf(diff)
  const wanted = options.all === true ? lines : lines.filter((line) => line.loud)
  const shown = wanted.slice(0, options.all === true ? wanted.length : (options.limit ?? 60))
  const count = (mark: Line['mark']): number => lines.filter((line) => line.loud && line.mark === mark).length
  const quiet = lines.filter((line) => !line.loud).length
  const sum = say.diffSum({ gained: count('+'), lost: count('-'), changed: count('~'), quiet, same: diff.unchanged })
  return [
    ...sideLines(diff, say, style),
    ...(diff.facts.length > 0 ? wrapped(say.factsDiffer(diff.facts.join(', ')), width).map(paint.dim) : []),
    '',
    ...shown.flatMap((line) => entryLines(line, say, style)),
    ...(wanted.length > shown.length ? [paint.dim(say.more(wanted.length - shown.length))] : []),
    ...(shown.length > 0 ? [''] : []),
    ...wrapped(sum, width),
  ].join('\n')
}

/** Gained, lost, changed; inside each the order of sources. */
function linesOf(diff: SurfaceDiff): readonly Line[] {
  const all: Line[] = []
  for (const { id: _id, ...after } of diff.added) {
    all.push({ mark: '+', name: after.name, after, reasons: [], loud: isExposed(after) })
  }
  for (const { before, after, reasons } of diff.changed) {
    const [had, has] = [isExposed(before), isExposed(after)]
    const loud = had !== has || (has && reasons.some((reason) => reason !== 'reason'))
    all.push({ mark: had === has ? '~' : has ? '+' : '-', name: after.name, before, after, reasons, loud })
  }
  for (const { id: _id, ...before } of diff.removed) {
    all.push({ mark: '-', name: before.name, before, reasons: [], loud: isExposed(before) })
  }
  const order = { '+': 0, '-': 1, '~': 2 }
  return all.sort((a, b) => order[a.mark] - order[b.mark])
}

const isExposed = (state: DiffState): boolean => state.outcome !== 'excluded'

function sideLines({ before, after }: SurfaceDiff, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const text = (side: DiffSide): string =>
    [
      `${say.labels.agent} ${printable(side.agent, 60)}`,
      `${say.labels.model} ${printable(side.model, 60)}`,
      `${say.labels.target} ${printable(side.target, 60)}`,
      `${say.labels.preset} ${printable(side.preset, 60)}`,
      say.exposed(grouped(side.totals.eager + side.totals.deferred), grouped(side.totals.candidates)),
    ].join(' · ')
  const labels = [say.before, say.after]
  const room = roomBeside(labels, width)
  const blocks = [
    { label: say.before, lines: wrapped(text(before), room) },
    { label: say.after, lines: wrapped(text(after), room) },
  ]
  return labelledLines(blocks, labels, paint)
}

function entryLines(line: Line, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const { before, after } = line
  const mark = line.mark === '+' ? paint.green('+') : line.mark === '-' ? paint.red('-') : paint.yellow('~')
  const word = (state: DiffState | undefined): string =>
    state === undefined ? paint.dim(say.absent) : colourOf(state.outcome, paint)(say.outcome[state.outcome])
  const same = before?.outcome === after?.outcome
  const outcome = same ? word(after) : `${word(before)} → ${word(after)}`
  // Beside a tool that came or went, another approval or condition is no news.
  const stays = before !== undefined && after !== undefined && isExposed(before) === isExposed(after)
  const what = stays ? line.reasons.filter((reason) => reason !== 'outcome' && reason !== 'reason') : []
  const notes =
    what.length > 0 ? paint.dim(` (${what.map((reason) => say.diffReason[reason] ?? reason).join(', ')})`) : ''
  return [
    `${mark} ${paint.bold(clipped(printable(line.name, 128), Math.floor(width / 2)))}  ${outcome}${notes}`,
    ...stateLines(say.before, before, say, { paint, width }),
    ...stateLines(say.after, after, say, { paint, width }),
  ]
}

function stateLines(label: string, state: DiffState | undefined, say: Phrases, style: Required<TextStyle>): string[] {
  if (state === undefined) return []
  const { paint, width } = style
  const column = Math.max(widthOf(say.before), widthOf(say.after))
  const left = 4 + column + 2
  const place = originText(state.origin)
  const conditions = state.conditions.length > 0 ? `; ${say.conditions(state.conditions.join(', '))}` : ''
  const where = place === '' ? '' : ` (${printable(place, 160)})`
  const [first, ...more] = wrapped(`${state.settledBy}: ${state.why}${where}${conditions}`, width - left)
  return [
    `    ${paint.dim(label)}${' '.repeat(column - widthOf(label) + 2)}${first ?? ''}`,
    ...more.map((rest) => ' '.repeat(left) + rest),
  ]
}
