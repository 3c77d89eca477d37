// The figures as tables for people, and one line a set that says where we stand.

import { printable } from '../../src/core/printable.ts'
import type { Measured } from './measure.ts'
import { recallDepths, type Scores } from './metrics.ts'
import type { Figures } from './search-json.ts'

export interface TextOptions {
  /** Id of our system; the others are baselines. */
  readonly ours: string
  /** Whose time ours is told as a ratio of. */
  readonly timedAgainst: string
}

type Row = readonly string[]
type Systems = ReadonlyMap<string, Measured>

/** Lines of the whole report. */
export function searchText(figures: Figures, { ours, timedAgainst }: TextOptions): string[] {
  return [
    ...[...figures].flatMap(([set, systems]) => setTable(set, systems, ours)),
    ...kindTable(figures, ours),
    ...[...figures].map(([set, systems]) => `${printable(set)}: ${standing(systems, ours, timedAgainst)}`),
  ]
}

function setTable(set: string, systems: Systems, ours: string): string[] {
  const [first] = systems.values()
  const head = ['', ...recallDepths.map((depth) => `R@${depth}`), 'nDCG@5', 'MRR', 'µs/query', 'build ms']
  const rows = [...systems].map(([id, { recall, ndcg5, mrr, usPerQuery, buildMs }]) => [
    label(id, ours),
    ...recallDepths.map((depth) => percent(recall[depth])),
    percent(ndcg5),
    percent(mrr),
    usPerQuery.toFixed(usPerQuery < 100 ? 1 : 0),
    buildMs.toFixed(buildMs < 10 ? 1 : 0),
  ])
  return [`${printable(set)} (${first?.queries ?? 0} queries)`, ...aligned([head, ...rows]), '']
}

/** Recall@5: a line for each kind of each set, a column for each system. */
function kindTable(figures: Figures, ours: string): string[] {
  const ids = [...new Set([...figures.values()].flatMap((systems) => [...systems.keys()]))]
  const rows = [...figures].flatMap(([set, systems]) => {
    const [first] = systems.values()
    return [...(first?.kinds ?? [])].map(([kind, { queries }]) => [
      `${printable(set)} ${printable(kind)}`,
      String(queries),
      ...ids.map((id) => percent(systems.get(id)?.kinds.get(kind)?.recall[5])),
    ])
  })
  const head = ['', 'queries', ...ids.map((id) => label(id, ours))]
  return ['recall@5 by kind of query, %', ...aligned([head, ...rows]), '']
}

const measures: readonly (readonly [string, (scores: Scores) => number])[] = [
  ...recallDepths.map((depth) => [`recall@${depth}`, (scores: Scores) => scores.recall[depth]] as const),
  ['nDCG@5', (scores) => scores.ndcg5],
  ['MRR', (scores) => scores.mrr],
]

/** Whether our recall@5 is above that of every baseline, in which other measures it is not, and what ours costs. */
function standing(systems: Systems, ours: string, timedAgainst: string): string {
  const own = systems.get(ours)
  const others = [...systems].filter(([id]) => id !== ours)
  if (own === undefined || others.length === 0) return `${own === undefined ? 'ours' : 'no baseline'} was not measured`
  const best = (of: (scores: Scores) => number) =>
    others.map(([id, scores]) => ({ id, value: of(scores) })).reduce((a, b) => (b.value > a.value ? b : a))
  const next = best((scores) => scores.recall[5])
  const by = own.recall[5] - next.value
  const ahead = by > 0 ? 'ahead of every baseline' : by === 0 ? 'level with a baseline' : 'BEHIND a baseline'
  const notAhead = measures.flatMap(([what, of]) => {
    const top = best(of)
    return of(own) < top.value ? [`${what} (${top.id} ${percent(top.value)}, ours ${percent(of(own))})`] : []
  })
  const peer = systems.get(timedAgainst)
  return [
    `${ahead} in recall@5 (next is ${next.id}, ${by < 0 ? '−' : '+'}${percent(Math.abs(by))} points)`,
    notAhead.length === 0 ? 'behind in no measure' : `behind in ${notAhead.join(', ')}`,
    ...(peer === undefined ? [] : [`${(own.usPerQuery / peer.usPerQuery).toPrecision(2)} × µs of ${timedAgainst}`]),
  ].join('; ')
}

const label = (id: string, ours: string): string => (id === ours ? `* ${id}` : id)
const percent = (fraction: number | undefined): string => (fraction === undefined ? '' : (fraction * 100).toFixed(1))

/** First column to the left, figures to the right. */
function aligned(rows: readonly Row[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .replace(/^/, '  ')
      .trimEnd(),
  )
}
