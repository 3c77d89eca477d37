/** Numbers from 0 to below 1, the same for the same seed (a linear congruence with the constants of Numerical Recipes). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
