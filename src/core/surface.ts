// The surface is what remains: one decision for every candidate, frozen, with a hash. List, search, show,
// route, call, children and reports read it; nobody decides again.

import type { Decision, Outcome } from './decision.ts'
import { foldName } from './json.ts'
import type { RunFacts } from './run-facts.ts'

export interface Totals {
  readonly candidates: number
  readonly eager: number
  readonly deferred: number
  readonly excluded: number
}

export interface Surface {
  readonly facts: RunFacts
  /** Ids of the gates, in order. */
  readonly gates: readonly string[]
  /** One for each candidate, in the order of sources. */
  readonly decisions: readonly Decision[]
  readonly totals: Totals
  /** SHA-256 over identities, names, outcomes, codes and definitions: equal hash, equal surface. */
  readonly hash: string
  /** The exposed tool (eager or deferred) of exactly this name. Nothing else can be called. */
  readonly find: (name: string) => Decision | undefined
  /** Every decision that a person may mean by a word: surface, original, declared or qualified name, any case. */
  readonly named: (word: string) => readonly Decision[]
  readonly withOutcome: (outcome: Outcome) => readonly Decision[]
}

/** Puts decisions behind look-ups. Maps, because names come from strangers. */
export function makeSurface(input: Pick<Surface, 'facts' | 'gates' | 'decisions' | 'hash'>): Surface {
  const by = { eager: [] as Decision[], deferred: [] as Decision[], excluded: [] as Decision[] }
  const exposed = new Map<string, Decision>()
  for (const decision of input.decisions) {
    by[decision.outcome].push(decision)
    if (decision.outcome !== 'excluded' && !exposed.has(decision.name)) exposed.set(decision.name, decision)
  }
  Object.freeze(by.eager)
  Object.freeze(by.deferred)
  Object.freeze(by.excluded)

  let words: Map<string, Decision[]> | undefined
  return Object.freeze({
    ...input,
    totals: Object.freeze({
      candidates: input.decisions.length,
      eager: by.eager.length,
      deferred: by.deferred.length,
      excluded: by.excluded.length,
    }),
    find: (name: string) => (typeof name === 'string' ? exposed.get(name) : undefined),
    named: (word: string) => {
      words ??= wordsOf(input.decisions)
      return words.get(foldName(word)) ?? []
    },
    withOutcome: (outcome: Outcome) => by[outcome],
  })
}

function wordsOf(decisions: readonly Decision[]): Map<string, Decision[]> {
  const words = new Map<string, Decision[]>()
  for (const decision of decisions) {
    for (const word of new Set(spellings(decision).map(foldName))) {
      const list = words.get(word)
      if (list === undefined) words.set(word, [decision])
      else list.push(decision)
    }
  }
  return words
}

/** The ways a person may name a tool: as the model sees it, as its owner calls it, with its server, by label, by identity. */
export function spellings(decision: Decision): string[] {
  const { candidate } = decision
  const names = [decision.name, candidate.name, candidate.originalName, candidate.id]
  if (candidate.declaredName !== undefined) names.push(candidate.declaredName)
  if (candidate.server !== undefined) {
    names.push(`${candidate.server}/${candidate.originalName}`, `mcp__${candidate.server}__${candidate.originalName}`)
    if (candidate.standIn === true) names.push(candidate.server)
  }
  return names
}
