// A route for people: what fits, with the words that matched; what would have fitted but is not there, apart.

import { printable } from '../core/printable.ts'
import { columnWidths, tableLine } from './layout.ts'
import { colourOf, styleOf, type TextStyle } from './paint.ts'
import { type Phrases, phrases } from './phrases.ts'
import type { Route, RouteMatch } from './route.ts'
import { sourceText } from './tools-table.ts'
import type { Lang } from './words.ts'

/** The route as lines of text. */
export function routeText(route: Route, options: TextStyle & { readonly lang: Lang }): string {
  const style = styleOf(options)
  const { paint } = style
  const say = phrases[options.lang]
  const blocks =
    route.matches.length === 0
      ? [[say.noMatch]]
      : [[...matchRows(route.matches, say, style), paint.dim(say.showing(route.matches.length, route.total))]]
  if (route.hidden.length > 0) {
    blocks.push([paint.bold(say.alsoHidden), ...hiddenRows(route.hidden, say, style)])
  }
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

function matchRows(matches: readonly RouteMatch[], say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const rows = matches.map((match) => [
    printable(match.name, 128),
    match.exact ? '=' : match.score.toFixed(2),
    say.outcome[match.outcome],
    sourceText(match),
    matchedText(match),
  ])
  const columns = [
    { head: say.heads.name, max: Math.floor(width * 0.4) },
    { head: say.heads.score, side: 'right' as const },
    { head: say.heads.outcome },
    { head: say.heads.source, max: Math.floor(width * 0.2) },
    { head: say.heads.matched },
  ]
  const widths = columnWidths(columns, rows, width)
  const heads = columns.map((column) => column.head)
  return [
    paint.dim(tableLine(heads, columns, widths)),
    ...rows.map((row, at) =>
      tableLine(row, columns, widths, (cell, column) => {
        if (column === 2) return colourOf(matches[at]?.outcome ?? 'excluded', paint)(cell)
        return column === 0 ? cell : paint.dim(cell)
      }),
    ),
  ]
}

function hiddenRows(hidden: readonly RouteMatch[], say: Phrases, { paint, width }: Required<TextStyle>): string[] {
  const rows = hidden.map((match) => [
    printable(match.name, 128),
    sourceText(match),
    `${match.settledBy}: ${match.why}`,
  ])
  const columns = [
    { head: say.heads.name, max: Math.floor(width * 0.4) },
    { head: say.heads.source, max: Math.floor(width * 0.2) },
    { head: say.heads.why },
  ]
  const widths = columnWidths(columns, rows, width)
  return rows.map((row) =>
    tableLine(row, columns, widths, (cell, column) => (column === 2 ? colourOf('excluded', paint)(cell) : cell)),
  )
}

/** `invoice (name, description), send (name)` */
function matchedText({ matched }: RouteMatch): string {
  return matched.map(({ term, in: places }) => `${printable(term, 40)} (${places.join(', ')})`).join(', ')
}
