// What happens in a turn as lines for a person: one for a call, one for its result, a block for what the person is asked.
// Everything that a model or a tool wrote is made printable; only our own words and signs are painted.

import type { AgentEvent } from '../../agent/agent-event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { terminalText } from '../../report/call-text.ts'
import { clipped, grouped, widthOf, wrapped } from '../../report/layout.ts'
import type { Paint } from '../../report/paint.ts'

export interface LineStyle {
  readonly paint: Paint
  /** Columns. */
  readonly width: number
}

/** Of one argument in the line of a call. */
const valueWidthMax = 60
/** Lines of the arguments that a person is shown before they approve a call. */
const argumentLinesMax = 120
const textMax = 4000

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: T }>

/** `→ name(key: value, …)`, as much of it as one line holds. */
export function callLine({ tool, args }: Pick<Of<'call'>, 'tool' | 'args'>, { paint, width }: LineStyle): string {
  const head = `→ ${printable(tool, 128)}`
  return paint.dim(clipped(`${head}(${argumentsText(args, width - widthOf(head) - 2)})`, width))
}

function argumentsText(args: Json, room: number): string {
  if (!isJsonObject(args)) return valueText(args, room)
  const entries = entriesOf(args)
  const shown: string[] = []
  let left = room
  for (const [at, [key, value]] of entries.entries()) {
    const isLast = at === entries.length - 1
    const name = printable(key, 40)
    const part = `${name}: ${valueText(value, Math.min(valueWidthMax, Math.max(12, left - widthOf(name) - 2)))}`
    const columns = widthOf(part) + (isLast ? 0 : 2)
    if (shown.length > 0 && columns > left - (isLast ? 0 : 1)) return [...shown, '…'].join(', ')
    shown.push(part)
    left -= columns
  }
  return shown.join(', ')
}

