// How good one answer is, and how good many are. A need is a list of interchangeable tools: one of them meets it.

export const recallDepths = [1, 3, 5, 10, 20] as const
export type RecallDepth = (typeof recallDepths)[number]

/** How many names a system is asked for: the deepest that is looked at. */
export const answerMax = 20
const gainDepth = 5
const rankDepth = 10

/** Fractions of 1. */
export interface Scores {
  /** Share of the needs that the first k names meet. */
  readonly recall: { readonly [depth in RecallDepth]: number }
  /** Discounted gain of the first 5 names over the best possible one; each need is counted once. */
  readonly ndcg5: number
  /** 1 over the place of the first relevant name, 0 when none is among the first 10; averaged, the MRR. */
  readonly mrr: number
}

/** What a query asks for. */
export interface Wanted {
  /** At least one need, each of at least one tool. */
  readonly needs: readonly (readonly string[])[]
  /** Every tool that answers. */
  readonly relevant: ReadonlySet<string>
}

/** Scores of one answer: names, best first. */
export function scoresOf({ needs, relevant }: Wanted, names: readonly string[]): Scores {
  const first = names.slice(0, rankDepth).findIndex((name) => relevant.has(name))
  return {
    recall: recallAt((depth) => metBy(needs, names.slice(0, depth)) / needs.length),
    ndcg5: gain(needs, names) / bestGain(needs.length),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

/** The plain mean over queries; zeros of none. */
export function meanOf(all: readonly Scores[]): Scores {
  const mean = (of: (scores: Scores) => number): number =>
    all.length === 0 ? 0 : all.reduce((sum, scores) => sum + of(scores), 0) / all.length
  return {
    recall: recallAt((depth) => mean((scores) => scores.recall[depth])),
    ndcg5: mean((scores) => scores.ndcg5),
    mrr: mean((scores) => scores.mrr),
  }
}

const recallAt = (of: (depth: RecallDepth) => number): Scores['recall'] =>
  Object.fromEntries(recallDepths.map((depth) => [depth, of(depth)])) as { [depth in RecallDepth]: number }

const metBy = (needs: Wanted['needs'], names: readonly string[]): number => {
  const had = new Set(names)
  return needs.filter((need) => need.some((name) => had.has(name))).length
}

/** A name meets the first need that it answers and that no earlier name met. */
function gain(needs: Wanted['needs'], names: readonly string[]): number {
  const open = new Set(needs)
  let sum = 0
  for (const [at, name] of names.slice(0, gainDepth).entries()) {
    const met = [...open].find((need) => need.includes(name))
    if (met === undefined) continue
    open.delete(met)
    sum += discount(at)
  }
  return sum
}

const bestGain = (needs: number): number =>
  Array.from({ length: Math.min(needs, gainDepth) }, (_, at) => discount(at)).reduce((sum, one) => sum + one, 0)

const discount = (at: number): number => 1 / Math.log2(at + 2)
