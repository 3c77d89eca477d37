// An explanation for people: the outcome, one line a step with the place it rests on at the right, what would
// change it.

import type { Effect } from '../core/gate.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { differenceLines } from './definition-difference.ts'
import type { ChangeReport, ExplainedDecision, Explanation } from './explain.ts'
import { clipped, fitted, widthOf, wrapped } from './layout.ts'
import { colourOf, type Paint, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import type { Relation } from './relations.ts'
import type { StepReport } from './tools-report.ts'
import { sourceText, toolRows } from './tools-table.ts'
import { serverLines } from './totals-text.ts'
import type { Lang } from './words.ts'

export interface ExplainTextOptions extends TextStyle {
  readonly lang: Lang
  /** Decisions that are told with every step; the others get one line each. Absent: 3. */
  readonly whole?: number
  /** Most decisions that get one line each. Absent: 40. */
  readonly limit?: number
}

/** The explanation as lines of text. */
export function explainText(explanation: Explanation, options: ExplainTextOptions): string {
  const { paint, width } = styleOf(options)
  const say = phrases[options.lang]
  const { decisions, server } = explanation
  if (decisions.length === 0) return unknownLines(explanation, say, paint).join('\n')

  const blocks: string[][] = []
  if (server !== undefined) blocks.push(serverLines([server], { say, paint, width }))
  // Many tools of one server are a list; a name that several may mean is a story each.
  const whole = decisions.length > 8 ? 1 : (options.whole ?? 3)
  const limit = options.limit ?? 40
  const isList = server !== undefined && decisions.length > 1
  const told = isList ? [] : decisions.slice(0, whole)
  const listed = decisions.slice(told.length, told.length + limit)
  blocks.push(...told.map((decision) => decisionLines(decision, say, { paint, width })))
  if (listed.length > 0) blocks.push(toolRows(listed, { lang: options.lang, paint, width }))
  const left = decisions.length - told.length - listed.length
  if (left > 0) blocks.push([paint.dim(say.more(left))])
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

function unknownLines(explanation: Explanation, say: Phrases, paint: Paint): string[] {
  const { nearest, server, word } = explanation
  const lines = [say.unknownTool(printable(word, 120))]
  if (server !== undefined) {
    const name = printable(server.name, 64)
    lines.push(`  ${say.serverIs(name, server.state)}`)
    if (server.state === 'available') lines.push(`  ${say.serverHasNo(name, server.tools)}`)
  }
  if (nearest.length > 0) {
    lines.push(`  ${say.nearest(nearest.map((name) => paint.cyan(printable(name, 128))).join(', '))}`)
  }
  return lines
}

function decisionLines(decision: ExplainedDecision, say: Phrases, style: Required<TextStyle>): string[] {
  const { paint, width } = style
  const outcome = colourOf(decision.outcome, paint)(say.outcome[decision.outcome])
  const settled = decision.steps.length === 0 ? say.noGate : say.settledBy(decision.settledBy)
  const from = [
    sourceText(decision),
    printable(decision.originalName, 128),
    printable(originText(decision.origin), 160),
  ]
  return [
    `${outcome}   ${paint.bold(clipped(printable(decision.name, 128), Math.floor(width / 2)))}   ${settled}`,
    ...wrapped(from.join(' · '), width - 2).map((line) => `  ${paint.dim(line)}`),
    ...stepLines(decision.steps, say, style),
    ...[...untold(decision), ...decision.access].flatMap((line) => indented(line, width)),
    ...differenceBlock(decision, say, style),
    ...changeLines(decision.change, say, style),
  ]
}

/** Relations that no step has told already. */
function untold({ relations, steps }: ExplainedDecision): readonly string[] {
  const told = ({ others }: Relation): boolean =>
    steps.some((step) => others[0] !== undefined && step.say.includes(others[0]))
  return relations.filter((relation) => !told(relation)).map((relation) => relation.say)
}

/** What changed in a definition that waits for approval again. */
function differenceBlock(decision: ExplainedDecision, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const { code, difference } = decision
  if (code !== 'definition-changed') return []
  const { pins } = say
  if (difference === undefined) return indented(pins.notStored, width)
  if (difference.changes.length === 0) return indented(pins.ownerChanged, width)
  const lines = differenceLines(difference, say).flatMap((line) => wrapped(line, width - 4))
  return [`  ${paint.bold(pins.whatChanged)}`, ...lines.map((line) => `    ${line}`)]
}

/** Origins stand in a column at the right where all of them fit beside the sentences, else below their step. */
function stepLines(steps: readonly StepReport[], say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const gates = Math.max(0, ...steps.map((step) => widthOf(step.gate)))
  const effects = Math.max(...Object.values(say.effect).map(widthOf))
  const left = 2 + gates + 2 + effects + 2
  const room = width - left
  const origins = steps.map((step) => printable(originText(step.origin), 160))
  const sentences = Math.max(0, ...steps.map((step) => widthOf(step.say)))
  const beside = sentences + 3 + Math.max(0, ...origins.map(widthOf)) <= room
  return steps.flatMap((step, at) => {
    const origin = origins[at] ?? ''
    const start = `  ${fitted(step.gate, gates)}  ${colouredEffect(step.effect, effects, say, paint)}  `
    if (beside) {
      const sentence = origin === '' ? step.say : `${fitted(step.say, sentences)}   ${paint.dim(origin)}`
      return [start + sentence]
    }
    const [first, ...more] = wrapped(step.say, room)
    const below = origin === '' ? [] : wrapped(`${say.at} ${origin}`, room).map((line) => paint.dim(line))
    return [start + (first ?? ''), ...[...more, ...below].map((line) => ' '.repeat(left) + line)]
  })
}

const colouredEffect = (effect: Effect, width: number, say: Phrases, paint: Paint): string =>
  colourOf(effect, paint)(fitted(say.effect[effect], width))

/** `change it:` and the first sentence; the place to edit beside or below it. */
function changeLines(change: ChangeReport, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const [sentence] = change.sentences
  if (sentence === undefined) return []
  const place = change.origin === undefined ? '' : ` (${printable(originText(change.origin), 160)})`
  const label = `  ${say.changeIt}: `
  const [first, ...more] = wrapped(sentence + place, width - widthOf(label))
  return [`  ${paint.bold(say.changeIt)}: ${first ?? ''}`, ...more.map((line) => ' '.repeat(widthOf(label)) + line)]
}

const indented = (text: string, width: number): string[] => wrapped(text, width - 2).map((line) => `  ${line}`)
