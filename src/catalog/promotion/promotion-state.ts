// What is stored of a thread's promotions.

/** search: among the best of a ranked query. select: asked for by name. routing: words of the user's message. operator: a person. */
export type PromotedBy = 'search' | 'select' | 'routing' | 'operator'

export interface Promotion {
  /** Surface name. */
  readonly name: string
  /** Of the definition that was shown (`CatalogEntry.definitionHash`). */
  readonly definitionHash: string
  readonly by: PromotedBy
  /** Estimated tokens of the definition. */
  readonly tokens: number
}

/** Plain JSON, stored as it is. */
export interface PromotionState {
  readonly version: 1
  /** Hash of the catalog that the state was last held against. */
  readonly catalogHash: string
  /** Least recently promoted first; promoting again moves to the end. */
  readonly promoted: readonly Promotion[]
}
