// A thread that answers one question after the other. Begun with the first question, and again after it has died; while
// nothing is asked it keeps no process alive. Whoever gives up on a question that waits takes its place from nobody.

import { Worker } from 'node:worker_threads'

export interface WorkerThread<Request, Answer> {
  /** Rejects when the thread dies, when it does not answer in time (it is ended then), and with the signal's reason. */
  readonly ask: (request: Request, signal?: AbortSignal) => Promise<Answer>
  /** Ends it; open questions reject. Safe to call again. */
  readonly end: () => Promise<void>
}

export interface WorkerThreadOptions {
  /** A CommonJS script that answers each message by one message with the same `turn`. */
  readonly source: string
  /** What it is started with. Called when it starts; what it throws goes to whoever asked. */
  readonly data: () => unknown
  /** How long one answer may take once the thread is at it. */
  readonly answerMs: number
}

/**
 * What a library prints must not get into an output that may be a protocol. It is stopped in the thread itself: streams
 * that are taken over by us (`stdout: true`) keep the process alive on Node 20.
 */
const quiet = 'process.stdout.write = process.stderr.write = () => true\n'

interface Job<Request, Answer> {
  readonly request: Request
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export function workerThread<Request extends object, Answer extends { readonly turn: number }>({
  source,
  data,
  answerMs,
}: WorkerThreadOptions): WorkerThread<Request, Answer> {
  const waiting = new Set<Job<Request, Answer>>()
  let worker: Worker | undefined
  let current: (Job<Request, Answer> & { readonly turn: number; readonly patience: NodeJS.Timeout }) | undefined
  let turns = 0

  function begin(): Worker {
    // It needs no secrets of ours, and no flags that load something else first.
    const begun = new Worker(quiet + source, { eval: true, workerData: data(), env: {}, execArgv: [] })
    begun.on('message', (answer: Answer) => {
      if (worker !== begun || answer.turn !== current?.turn) return
      const { resolve } = over(current)
      resolve(answer)
      next()
    })
    begun.on('error', (error) => lost(begun, error))
    begun.on('exit', (code) => lost(begun, new Error(`the thread ended with ${code}`)))
    return begun
  }

  function over<Open extends { readonly patience: NodeJS.Timeout }>(open: Open): Open {
    clearTimeout(open.patience)
    current = undefined
    return open
  }

  /** The question that it died of fails; those that wait are asked of the next thread. */
  function lost(dead: Worker, error: unknown): void {
    if (worker !== dead) return
    worker = undefined
    if (current !== undefined) over(current).reject(error)
    next()
  }

  function next(): void {
    if (current !== undefined) return
    const [job] = waiting
    if (job === undefined) {
      worker?.unref()
      return
    }
    waiting.delete(job)
    try {
      worker ??= begin()
    } catch (error) {
      job.reject(error)
      next()
      return
    }
    const asked = worker
    asked.ref()
    turns++
    const patience = setTimeout(() => {
      lost(asked, new Error(`the thread gave no answer within ${answerMs} ms`))
      void asked.terminate()
    }, answerMs)
    current = { ...job, turn: turns, patience }
    asked.postMessage({ ...job.request, turn: turns })
  }

  return {
    ask: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const job: Job<Request, Answer> = {
          request,
          resolve: (answer) => {
            signal?.removeEventListener('abort', giveUp)
            resolve(answer)
          },
          reject: (error) => {
            signal?.removeEventListener('abort', giveUp)
            reject(error)
          },
        }
        // The thread cannot be stopped in the midst of one answer; what comes of it is dropped.
        const giveUp = () => {
          waiting.delete(job)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        waiting.add(job)
        next()
      }),
    end: async () => {
      const ended = worker
      worker = undefined
      const error = new Error('the thread was ended')
      if (current !== undefined) over(current).reject(error)
      for (const job of waiting) job.reject(error)
      waiting.clear()
      await ended?.terminate()
    },
  }
}
