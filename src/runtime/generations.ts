// The generations of a configuration in service: the one that holds, and who is told of the next.

import type { PreparedRun } from '../assembly/run-input.ts'
import type { Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import { differs, type Generation } from './generation.ts'

export type GenerationListener = (after: Generation, before: Generation) => void

export interface Accepted {
  readonly config: Config
  /** Made of that configuration. */
  readonly run: PreparedRun
  readonly because: string
  /** Absent: what is in force is what the file says. */
  readonly rejectedEdit?: readonly Finding[]
}

export interface Generations {
  /** Nothing before the first was accepted. */
  readonly current: () => Generation | undefined
  /** Makes it the current one, and tells if anything is different. */
  readonly accept: (next: Accepted) => void
  /** Returns what ends it. A listener that throws costs nobody anything. */
  readonly onGeneration: (listener: GenerationListener) => () => void
}

export function generations(): Generations {
  const listeners = new Set<GenerationListener>()
  let current: Generation | undefined
  const tell = (after: Generation, before: Generation) => {
    for (const listener of [...listeners]) {
      try {
        listener(after, before)
      } catch {
        // What somebody makes of it is their own.
      }
    }
  }
  return {
    current: () => current,
    accept: ({ config, run, because, rejectedEdit }) => {
      const before = current
      const isSame =
        before !== undefined &&
        before.config === config &&
        before.rejectedEdit === rejectedEdit &&
        !differs(before.run, run)
      if (isSame) {
        // Nothing that a reader would see; but rules on arguments and times of listings are those of the new run.
        current = { ...before, run }
        return
      }
      current = {
        number: (before?.number ?? 0) + 1,
        since: new Date().toISOString(),
        because,
        config,
        run,
        ...(rejectedEdit === undefined ? {} : { rejectedEdit }),
      }
      if (before !== undefined) tell(current, before)
    },
    onGeneration: (listener) => {
      // Of its own, so that one function that listens twice ends once at a time.
      const own: GenerationListener = (after, before) => listener(after, before)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
