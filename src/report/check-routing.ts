// Keywords that route nothing: whoever wrote them believes that requests with these words find the tool.

import { routingIndex } from '../catalog/routing/routing-index.ts'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import type { Run } from './run.ts'

const because = {
  'one-character': 'it is a single character, which stands in nearly every message',
  'no-word': 'it holds no word',
  'too-long': 'it is too long',
} as const

/** One finding for each keyword, of whatever tools; those of excluded tools are not looked at. */
export function routingFindings({ surface }: Run): readonly Finding[] {
  const tools = surface.decisions
    .filter(({ outcome, candidate }) => outcome !== 'excluded' && candidate.routing !== undefined)
    .map(({ name, candidate }) => ({
      name,
      originalName: candidate.originalName,
      keywords: candidate.routing?.keywords ?? [],
      priority: candidate.routing?.priority ?? 0,
      origin: candidate.origin,
    }))
  const origins = new Map(tools.map(({ name, origin }) => [name, origin]))
  const told = new Map<string, Finding>()
  for (const { keyword, tools: named, why } of routingIndex(tools).notes) {
    const subject = printable(keyword, 80)
    const message = `the keyword "${subject}" routes nothing: ${because[why]}`
    for (const origin of new Set(named.flatMap((name) => origins.get(name) ?? [])))
      told.set(
        `${keyword} ${origin.in} ${origin.key}`,
        finding('keyword-not-used', 'warning', message, { subject, origin }),
      )
  }
  return [...told.values()]
}
