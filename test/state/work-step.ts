import { createHash } from 'node:crypto'
import type { PromotionState } from '../../src/catalog/promotion.ts'
import { aState, withName } from './a-state.ts'

type Change = (before: PromotionState | undefined) => PromotionState | undefined

/** The n-th change of a seed: mostly a promotion, at times one that is taken out, or all of them. */
export function workStep(seed: number, step: number): Change {
  const chance = createHash('sha256').update(`${seed} ${step}`).digest().readUInt32BE(0) % 10
  if (chance === 0) return () => aState()
  if (chance < 3) return (before) => ({ ...aState(), promoted: (before?.promoted ?? []).slice(1) })
  return withName(`tool_${seed}_${step}`)
}

/** What is stored when so many changes are done. */
export function afterSteps(seed: number, steps: number): PromotionState | undefined {
  let state: PromotionState | undefined
  for (let step = 1; step <= steps; step += 1) state = workStep(seed, step)(state)
  return state
}
