// What turns texts into vectors. Optional: without one, tools are found by their words alone.

import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'

/**
 * An embedder of one's own is a module that exports an object of this form. It is asked in the background and with
 * deadlines, and whatever it does wrong costs no search; but it runs in this process, so one that computes for long
 * should do so in a thread or a process of its own, as `useLite` does.
 */
export interface Embedder {
  /** Model and version, 1 to 200 printable characters. Vectors are kept under it: another model needs another id. */
  readonly id: string
  /** How many numbers a vector has: a whole number, 1 to 4096. */
  readonly dimensions: number
  /**
   * One vector for each text, in their order, of `dimensions` finite numbers each; their lengths make no difference.
   * Texts are of at most 500 characters, queries and tools alike, and may be of any language; for one that it has no
   * notion of it gives zeros, and words alone count. It rejects when it cannot answer, and soon when the signal says that
   * nobody waits any more.
   */
  readonly embed: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>
  /** Loads what the first query would otherwise wait for. Absent: there is nothing to load. */
  readonly prepare?: (signal?: AbortSignal) => Promise<void>
  /** Ends what it started: threads, connections. Safe to call again; an embedder that is asked afterwards starts anew. */
  readonly close?: () => Promise<void>
}

/** Text handed to an embedder is cut to this many UTF-16 units. */
export const embeddedCharsMax = 500
const dimensionsMax = 4096

/**
 * The value as an embedder whose id and dimensions stay as they are now. Throws a ToolgateError (`embedder-faulty`)
 * that says what it lacks. `from`: what the value is told as, such as `./my.mjs:embedder`.
 */
export function asEmbedder(value: unknown, from: string): Embedder {
  const fault = faultOf(value)
  if (fault !== undefined) {
    const subject = printable(from)
    const hint = 'export an object with id, dimensions and embed(texts)'
    throw new ToolgateError(
      finding('embedder-faulty', 'error', `${subject} is no embedder: ${fault}`, { subject, hint }),
    )
  }
  const embedder = value as Embedder
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embed: (texts, signal) => embedder.embed(texts, signal),
    prepare: async (signal) => embedder.prepare?.(signal),
    close: async () => embedder.close?.(),
  }
}

function faultOf(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return 'it is no object'
  const { id, dimensions, embed, prepare, close } = value as { readonly [key: string]: unknown }
  if (typeof id !== 'string' || id === '' || id.length > 200 || printable(id, 200) !== id)
    return 'its id is not of 1 to 200 printable characters'
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1 || dimensions > dimensionsMax)
    return `its dimensions are no whole number from 1 to ${dimensionsMax}`
  if (typeof embed !== 'function') return 'it has no function embed'
  if (prepare !== undefined && typeof prepare !== 'function') return 'its prepare is no function'
  if (close !== undefined && typeof close !== 'function') return 'its close is no function'
  return undefined
}
