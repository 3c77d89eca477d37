// A search for people: first the answer as a model gets it, then, when asked for, why it is that answer.

import type { ExplainedWord, Explanation } from '../catalog/search/explain.ts'
import { printable } from '../core/printable.ts'
import { terminalText } from './call-text.ts'
import { columnWidths, tableLine } from './layout.ts'
import { colourOf, type Paint, styleOf, type TextStyle } from './paint.ts'
import type { SearchReport } from './search.ts'
import { searchPhrases } from './search-phrases.ts'
import { sourceText } from './tools-table.ts'
import type { Lang } from './words.ts'

/** The report as lines of text. */
export function searchText(report: SearchReport, options: TextStyle & { readonly lang: Lang }): string {
  const style = styleOf(options)
  const { paint } = style
  const say = searchPhrases[options.lang]
  if (report.fault !== undefined) {
    const { code, message, hint } = report.fault
    return `${paint.red(`${code}: ${printable(message, 300)}`)}\n  ${printable(hint, 300)}`
  }
  const blocks =
    report.deferred === 0
      ? [say.nothingDeferred]
      : [terminalText(report.text), paint.dim(say.cost(report.tokens, report.deferred))]
  if (report.explained.length > 0)
    blocks.push(
      [paint.bold(say.why), ...report.explained.map((one) => explainedLines(one, options.lang, paint))].join('\n'),
    )
  if (report.hidden.length > 0) blocks.push([paint.bold(say.hidden), ...hiddenRows(report, style)].join('\n'))
  return blocks.join('\n\n')
}

function explainedLines(one: Explanation, lang: Lang, paint: Paint): string {
  const say = searchPhrases[lang]
  const factors = [
    ...(one.nameCover.share > 0 ? [say.nameCover(one.nameCover.share, one.nameCover.factor)] : []),
    ...(one.diversity < 1 ? [say.diversity(one.diversity)] : []),
    ...(one.clause === undefined ? [] : [say.clause(printable(one.clause, 80))]),
  ]
  const head = [
    `${String(one.rank ?? '–').padStart(3)}. ${printable(one.name, 128)}`,
    one.exact ? paint.green(say.exact) : paint.dim(one.score.toFixed(2)),
    ...factors.map(paint.dim),
  ]
  return [head.join('  '), ...one.words.map((word) => `     ${wordText(word, lang, paint)}`)].join('\n')
}

function wordText({ word, share, matches }: ExplainedWord, lang: Lang, paint: Paint): string {
  const say = searchPhrases[lang]
  const name = printable(word, 40)
  if (matches.length === 0) return paint.dim(`${name}: ${say.noMatch}`)
  const ways = matches.map(({ text, by, fields }) => {
    const how = by === 'itself' ? '' : `${say.by[by]} `
    return `${how}${text === word ? '' : `${printable(text, 40)} `}(${fields.map((field) => say.fields[field]).join(', ')})`
  })
  return `${name}: ${ways.join('; ')} ${paint.dim(`${Math.round(share * 100)} %`)}`
}

function hiddenRows({ hidden }: SearchReport, { paint, width }: Required<TextStyle>): readonly string[] {
  const rows = hidden.map((one) => [printable(one.name, 128), sourceText(one), `${one.settledBy}: ${one.why}`])
  const columns = [{ head: '', max: Math.floor(width * 0.4) }, { head: '', max: Math.floor(width * 0.2) }, { head: '' }]
  const widths = columnWidths(columns, rows, width)
  return rows.map((row) =>
    tableLine(row, columns, widths, (cell, column) => (column === 2 ? colourOf('excluded', paint)(cell) : cell)),
  )
}
