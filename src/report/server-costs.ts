// What each server costs: so that one that brings a hundred tools does not hide in a sum. The heaviest stands first,
// and below the table what leaving it out would take away.

import { printable } from '../core/printable.ts'
import { codeUnitOrder } from './code-unit-order.ts'
import { columnWidths, grouped, tableLine, wrapped } from './layout.ts'
import { percentText } from './percent-text.ts'
import type { Phrases } from './phrase-keys.ts'
import type { ToolsReport } from './tools-report.ts'

export interface ServerCostStyle {
  readonly say: Phrases
  readonly dim: (text: string) => string
  readonly width: number
  /** Most servers. */
  readonly limit: number
}

/** Head, one line a server of which the model has tools, and the heaviest; no lines where there is none. */
export function serverCostLines(
  { totals, facts }: Pick<ToolsReport, 'totals' | 'facts'>,
  { say, dim, width, limit }: ServerCostStyle,
): string[] {
  const { tokens, byServer, estimated } = totals
  const costs = Object.entries(tokens.byServer).sort(
    ([a, one], [b, other]) => other.tokens - one.tokens || other.ifAllEager - one.ifAllEager || codeUnitOrder(a, b),
  )
  const shown = costs.slice(0, Math.max(0, limit))
  const [heaviest] = shown
  if (heaviest === undefined) return []
  const { heads } = say
  const columns = [
    { head: heads.server, max: 40 },
    { head: heads.tools, side: 'right' as const },
    { head: heads.deferred, side: 'right' as const },
    { head: heads.tokens, side: 'right' as const },
    { head: heads.ifAllEager, side: 'right' as const },
    { head: heads.saved, side: 'right' as const },
  ]
  const rows = shown.map(([name, share]) => [
    printable(name, 64),
    grouped(share.tools),
    grouped(byServer[name]?.deferred ?? 0),
    grouped(share.tokens),
    grouped(share.ifAllEager),
    percentText(share.savedShare),
  ])
  const widths = columnWidths(columns, rows, width)
  const head = tableLine(
    columns.map((column) => column.head),
    columns,
    widths,
  )
  const without = say.withoutServer(printable(heaviest[0], 64), {
    tools: heaviest[1].tools,
    tokens: heaviest[1].tokens,
    estimated,
    refilled: facts.deferral.mode === 'auto' && totals.deferred > (byServer[heaviest[0]]?.deferred ?? 0),
  })
  return [
    dim(head),
    ...rows.map((row) => tableLine(row, columns, widths, (cell, at) => (at === 0 ? cell : dim(cell)))),
    ...(costs.length > shown.length ? [dim(say.showing(shown.length, costs.length))] : []),
    ...wrapped(without, width),
  ]
}
