// Small states for tests of stores, and for the processes that such tests start.

import type { PromotionState } from '../../src/catalog/promotion.ts'
import { ToolgateError } from '../../src/errors.ts'
import type { ThreadKey } from '../../src/state/state-store.ts'
import { sha256 } from '../../src/testing/world.ts'

export const key: ThreadKey = { user: 'user', thread: 'thread', agent: 'main' }

export const aState = (...names: readonly string[]): PromotionState => ({
  version: 1,
  catalogHash: sha256('catalog'),
  promoted: names.map((name) => ({ name, definitionHash: sha256(name), by: 'search', tokens: 7 })),
})

/** A change that adds one promotion to whatever is there. */
export const withName =
  (name: string) =>
  (before: PromotionState | undefined): PromotionState => ({
    ...aState(),
    promoted: [...(before?.promoted ?? []), ...aState(name).promoted],
  })

export const namesOf = (state: PromotionState | undefined): readonly string[] =>
  (state?.promoted ?? []).map(({ name }) => name)

/** The code of the ToolgateError that something ends with; what it says, where it is no such error. */
export async function codeOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
    return 'no error'
  } catch (error) {
    return error instanceof ToolgateError ? error.finding.code : String(error)
  }
}
