// The description of a tool for a target: never empty where one is required, never longer than what is kept.

import type { Definition } from '../core/candidate.ts'
import type { TargetFacts } from '../core/run-facts.ts'
import { wellFormedCut } from './schema/schema-node.ts'

/** Stands at the end of a description that was cut, and counts against the limit. */
const cutMark = ' … [cut]'

export interface FittedDescription {
  readonly description: string
  readonly change: 'none' | 'filled' | 'cut'
}

/**
 * An empty description becomes the title, else the name in words; one that is too long ends with a mark (C-070,
 * C-071). Lengths are counted in code units, which is never less than what a provider counts.
 */
export function fitDescription(
  { description, title }: Pick<Definition, 'description' | 'title'>,
  name: string,
  { descriptionRequired, descriptionMax }: Pick<TargetFacts, 'descriptionRequired' | 'descriptionMax'>,
): FittedDescription {
  const empty = descriptionRequired && description.trim() === ''
  const text = empty
    ? (typeof title === 'string' ? title.trim() : '') || name.replaceAll(/[_-]+/g, ' ').trim() || name
    : description
  if (descriptionMax === undefined || text.length <= descriptionMax) {
    return { description: text, change: empty ? 'filled' : 'none' }
  }
  const room = descriptionMax - cutMark.length
  if (room <= 0) return { description: wellFormedCut(text, descriptionMax), change: 'cut' }
  return { description: `${wellFormedCut(text, room).trimEnd()}${cutMark}`, change: 'cut' }
}
