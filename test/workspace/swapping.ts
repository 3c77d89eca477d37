import { Worker } from 'node:worker_threads'

/** What swapper.mjs does to one host path. */
export type Swap =
  | { readonly kind: 'away' | 'hardlink'; readonly at: string; readonly to: string }
  | { readonly kind: 'relink'; readonly at: string; readonly to: string; readonly back: string }

export interface Swapper {
  readonly swaps: () => number
  /** Everything is as it was when this resolves. Rejects when the swapper failed. */
  readonly end: () => Promise<void>
}

/** Starts a thread that swaps these in turn, without a pause. */
export async function swapping(swaps: readonly Swap[]): Promise<Swapper> {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL('./swapper.mjs', import.meta.url), { workerData: { swaps, shared } })
  let failure: unknown
  const ended = new Promise<void>((resolve) => {
    worker.on('error', (error) => {
      failure = error
      resolve()
    })
    worker.on('exit', () => resolve())
  })
  await Promise.race([new Promise((resolve) => worker.once('message', resolve)), ended])
  return {
    swaps: () => Atomics.load(shared, 1),
    end: async () => {
      Atomics.store(shared, 0, 1)
      await ended
      if (failure !== undefined) throw failure
    },
  }
}
