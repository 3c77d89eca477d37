// The lines under a table and in the session report: sums, costs, servers, findings; a label at the left, values
// in one column beside it.

import type { Finding } from '../core/finding.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { clipped, columnWidths, fitted, tableLine, widthOf, wrapped } from './layout.ts'
import type { Paint } from './paint.ts'
import type { Phrases } from './phrases.ts'
import type { ServerState } from './run.ts'
import type { ToolsTotals } from './tools-report.ts'

/** A label and the lines of its value; a block without lines is not printed. */
export interface Labelled {
  readonly label: string
  readonly lines: readonly string[]
}

/** Columns that a value has beside the widest label. */
export const roomBeside = (labels: readonly string[], width: number): number =>
  width - Math.max(...labels.map(widthOf)) - 2

/** The blocks below each other, all values in one column. */
export function labelledLines(blocks: readonly Labelled[], labels: readonly string[], paint: Paint): string[] {
  const column = Math.max(...labels.map(widthOf))
  return blocks.flatMap(({ label, lines }) =>
    lines.map((line, at) => `${at === 0 ? paint.dim(fitted(label, column)) : ' '.repeat(column)}  ${line}`.trimEnd()),
  )
}

/** Who runs, on what: one line. */
export function factsLine(facts: RunFacts, preset: string, { labels }: Phrases): string {
  const parts = [
    [labels.agent, facts.agent.name],
    [labels.model, facts.model.name],
    [labels.target, facts.target.name],
    [labels.preset, preset],
  ]
  return parts.map(([label, value]) => `${label} ${printable(value ?? '', 60)}`).join(' · ')
}

/** `permissions 12, availability 9`, most first. */
export function leftOutLines(byGate: ToolsTotals['byGate'], width: number): string[] {
  const sums = Object.entries(byGate).map(([gate, codes]) => {
    const count = Object.values(codes).reduce((sum, some) => sum + some, 0)
    return { gate, count }
  })
  sums.sort((a, b) => b.count - a.count)
  return sums.length === 0 ? [] : wrapped(sums.map(({ gate, count }) => `${gate} ${count}`).join(', '), width)
}

/** What a request costs, and, where something is deferred, what it would cost otherwise and what that saves. */
export function tokenLines({ tokens, deferred, estimated }: ToolsTotals, say: Phrases, width: number): string[] {
  const { eager, deferredNames, ifAllEager, savedByDeferral: saved, savedShare } = tokens
  const sent = eager + deferredNames
  return wrapped(say.cost({ sent, ifAllEager, saved, savedShare, defers: deferred > 0, estimated }), width)
}

/** One line a server: name, state, tools, time, what happened, where it is configured. */
export function serverLines(
  servers: readonly ServerState[],
  { say, paint, width }: { readonly say: Phrases; readonly paint: Paint; readonly width: number },
): string[] {
  const counts = servers.some((server) => server.tools > 0)
  const rows = servers.map((server) => [
    printable(server.name, 64),
    server.state,
    ...(counts ? [server.tools > 0 ? say.toolCount(server.tools) : ''] : []),
    serverNotes(server, say),
  ])
  const count = counts ? [{ head: '', side: 'right' as const }] : []
  const columns = [{ head: '', max: 24 }, { head: '' }, ...count, { head: '' }]
  const widths = columnWidths(columns, rows, width)
  return rows.map((row, at) =>
    tableLine(row, columns, widths, (cell, column) => {
      if (column === 1) return stateColour(servers[at], paint)(cell)
      return column === columns.length - 1 ? paint.dim(cell) : cell
    }),
  )
}

function serverNotes(server: ServerState, say: Phrases): string {
  const available = server.state === 'available'
  const notes = [
    available && server.tookMs !== undefined ? `${(server.tookMs / 1000).toFixed(1)} s` : '',
    available && server.listedAgoMs !== undefined ? say.fromListing(server.listedAgoMs) : '',
    available ? '' : printable(server.detail ?? '', 200),
    server.required && !available ? say.required : '',
    !available && server.lastListedAt !== undefined ? say.lastListed(printable(server.lastListedAt, 30)) : '',
    available ? '' : printable(originText(server.origin), 120),
  ]
  return notes.filter((note) => note !== '').join(' · ')
}

function stateColour(server: ServerState | undefined, paint: Paint): (text: string) => string {
  if (server?.state === 'available') return paint.green
  if (server?.state === 'not-started' || server?.state === 'disabled') return paint.dim
  return server?.required === true ? paint.red : paint.yellow
}

/** `1 error, 2 warnings: toolgate check`; no line where there is nothing. */
export function findingLines(findings: readonly Finding[], say: Phrases, width: number): string[] {
  if (findings.length === 0) return []
  const of = (severity: Finding['severity']): number => findings.filter((one) => one.severity === severity).length
  return [clipped(`${say.findingCounts(of('error'), of('warning'), of('info'))}: toolgate check`, width)]
}
