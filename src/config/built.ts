// What comes of one entry: something usable, or something that stays visible and says why it is not.

import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import type { UnusableEntry } from './config.ts'
import { isMapping, originIn, type Part } from './part.ts'

export interface Built<T> {
  readonly built?: T
  readonly unusable?: UnusableEntry
  readonly findings: readonly Finding[]
}

/** An entry that cannot be used, with its first error as the reason. */
export function unusableEntry(
  kind: UnusableEntry['kind'],
  name: string,
  part: Part,
  findings: readonly Finding[],
  state: UnusableEntry['state'] = 'not-configured',
): { readonly unusable: UnusableEntry; readonly findings: readonly Finding[] } {
  const first = findings.find((found) => found.severity === 'error')
  const detail = first === undefined ? 'it cannot be used' : first.message
  const { group, required } = isMapping(part.value) ? part.value : {}
  return {
    unusable: {
      kind,
      name,
      state,
      detail,
      ...(typeof group === 'string' ? { group: printable(group, 128) } : {}),
      ...(required === true ? { required } : {}),
      origin: first?.origin ?? originIn(part),
    },
    findings,
  }
}
