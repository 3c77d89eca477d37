// Approvals for people: first what waits, each with the very text that a model would be told, then the sums. Nothing
// that waits is left out, and no text is cut: what is not read here is read by nobody.

import { printable } from '../core/printable.ts'
import { definitionDifference, differenceLines } from './definition-difference.ts'
import { wrapped } from './layout.ts'
import { type Paint, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import type { PinnedLaunch, PinnedTool, PinState, PinsReport } from './pins.ts'
import type { Lang } from './words.ts'

export interface PinsTextOptions extends TextStyle {
  readonly lang: Lang
  /** Also what is approved, gone or not seen, one line each. */
  readonly all?: boolean
}

type Style = Required<TextStyle>

/** The report as lines of text. */
export function pinsText(report: PinsReport, options: PinsTextOptions): string {
  const style = styleOf(options)
  const say = phrases[options.lang]
  const waits = ({ state }: { readonly state: PinState }): boolean => state === 'changed' || state === 'new'
  const blocks = [
    ...report.launches.filter(waits).map((launch) => launchLines(launch, say, style)),
    ...report.tools.filter(waits).map((tool) => toolLines(tool, say, style)),
  ]
  const quiet = [...report.launches, ...report.tools].filter((entry) => !waits(entry))
  if (options.all === true && quiet.length > 0) blocks.push(quiet.map((entry) => quietLine(entry, say, style.paint)))
  const none = report.launches.length + report.tools.length === 0
  blocks.push([
    ...wrapped(none ? say.pins.nothing : say.pins.sum(report.totals), style.width),
    ...(report.enabled ? [] : wrapped(say.pins.off, style.width).map(style.paint.yellow)),
    ...(report.waiting > 0 ? wrapped(say.pins.approveAll, style.width) : []),
  ])
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

export interface ApprovedNow {
  /** The state after it. */
  readonly report: PinsReport
  readonly tools: readonly PinnedTool[]
  readonly launches: readonly PinnedLaunch[]
  readonly file: string
  /** Definitions in the file. */
  readonly count: number
}

/** What was approved a moment ago, each with the very text that a model is told from now on; then what still waits. */
export function approvedText({ report, tools, launches, file, count }: ApprovedNow, options: PinsTextOptions): string {
  const style = styleOf(options)
  const say = phrases[options.lang]
  const unseen = launches.filter(({ state }) => state === 'changed')
  const blocks = [
    ...launches.map((launch) => launchLines(launch, say, style)),
    ...tools.map((tool) => toolLines(tool, say, style)),
    ...(unseen.length === 0 ? [] : [unseen.map(({ server }) => say.pins.launchApproved(printable(server, 64)))]),
    [say.pins.stored(printable(file, 400), count), ...wrapped(say.pins.sum(report.totals), style.width)],
  ]
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

/** What a model would be told of a tool, whole: its description, then every part of its schemas and marks. */
function definitionLines(tool: PinnedTool, say: Phrases, { paint, width }: Style): string[] {
  const { definition } = tool
  if (definition === undefined) return []
  const description = definition.description
    .split('\n')
    .flatMap((line) => wrapped(printable(line, everything), width - 4))
  const { properties } = definition.inputSchema
  const empty =
    typeof properties === 'object' && properties !== null ? { type: 'object', properties: {} } : { type: 'object' }
  const bare = { description: definition.description, inputSchema: empty }
  const parts = differenceLines(
    definitionDifference(bare, definition, { changesMax: everything, textMax: everything }),
    say,
  )
  return [
    `  ${paint.dim(say.pins.modelIsTold)}`,
    ...(definition.description === '' ? [`    ${paint.dim(say.pins.noWords)}`] : indented(description)),
    ...(parts.length === 0 ? [] : [`  ${paint.dim(say.pins.parts)}`]),
    ...indented(parts.flatMap((line) => wrapped(line, width - 4))),
  ]
}

const everything = Number.MAX_SAFE_INTEGER
const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`.trimEnd())

function toolLines(tool: PinnedTool, say: Phrases, style: Style): string[] {
  const { paint, width } = style
  const { pins } = say
  const [name, id] = [printable(tool.name ?? tool.id, 200), printable(tool.id, 300)]
  const when = tool.approvedAt === undefined ? '' : `   ${pins.approvedAt(printable(tool.approvedAt, 40))}`
  const head = `${paint.yellow(pins.state[tool.state])}   ${paint.bold(name)}   ${paint.dim(id + when)}`
  if (tool.state === 'new') return [head, ...definitionLines(tool, say, style)]
  const { difference } = tool
  const changed =
    difference === undefined
      ? wrapped(pins.notStored, width - 4)
      : difference.changes.length === 0
        ? wrapped(pins.ownerChanged, width - 4)
        : differenceLines(difference, say).flatMap((line) => wrapped(line, width - 4))
  return [head, `  ${paint.dim(pins.whatChanged)}`, ...indented(changed), ...definitionLines(tool, say, style)]
}

function launchLines(launch: PinnedLaunch, say: Phrases, { paint, width }: Style): string[] {
  const { server, state, shown = '', approved, approvedAt } = launch
  const { pins } = say
  const when = approvedAt === undefined ? '' : `   ${paint.dim(pins.approvedAt(printable(approvedAt, 40)))}`
  const line = (label: string, text: string): string[] => [
    `  ${paint.dim(label)}`,
    ...indented(wrapped(printable(text, everything), width - 4)),
  ]
  return [
    `${paint.yellow(pins.state[state])}   ${paint.bold(printable(server, 64))}   ${pins.runs}${when}`,
    ...(approved === undefined ? [] : line(say.before, approved)),
    ...line(approved === undefined ? pins.runs : say.after, shown),
  ]
}

function quietLine(entry: PinnedTool | PinnedLaunch, say: Phrases, paint: Paint): string {
  const name =
    'id' in entry ? printable(entry.name ?? entry.id, 200) : `${printable(entry.server, 64)} ${say.pins.runs}`
  return `${paint.dim(say.pins.state[entry.state])}   ${name}`
}
