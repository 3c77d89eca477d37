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

/** Inode, size and time of each file, as one text. */
function stateOf(files: readonly string[]): string {
  const states = files.map((file) => {
    const about = statSync(file, { throwIfNoEntry: false })
    return about === undefined ? `${file}\nnone` : `${file}\n${about.ino} ${about.size} ${about.mtimeMs}`
  })
  return states.join('\n')
}
