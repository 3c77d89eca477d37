// Sets of identities, and the little algebra the oracle is written in.

import type { Candidate } from '../../src/core/candidate.ts'
import type { TargetFacts } from '../../src/core/run-facts.ts'
import { wideFold } from './rule-matcher.ts'

export type Ids = ReadonlySet<string>
/** What a gate takes away, code by code; of two codes for one tool the first counts. */
export type Cuts = readonly (readonly [code: string, ids: Ids])[]

export const union = (...sets: readonly Ids[]): Ids => new Set(sets.flatMap((set) => [...set]))
export const both = (one: Ids, other: Ids): Ids => new Set([...one].filter((id) => other.has(id)))
export const minus = (one: Ids, other: Ids): Ids => new Set([...one].filter((id) => !other.has(id)))
export const none: Ids = new Set()

export type Having = (test: (candidate: Candidate) => boolean) => Ids

/** Makes sets of these candidates by what they have. */
export const havingOf =
  (candidates: readonly Candidate[]): Having =>
  (test) =>
    new Set(candidates.filter(test).map(({ id }) => id))

/** Whether two tools bear one name. */
export const twins = (one: Candidate, other: Candidate): boolean =>
  wideFold(one.name, false) === wideFold(other.name, false)

const charsets = { word: /^\w+$/, 'word-dash': /^[\w-]+$/, 'word-dash-dot-colon': /^[\w.:-]+$/ } as const

/** Whether a target takes a name as it is. */
export const isOfForm = (name: string, { nameMax, nameCharset, nameStartsWithLetter }: TargetFacts): boolean =>
  name.length <= nameMax && charsets[nameCharset].test(name) && (!nameStartsWithLetter || /^[a-z_]/i.test(name))
