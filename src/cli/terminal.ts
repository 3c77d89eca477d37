// What the program knows of the terminal it writes to, and the only place that writes. Results go to stdout,
// everything else to stderr; a closed pipe ends quietly.

import picocolors from 'picocolors'
import type { Paint } from '../report/paint.ts'

export interface Terminal {
  /** Prints a result and a line end. */
  readonly print: (text: string) => void
  /** Prints a piece of a result, without a line end. */
  readonly write: (text: string) => void
  /** Prints to stderr. */
  readonly note: (text: string) => void
  /** A progress line: shown on a terminal only, replaced by the next one. */
  readonly progress: (line: string) => void
  /** Removes the progress line. */
  readonly settle: () => void
  readonly paint: Paint
  /** Paint for stderr. */
  readonly notePaint: Paint
  /** Columns; 100 where nobody says. */
  readonly width: number
}

export interface TerminalOptions {
  readonly color: boolean
  readonly quiet: boolean
}

/** The terminal of this process. Colours follow NO_COLOR, FORCE_COLOR and whether it is a terminal at all. */
export function processTerminal({ color, quiet }: TerminalOptions): Terminal {
  const { stdout, stderr } = process
  stdout.on('error', endOnClosedPipe)
  let progressShown = false
  const settle = (): void => {
    if (progressShown) stderr.write('\r\u001b[2K')
    progressShown = false
  }
  return {
    print: (text) => {
      settle()
      stdout.write(`${text}\n`)
    },
    write: (text) => {
      settle()
      stdout.write(text)
    },
    note: (text) => {
      settle()
      stderr.write(`${text}\n`)
    },
    progress: (line) => {
      if (quiet || stderr.isTTY !== true) return
      settle()
      stderr.write(line.slice(0, (stderr.columns || 80) - 1))
      progressShown = true
    },
    settle,
    paint: paintFor(color && colours(stdout)),
    notePaint: paintFor(color && colours(stderr)),
    width: widthOf(stdout),
  }
}

function colours(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false
  if (process.env.FORCE_COLOR !== undefined && process.env.FORCE_COLOR !== '0') return true
  return stream.isTTY === true && process.env.TERM !== 'dumb'
}

function paintFor(enabled: boolean): Paint {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(enabled)
  return { bold, dim, red, green, yellow, cyan }
}

function widthOf(stream: NodeJS.WriteStream): number {
  const told = Number(process.env.COLUMNS)
  return stream.columns ?? (Number.isInteger(told) && told > 0 ? told : 100)
}

/** `toolgate tools | head` is no failure. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  throw error
}
