// Programs that a check starts: each in a process group of its own, so that ending it ends whatever it started.
// INVARIANT: when this process exits, by whatever way that lets it act, none of them is left.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export interface StartedProgram {
  readonly pid: number | undefined
  /** Settles when it is over. */
  readonly over: Promise<number | string>
  /** All that it has printed so far, the newest 200,000 characters. */
  readonly printed: () => string
  /** The first match in what it prints. Rejects when it ends before, and after `timeoutMs`. */
  readonly says: (pattern: RegExp, timeoutMs: number) => Promise<string>
  /** Ends it and its group; by force when it takes more than 5 s. Safe to call again. */
  readonly end: () => Promise<void>
}

const printedMax = 200_000
const patienceMs = 5000
const living = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of living) signalGroup(child, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export function startProgram(words: readonly string[], options: SpawnOptions = {}): StartedProgram {
  const [program = '', ...args] = words
  const child = spawn(program, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  living.add(child)
  let printed = ''
  const listeners = new Set<() => void>()
  const take = (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-printedMax)
    for (const listener of [...listeners]) listener()
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  // Whatever it leaves behind in its group would hold its output open, and so its end back.
  child.once('exit', () => signalGroup(child, 'SIGKILL'))
  const over = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  }).finally(() => living.delete(child))
  return {
    pid: child.pid,
    over,
    printed: () => printed,
    says: (pattern, timeoutMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const [found] = pattern.exec(printed) ?? []
          if (found !== undefined) settle(() => resolve(found))
        }
        const fail = (why: string) =>
          settle(() => reject(new Error(`${words.join(' ')} ${why}: ${printed.slice(-600)}`)))
        const timer = setTimeout(() => fail(`did not say ${pattern} within ${timeoutMs} ms`), timeoutMs)
        const settle = (then: () => void) => {
          clearTimeout(timer)
          listeners.delete(look)
          then()
        }
        listeners.add(look)
        void over.then((how) => fail(`ended with ${how} before it said ${pattern}`))
        look()
      }),
    end: async () => {
      if (!living.has(child)) return
      signalGroup(child, 'SIGTERM')
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), patienceMs)
      await over
      clearTimeout(timer)
    },
  }
}

function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}
