// The table for people: what is exposed first, then what is not, then the servers by cost, then the sums.

import { printable } from '../core/printable.ts'
import { columnWidths, grouped, tableLine, wrapped } from './layout.ts'
import { colourOf, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import { serverCostLines } from './server-costs.ts'
import type { DecisionReport, ToolsReport } from './tools-report.ts'
import {
  factsLine,
  findingLines,
  type Labelled,
  labelledLines,
  leftOutLines,
  roomBeside,
  serverLines,
  tokenLines,
} from './totals-text.ts'
import type { Lang } from './words.ts'

export interface TableOptions extends TextStyle {
  readonly lang: Lang
  /** Most rows. Absent: 40. */
  readonly limit?: number
  /** Every row, whatever the limit. */
  readonly all?: boolean
}

/** The report as lines of text; nothing is wider than `width` columns. */
export function toolsTable(report: ToolsReport, options: TableOptions): string {
  const { paint, width } = styleOf(options)
  const say = phrases[options.lang]
  const ordered = byOutcome(report.decisions)
  const limit = options.all === true ? Number.POSITIVE_INFINITY : (options.limit ?? 40)
  const shown = ordered.slice(0, Math.max(0, limit))
  const missing = ordered.length - shown.length
  const count = say.showing(shown.length, ordered.length) + (missing > 0 ? ` · ${say.rest}` : '')
  const servers = serverCostLines(report, { say, dim: paint.dim, width, limit })
  return [
    ...wrapped(factsLine(report.facts, report.preset, say), width).map(paint.bold),
    '',
    ...toolRows(shown, { lang: options.lang, paint, width }),
    paint.dim(count),
    '',
    ...(servers.length === 0 ? [] : [...servers, '']),
    ...totalsBlock(report, say, { paint, width }),
  ].join('\n')
}

/** Head and one line a tool: name, outcome, source, tokens, settling gate and its sentence. */
export function toolRows(
  decisions: readonly DecisionReport[],
  { lang, paint, width }: Required<TextStyle> & { readonly lang: Lang },
): string[] {
  if (decisions.length === 0) return []
  const say = phrases[lang]
  // In a narrow window a sentence would be cut after three words; the code says more.
  const why = (decision: DecisionReport): string =>
    decision.steps.length === 0 ? say.noGate : `${decision.settledBy}: ${width < 100 ? decision.code : decision.why}`
  const rows = decisions.map((decision) => [
    printable(decision.name, 128),
    say.outcome[decision.outcome] +
      (decision.approval === 'ask' && decision.outcome !== 'excluded' ? ` ${say.asks}` : ''),
    sourceText(decision),
    grouped(decision.tokens),
    why(decision),
  ])
  const columns = [
    { head: say.heads.name, max: Math.floor(width * 0.3) },
    { head: say.heads.outcome },
    { head: say.heads.source, max: Math.floor(width * 0.16) },
    { head: say.heads.tokens, side: 'right' as const },
    { head: say.heads.why },
  ]
  const widths = columnWidths(columns, rows, width)
  const head = tableLine(
    columns.map((column) => column.head),
    columns,
    widths,
  )
  const lines = rows.map((row, at) => {
    const outcome = decisions[at]?.outcome ?? 'excluded'
    return tableLine(row, columns, widths, (cell, column) => {
      if (column === 1) return colourOf(outcome, paint)(cell)
      return column === 0 || (column === 4 && outcome === 'excluded') ? cell : paint.dim(cell)
    })
  })
  return [paint.dim(head), ...lines]
}

/** `mcp files`, `builtin`: the source and the owner in it. */
export function sourceText(decision: Pick<DecisionReport, 'source' | 'server'>): string {
  return decision.server === undefined ? decision.source : `${decision.source} ${printable(decision.server, 64)}`
}

const rank = { eager: 0, deferred: 1, excluded: 2 }

/** Eager, deferred, excluded; inside each the order of sources. */
function byOutcome(decisions: readonly DecisionReport[]): readonly DecisionReport[] {
  return [...decisions].sort((a, b) => rank[a.outcome] - rank[b.outcome])
}

function totalsBlock(report: ToolsReport, say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const { totals } = report
  const { labels } = say
  const all = [labels.candidates, labels.leftOutBy, labels.tokens, labels.servers, labels.findings, labels.surface]
  const room = roomBeside(all, width)
  const blocks: Labelled[] = [
    { label: labels.candidates, lines: [say.sum(totals.candidates, totals.eager, totals.deferred, totals.excluded)] },
    { label: labels.leftOutBy, lines: leftOutLines(totals.byGate, room) },
    { label: labels.tokens, lines: tokenLines(totals, say, room) },
    { label: labels.servers, lines: serverLines(report.servers, { say, paint, width: room }) },
    { label: labels.findings, lines: findingLines(report.findings, say, room) },
    { label: labels.surface, lines: [report.surface.slice(0, 12)] },
  ]
  return labelledLines(blocks, all, paint)
}
