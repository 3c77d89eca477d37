// Findings for people: by severity, each with its place, what is wrong, and what to do.

import type { Finding } from '../core/finding.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { widthOf, wrapped } from './layout.ts'
import { colourOf, styleOf, type TextStyle } from './paint.ts'
import { phrases } from './phrases.ts'
import type { Lang } from './words.ts'

/** The findings as lines of text, and how many there are of each severity. */
export function checkText(findings: readonly Finding[], options: TextStyle & { readonly lang: Lang }): string {
  const style = styleOf(options)
  const { paint } = style
  const say = phrases[options.lang]
  if (findings.length === 0) return paint.green(say.noProblems)
  const groups = (['error', 'warning', 'info'] as const).map((severity) => ({
    severity,
    list: findings.filter((one) => one.severity === severity),
  }))
  const blocks = groups
    .filter(({ list }) => list.length > 0)
    .map(({ severity, list }) => {
      const head = paint.bold(colourOf(severity, paint)(`${say.severity[severity]} (${list.length})`))
      return [head, ...list.flatMap((one) => findingBlock(one, style))].join('\n')
    })
  const [errors = 0, warnings = 0, infos = 0] = groups.map(({ list }) => list.length)
  return [...blocks, say.findingCounts(errors, warnings, infos)].join('\n\n')
}

function findingBlock(
  { code, message, hint, origin, severity }: Finding,
  { paint, width }: Required<TextStyle>,
): string[] {
  const place = printable(originText(origin), 200)
  const beside = widthOf(code) + widthOf(place) + 4 <= width
  const name = colourOf(severity, paint)(code)
  const head = place === '' || !beside ? [`  ${name}`] : [`  ${name}  ${paint.dim(place)}`]
  if (!beside) head.push(...wrapped(place, width - 4).map((line) => `    ${paint.dim(line)}`))
  const about = wrapped(printable(message, 600), width - 4).map((line) => `    ${line}`)
  if (hint === undefined) return [...head, ...about]
  const [first, ...more] = wrapped(printable(hint, 400), width - 6)
  return [...head, ...about, `    ${paint.cyan('→')} ${first ?? ''}`, ...more.map((line) => `      ${line}`)]
}
