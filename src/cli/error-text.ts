import type { Finding } from '../core/finding.ts'
import { originText } from '../core/origin.ts'
import type { Paint } from '../report/paint.ts'

/** An error for people: what, where, what to do. Three lines at most. */
export function errorLines(found: Finding, paint: Paint): string[] {
  const colour = found.severity === 'error' ? paint.red : paint.yellow
  const place = originText(found.origin)
  return [
    `${colour(found.severity)} ${paint.dim(found.code)}  ${found.message}`,
    ...(place === '' ? [] : [`  ${paint.dim('at')} ${place}`]),
    ...(found.hint === undefined ? [] : [`  ${paint.dim('do')} ${found.hint}`]),
  ]
}
