// Looks for lines in one file after the other and keeps count. It lets the process breathe: a search of a large
// folder takes seconds and must not hold anybody else.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ToolgateError } from '../../errors.ts'
import type { HeldFolder } from '../held-folder.ts'
import { openEntry, readWhole } from '../open-file.ts'
import { fileLimits } from './limits.ts'
import type { LineTest } from './line-test.ts'

export interface FoundLine {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** The line, or the part of it around the match, with `…` where it was cut. */
  readonly text: string
}

export interface SearchTally {
  /** True when there are more matches than were asked for. */
  readonly more: boolean
  /** Files that were searched. */
  readonly searched: number
  /** Files that were not, because they are too big, no text, or could not be opened. */
  readonly tooBig: number
  readonly notText: number
  readonly refused: number
  /** Lines whose end was not looked at. */
  readonly cutLines: number
  /** The time was used up before everything was looked at. Absent: it was not. */
  readonly stopped?: 'time'
}

export interface SearchBounds {
  readonly max: number
  readonly signal?: AbortSignal
  readonly now?: () => number
}

/** Milliseconds of looking after which others get their turn. */
const turnMs = 10
/** Lines between two looks at the clock. */
const linesPerLook = 64

export function lineSearch(test: LineTest, { max, signal, now = () => performance.now() }: SearchBounds) {
  const matches: FoundLine[] = []
  const tally = { more: false, searched: 0, tooBig: 0, notText: 0, refused: 0, cutLines: 0 }
  const until = now() + fileLimits.walkMs
  let turnEnds = now() + turnMs
  let late = false

  const breathe = async (): Promise<void> => {
    signal?.throwIfAborted()
    const at = now()
    late ||= at > until
    if (at < turnEnds) return
    await nextTurn()
    turnEnds = now() + turnMs
  }

  /** Looks at one file. Throws as `openEntry` does. */
  const look = async (held: HeldFolder, name: string): Promise<'searched' | 'tooBig' | 'notText'> => {
    const file = openEntry(held, name)
    let bytes: Buffer
    try {
      if (file.size > fileLimits.searchedBytes) return counted('tooBig')
      bytes = await readWhole(file, fileLimits.searchedBytes)
    } finally {
      file.close()
    }
    if (bytes.subarray(0, headBytes).includes(0)) return counted('notText')
    const lines = bytes.toString('utf8').split(/\r?\n/)
    for (const [index, line] of lines.entries()) {
      if (index % linesPerLook === 0 || line.length > fileLimits.shownChars) await breathe()
      if (late) break
      if (line.length > test.charsMax) tally.cutLines += 1
      if (!test.matches(line)) continue
      if (matches.length >= max) {
        tally.more = true
        break
      }
      matches.push({ path: file.virtual, line: index + 1, text: shownLine(line, test) })
    }
    return counted('searched')
  }
  const counted = <T extends 'searched' | 'tooBig' | 'notText'>(outcome: T): T => {
    tally[outcome] += 1
    return outcome
  }

  return {
    look,
    /** The same in a walk, where a file that cannot be opened is one of many. */
    lookQuietly: async (held: HeldFolder, name: string): Promise<void> => {
      try {
        await look(held, name)
      } catch (error) {
        if (!(error instanceof ToolgateError)) throw error
        tally.refused += 1
      }
    },
    isOver: (): boolean => tally.more || late,
    found: (): SearchTally & { readonly matches: readonly FoundLine[] } => ({
      matches,
      ...tally,
      ...(late ? { stopped: 'time' as const } : {}),
    }),
  }
}

const headBytes = 8192

function shownLine(line: string, test: LineTest): string {
  const { shownChars } = fileLimits
  if (line.length <= shownChars) return line
  const from = Math.max(0, Math.min(test.placeIn(line) - shownChars / 4, line.length - shownChars))
  const part = line.slice(from, from + shownChars).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${part}${from + shownChars < line.length ? '…' : ''}`
}
