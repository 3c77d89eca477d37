// Tells when a configuration on disk has changed. The files are looked at in turn rather than listened to: editors
// replace files, network drives and containers tell nothing, and a half-written file must not be read.

import { statSync } from 'node:fs'

export interface FileWatch {
  /** Ends it. */
  readonly close: () => void
}

export interface FileWatchOptions {
  /** Milliseconds between two looks. */
  readonly everyMs?: number
}

/**
 * Calls `onChange` when one of the files is another than before and has stayed so for one look. The files are asked
 * for anew each time, because an edit may name others. Calls do not overlap; an error of `onChange` is the caller's.
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: () => Promise<void>,
  { everyMs = 250 }: FileWatchOptions = {},
): FileWatch {
  const stateOf = looker()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  // What the files are like now is what the caller has read.
  let settled = stateOf(files())
  let seen = settled

  const look = async () => {
    const now = stateOf(files())
    if (now !== settled && now === seen) {
      settled = now
      await onChange()
    }
    seen = now
    if (!closed) next()
  }
  const next = () => {
    timer = setTimeout(() => void look().catch(() => closed || next()), everyMs)
    timer.unref()
  }
  next()
  return {
    close: () => {
      closed = true
      clearTimeout(timer)
    },
  }
}

/**
 * Tells what files are like, as one text: inode, size and times in nanoseconds. The time of change counts beside the
 * time of writing, which copying tools set as they like. A file that cannot be looked at just now (a network drive
 * that does not answer) is taken for what it was: only one that is gone is told as gone.
 */
function looker(): (files: readonly string[]) => string {
  const seen = new Map<string, string>()
  const stateOf = (file: string): string => {
    try {
      const about = statSync(file, { bigint: true, throwIfNoEntry: false })
      if (about === undefined) return 'none'
      return `${about.ino} ${about.size} ${about.mtimeNs} ${about.ctimeNs}`
    } catch {
      return seen.get(file) ?? 'unknown'
    }
  }
  return (files) => {
    const states = files.map((file) => {
      const state = stateOf(file)
      seen.set(file, state)
      return `${file}\n${state}`
    })
    return states.join('\n')
  }
}
