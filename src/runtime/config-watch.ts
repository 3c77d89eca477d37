// Tells when a configuration on disk has changed. The files are looked at in turn rather than listened to: editors
// replace files, network drives and containers tell nothing, and a half-written file must not be read.

import { stat } from 'node:fs/promises'

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
  let settled: string | undefined
  let seen: string | undefined

  const look = async () => {
    const now = await stateOf(files())
    if (closed) return
    if (settled === undefined) settled = now
    else if (now !== settled && now === seen) {
      settled = now
      await onChange()
    }
    seen = now
    if (!closed) next()
  }
  const next = () => {
    timer = setTimeout(() => void look().catch(() => next()), everyMs)
    timer.unref()
  }
  void look().catch(() => next())
  return {
    close: () => {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** Inode, size and time of each file, as one text. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map(async (file) => {
      try {
        const { ino, size, mtimeMs } = await stat(file)
        return `${file}\n${ino} ${size} ${mtimeMs}`
      } catch {
        return `${file}\nnone`
      }
    }),
  )
  return states.join('\n')
}
