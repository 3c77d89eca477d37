import { canonicalJson, type Json } from '../core/json.ts'

export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem)
}

const text = (value: unknown): string => (value === undefined ? 'nothing' : canonicalJson(value as Json))

/** Throws where two values are not the same as JSON. */
export function same(found: unknown, wanted: unknown, what: string): void {
  must(text(found) === text(wanted), `${what}: ${text(found)} instead of ${text(wanted)}`)
}
