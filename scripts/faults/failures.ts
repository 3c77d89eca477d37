// What a call that must fail says, and how long that took.

import { CallFailure } from '../../src/sessions/call-failure.ts'

export interface Failed {
  readonly code: string
  readonly message: string
  readonly ms: number
}

/** The failure of a call; undefined when it gave a result. */
export async function failureOf(call: Promise<unknown>): Promise<Failed | undefined> {
  const begin = performance.now()
  try {
    await call
    return undefined
  } catch (error) {
    const ms = performance.now() - begin
    if (error instanceof CallFailure) return { code: error.code, message: error.message, ms }
    return { code: 'none', message: error instanceof Error ? error.message : String(error), ms }
  }
}

/** A miss for whatever is not so. */
export const expects = (...wants: readonly (readonly [boolean, string])[]): string[] =>
  wants.filter(([holds]) => !holds).map(([, miss]) => miss)

/** A miss when a call did not fail with this code within so long. */
export function failsWith(failed: Failed | undefined, code: string, withinMs: number): string[] {
  if (failed === undefined) return [`a call gave a result where ${code} was due`]
  return expects(
    [failed.code === code, `a call failed with ${failed.code} (${failed.message}), not ${code}`],
    [failed.ms <= withinMs, `${code} took ${Math.round(failed.ms)} ms, over ${withinMs}`],
  )
}

export const textOf = (result: unknown): string => {
  const { content } = result as { readonly content?: readonly { readonly text?: string }[] }
  return content?.[0]?.text ?? ''
}
