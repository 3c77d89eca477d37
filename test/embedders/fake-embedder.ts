// An embedder that needs no model: every word has a direction of its own, made from its letters, and words that are
// planted as synonyms share one (some of another language, which no table of words knows). Deterministic, so a test knows what is near to what.

import type { Embedder } from '../../src/catalog/embedding/embedder.ts'

const meanings = new Map<string, string>(
  [
    ['delete', 'erase', 'usun', 'skasuj'],
    ['file', 'document', 'plik'],
    ['weather', 'forecast', 'pogoda'],
    ['message', 'note'],
  ].flatMap(([first = '', ...others]) => others.map((other) => [other, first] as const)),
)

export interface FakeEmbedder extends Embedder {
  /** The texts of each call, in their order. */
  readonly calls: readonly (readonly string[])[]
}

export interface FakeOptions {
  readonly id?: string
  readonly dimensions?: number
  /** Takes the place of the answer. Called with the number of the call, from 0. */
  readonly answer?: (
    call: number,
    vectors: readonly Float32Array[],
    signal: AbortSignal | undefined,
  ) => Promise<readonly Float32Array[]>
}

export function fakeEmbedder({ id = 'fake@1', dimensions = 64, answer }: FakeOptions = {}): FakeEmbedder {
  const calls: (readonly string[])[] = []
  return {
    id,
    dimensions,
    calls,
    embed: async (texts, signal) => {
      calls.push([...texts])
      const vectors = texts.map((text) => vectorOf(text, dimensions))
      return answer === undefined ? vectors : answer(calls.length - 1, vectors, signal)
    },
  }
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let seed = 2166136261
    for (const char of meanings.get(word) ?? word) seed = Math.imul(seed ^ char.charCodeAt(0), 16777619)
    for (let at = 0; at < dimensions; at++) {
      seed = Math.imul(seed ^ (seed >>> 15), 2246822519) + at
      vector[at] = (vector[at] ?? 0) + (((seed >>> 8) & 0xffff) / 0x8000 - 1)
    }
  }
  return vector
}
