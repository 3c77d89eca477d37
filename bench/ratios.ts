// How every benchmark reports: a figure, its peer of the same run, their ratio, and the most that is accepted.

export interface Ratio {
  readonly what: string
  readonly value: number
  readonly peer: string
  readonly peerValue: number
  /** Absent: told, but nothing is promised. */
  readonly most?: number
}

export interface RatioReport {
  readonly title: string
  /** What was measured, one line each. */
  readonly about: readonly string[]
  readonly ratios: readonly Ratio[]
  readonly figure: (value: number) => string
}

export const milliseconds = (value: number): string =>
  value < 1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(1)} ms`

/** The middle value; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Prints the table, or with `--json` the same as data; the process then ends with 1 when a promise is not kept. */
export function printRatios({ title, about, ratios, figure }: RatioReport): void {
  const rows = ratios.map((ratio) => ({ ...ratio, ratio: ratio.value / ratio.peerValue, kept: isKept(ratio) }))
  if (process.argv.includes('--json')) {
    console.log(
      JSON.stringify({ schema: 'toolgate.bench/1', title, about, node: process.version, ratios: rows }, undefined, 2),
    )
  } else {
    console.log(`${title} (Node ${process.version})`)
    for (const line of about) console.log(`  ${line}`)
    const table = [
      ['', 'figure', 'peer', '', 'ratio', 'at most', ''],
      ...rows.map((row) => [
        row.what,
        figure(row.value),
        row.peer,
        figure(row.peerValue),
        row.ratio.toPrecision(3),
        row.most?.toString() ?? '',
        row.most === undefined ? '' : row.kept ? 'kept' : 'OVER',
      ]),
    ]
    for (const cells of table)
      console.log(
        `  ${cells
          .map((cell, at) => cell.padEnd(widthOf(table, at)))
          .join('  ')
          .trimEnd()}`,
      )
  }
  if (rows.some((row) => !row.kept)) process.exitCode = 1
}

/** What cannot be measured is no kept promise. */
const isKept = ({ value, peerValue, most }: Ratio): boolean => most === undefined || value / peerValue <= most

const widthOf = (table: readonly (readonly string[])[], at: number): number =>
  Math.max(...table.map((cells) => cells[at]?.length ?? 0))