const entriesOf = (args: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(args).map(([key, value]) => [key, value ?? null])

/** A value as JSON has it, in at most so many columns; a text that is cut keeps both its quotes. */
function valueText(value: Json, max: number): string {
  if (typeof value === 'string') return `"${clipped(printable(value, max + 1), Math.max(1, max - 2))}"`
  return clipped(printable(JSON.stringify(value), max + 1), max)
}

/** Whose line it is, where other lines came between a call and what came of it. */
const namedBy = (tool: string | undefined): string => (tool === undefined ? '' : `${printable(tool, 128)}  `)

/** The first line of what the tool said, and how many there are. */
export function resultLine({ text, isError }: Of<'result'>, named: string | undefined, style: LineStyle): string {
  const { paint, width } = style
  const lines = text.trimEnd().split('\n')
  const first = lines.find((line) => line.trim() !== '') ?? 'nothing'
  const more = lines.length > 1 ? `  (${grouped(lines.length)} lines)` : ''
  const name = namedBy(named)
  const room = Math.max(8, width - 4 - widthOf(name) - widthOf(more))
  const said = `${name}${clipped(printable(first.trim(), room + 1), room)}`
  return `  ${isError ? paint.red('✗') : paint.green('✓')} ${isError ? said : paint.dim(said)}${paint.dim(more)}`
}

/** Why a call did not reach its tool, or gave no result, and what can be done. */
export function refusalLines(
  { type, code, message, action }: Of<'refusal'> | Of<'failure'>,
  named: string | undefined,
  { paint, width }: LineStyle,
): readonly string[] {
  const word = type === 'refusal' ? 'refused' : 'failed'
  const said = `${namedBy(named)}${word}: ${printable(code, 64)}  ${printable(message, textMax)}`
  const [first = '', ...rest] = wrapped(said, width - 4)
  return [
    `  ${paint.red('✗')} ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...wrapped(`do ${printable(action, textMax)}`, width - 4).map((line) => paint.dim(`    ${line}`)),
  ]
}

export const promotionLine = ({ tool, by }: Of<'promotion'>, { paint }: LineStyle): string =>
  `  ${paint.green('+')} loaded ${printable(tool, 128)}${paint.dim(by === 'routing' ? '  (your words ask for it)' : '')}`

export const skillLine = ({ skill, on }: Of<'skill'>, { paint }: LineStyle): string =>
  `  ${paint.cyan('*')} skill ${printable(skill, 64)} ${on ? 'in use' : 'no longer in use'}`

export const artifactLine = ({ path, bytes }: Of<'artifact'>, { paint }: LineStyle): string =>
  `  ${paint.cyan('⬇')} ${paint.bold(printable(path, 400))}${bytes === undefined ? '' : `  (${grouped(bytes)} bytes)`}`

/** A question of the model, with its answers to choose from. */
export function clarificationLines(question: JsonObject, { paint, width }: LineStyle): readonly string[] {
  const { context } = question
  const [first = '', ...rest] = textLines(asked(question.question), width - 2)
  return [
    `${paint.yellow('?')} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
    ...(typeof context === 'string' ? textLines(context, width - 2).map((line) => `  ${line}`) : []),
    ...optionsOf(question).flatMap((option, at) => {
      const [head = '', ...tail] = textLines(option, width - 6)
      return [`  ${paint.cyan(String(at + 1).padStart(2))}  ${head}`, ...tail.map((line) => `      ${line}`)]
    }),
  ]
}

const asked = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? 'A question without words.' : JSON.stringify(value)

/** Answers that a question offers. `[]`: any words. */
export const optionsOf = ({ options }: JsonObject): readonly string[] =>
  Array.isArray(options) ? options.filter((option): option is string => typeof option === 'string').slice(0, 99) : []

/** A call that waits for approval: all of its arguments, so that what is approved is what was seen. */
export function approvalLines(
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
  { paint, width }: LineStyle,
): readonly string[] {
  const lines = entriesOf(args).flatMap(([key, value]) => argumentLines(key, value, width - 4))
  const shown = lines.length > argumentLinesMax ? lines.slice(0, argumentLinesMax) : lines
  const more = lines.length - shown.length
  return [
    `${paint.yellow('?')} ${paint.bold(`${printable(tool, 128)} must be approved`)}`,
    ...(lines.length === 0 ? [paint.dim('  │ without arguments')] : []),
    ...shown.map((line) => `  ${paint.dim('│')} ${line}`),
    ...(more > 0 ? [paint.yellow(`  … and ${grouped(more)} lines more; \`toolgate threads ID --json\` has them`)] : []),
  ]
}

function argumentLines(key: string, value: Json, width: number): readonly string[] {
  const name = printable(key, 64)
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const [first = '', ...rest] = textLines(text, width - 2, Number.POSITIVE_INFINITY)
  if (rest.length === 0 && widthOf(name) + 2 + widthOf(first) <= width) return [`${name}: ${first}`]
  return [`${name}:`, ...[first, ...rest].map((line) => `  ${line}`)]
}

/** Foreign text in lines that fit; its own line ends and indents stay. */
export function textLines(text: string, width: number, max: number = textMax): readonly string[] {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return terminalText(cut)
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const spaced = line.replaceAll('\t', '  ')
      const words = spaced.trimStart()
      const indent = ' '.repeat(Math.min(spaced.length - words.length, width >> 1))
      return wrapped(words, width - indent.length).map((part) => indent + part)
    })
}

const endWords: { readonly [B in Of<'end'>['because']]: string } = {
  answered: '',
  waiting: '',
  limit: 'stopped: it took more steps than a turn may',
  cancelled: 'stopped: it was called off',
  failed: 'failed',
}

/** `[]` where the turn ended as it should, or waits. */
export function endLines({ because, message }: Of<'end'>, { paint, width }: LineStyle): readonly string[] {
  const words = endWords[because]
  if (words === '') return []
  const said = because === 'failed' && message !== undefined ? `${words}: ${message}` : words
  const [first = '', ...rest] = textLines(said, width - 2)
  return [`${paint.red('✗')} ${first}`, ...rest.map((line) => `  ${line}`)]
}
