// One question to an embedder: with a deadline, called off when nobody waits, and its answer checked. Never rejects.

import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { type ErrorCode, finding, ToolgateError } from '../../errors.ts'
import type { Embedder } from './embedder.ts'

/** slow: no answer in time. cancelled: nobody waits any more. failed: it threw, or what it gave cannot be used. */
export type Asked<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'slow' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: ToolgateError }

export interface AskOptions {
  readonly timeoutMs: number
  /** Absent: nobody calls it off. */
  readonly signal?: AbortSignal
  /** Called when the embedder is really through, however long after the deadline. */
  readonly onSettled?: () => void
}

/** A vector of length 1 for each text, in their order; zeros stay zeros. */
export const askVectors = (
  embedder: Embedder,
  texts: readonly string[],
  options: AskOptions,
): Promise<Asked<readonly Float32Array[]>> =>
  ask(embedder, options, async (signal) => {
    const vectors: unknown = await embedder.embed(texts, signal)
    return unitVectors(vectors, { id: embedder.id, dimensions: embedder.dimensions, count: texts.length })
  })

export const askToPrepare = (embedder: Embedder, options: AskOptions): Promise<Asked<void>> =>
  ask(embedder, options, async (signal) => embedder.prepare?.(signal))

function ask<T>(
  embedder: Embedder,
  { timeoutMs, signal, onSettled }: AskOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Asked<T>> {
  if (signal?.aborted) {
    onSettled?.()
    return Promise.resolve({ kind: 'cancelled' })
  }
  return new Promise((resolve) => {
    const inner = new AbortController()
    const end = (asked: Asked<T>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      resolve(asked)
      // After a timely answer nothing is left to call off, and a second abort does nothing.
      if (asked.kind !== 'answer') inner.abort()
    }
    const cancel = () => end({ kind: 'cancelled' })
    const timer = setTimeout(() => end({ kind: 'slow' }), timeoutMs)
    signal?.addEventListener('abort', cancel, { once: true })
    work(inner.signal)
      .then(
        (value) => end({ kind: 'answer', value }),
        (error: unknown) => end({ kind: 'failed', error: asToolgateError(embedder, error) }),
      )
      .finally(() => onSettled?.())
  })
}

interface Expected {
  readonly id: string
  readonly dimensions: number
  readonly count: number
}

/** INVARIANT: no number gets into an index that is not finite; one NaN would make every comparison false. */
function unitVectors(vectors: unknown, { id, dimensions, count }: Expected): readonly Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count)
    throw faulty(id, `it gave ${Array.isArray(vectors) ? vectors.length : 'no'} vectors for ${count} texts`)
  return vectors.map((vector: unknown) => {
    const unit = unitVector(vector, dimensions)
    if (typeof unit === 'string') throw faulty(id, unit)
    return unit
  })
}

/** A copy of length 1, zeros of zeros, or what is wrong with it. */
export function unitVector(vector: unknown, dimensions: number): Float32Array | string {
  if (!(vector instanceof Float32Array)) return 'a vector of it is no Float32Array'
  if (vector.length !== dimensions) return `a vector of it has ${vector.length} numbers instead of ${dimensions}`
  let squares = 0
  for (const number of vector) squares += number * number
  if (!Number.isFinite(squares)) return 'a vector of it holds a number that is not finite'
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  const unit = new Float32Array(dimensions)
  for (let at = 0; at < dimensions; at++) unit[at] = (vector[at] ?? 0) * scale
  return unit
}

const faulty = (id: string, what: string): ToolgateError =>
  new ToolgateError(embedderFinding('embedder-faulty', id, what))

const asToolgateError = ({ id }: Embedder, error: unknown): ToolgateError =>
  error instanceof ToolgateError
    ? error
    : new ToolgateError(embedderFinding('embedder-unavailable', id, `it failed: ${wordsOf(error)}`))

/** What is thrown may be anything, an object whose text cannot be had included. */
export function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'it does not say why'
  }
}

/** A warning about an embedder; foreign words in it are made printable and cut. */
export function embedderFinding(code: ErrorCode, id: string, what: string): Finding {
  const subject = printable(id, 80)
  const hint = 'tools are found by their words alone until this is mended'
  return finding(code, 'warning', `embedder "${subject}": ${printable(what, 200)}`, { subject, hint })
}
