// The figures of the ranking, found by search over the development queries of five public sets. None is set for a single
// tool or query. When they are searched for on one half of the queries, the other half gains nothing: finer than this the
// data cannot tell.

/** Fields of a document, in the order in which counts of words are kept. */
export const searchFields = ['name', 'keywords', 'server', 'lead', 'rest', 'arguments', 'argumentTexts'] as const
export type SearchField = (typeof searchFields)[number]

interface FieldWeight {
  /** What a word in this field counts. */
  readonly weight: number
  /** How much of that the length of the field takes away, between 0 and 1 (the `b` of BM25). */
  readonly byLength: number
}

interface Weights {
  readonly fields: { readonly [field in SearchField]: FieldWeight }
  /** How soon the same word counts no more when it is repeated (the `k1` of BM25). */
  readonly saturation: number
  /** Largest bonus for a name, when the query covers it whole. */
  readonly nameCover: number
  /** What a match counts, of 1 for the word itself, when it comes by a short or long form of the word … */
  readonly sameWord: number
  /** … by a word derived from the same root … */
  readonly sameRoot: number
  /** … by a word of the same use … */
  readonly alike: number
  /** … by the kind of thing that the word names … */
  readonly kind: number
  /** … by words of a configured group … */
  readonly configured: number
  /** … by a word of which the asked one may be a misspelling … */
  readonly spelling: number
  /** … by the word joined with its neighbour, or by its two halves. */
  readonly compound: number
  /** A document that answers one word in several ways: what the ways after the best one count. */
  readonly otherWays: number
  /** What a word that stands for another counts less, when the query says it anyway. */
  readonly saidAnyway: number
  /** What a word counts for further hits, once the name of a hit before them has it. */
  readonly again: number
  /** What the best clause of a long query counts, of 1 for the whole. */
  readonly clause: number
  /** Length from which a query is taken apart into clauses. */
  readonly clauseCharsMin: number
}

export const weights: Weights = {
  fields: {
    name: { weight: 1.4, byLength: 0 },
    keywords: { weight: 1.4, byLength: 0 },
    server: { weight: 1.6, byLength: 0.6 },
    lead: { weight: 1, byLength: 0.7 },
    rest: { weight: 0.2, byLength: 0.2 },
    arguments: { weight: 0.9, byLength: 0.7 },
    argumentTexts: { weight: 0.4, byLength: 0.5 },
  },
  saturation: 0.4,
  nameCover: 0.6,
  sameWord: 0.85,
  sameRoot: 0.7,
  alike: 0.5,
  kind: 0.3,
  configured: 0.9,
  spelling: 0.7,
  compound: 0.8,
  otherWays: 0.4,
  saidAnyway: 0.7,
  again: 0.9,
  clause: 1.5,
  clauseCharsMin: 250,
}
