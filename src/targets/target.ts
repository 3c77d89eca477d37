// What is known of one receiver of tool lists: every figure with how sure it is and where it was read.

import type { TargetFacts } from '../core/run-facts.ts'

/** D: documentation or specification. O: seen in error texts, issue threads or client source. U: not confirmed. */
export type Certainty = 'D' | 'O' | 'U'

/** A value, how sure it is, and where it was read; `undefined` as value means that no limit is known. */
export type Figure<T> = readonly [value: T, certainty: Certainty, source: string]

type FigureName = Exclude<keyof TargetFacts, 'name' | 'origin'>

export type TargetFigures = { readonly [name in FigureName]-?: Figure<TargetFacts[name]> }

export interface Target {
  readonly name: string
  readonly kind: 'any' | 'provider' | 'client'
  readonly figures: TargetFigures
}
