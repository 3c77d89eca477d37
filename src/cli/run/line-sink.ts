// Where the lines of a turn go: the terminal itself, where text of the model streams piece by piece, or behind the name
// of a helper, where it comes line by line, because several helpers may speak at once.

import { terminalText } from '../../report/call-text.ts'
import { widthOf, wrapped } from '../../report/layout.ts'
import type { Terminal } from '../terminal.ts'
import type { LineStyle } from './event-lines.ts'

export interface LineSink extends LineStyle {
  /** A whole line; text that is not at its end is ended first. */
  readonly line: (text: string) => void
  /** A piece of the model's text. */
  readonly say: (piece: string) => void
  /** The text is over, and the next line begins at its beginning. */
  readonly rest: () => void
}

export function terminalSink({ print, write, paint, width }: Terminal): LineSink {
  const pieces = printablePieces()
  let isInText = false
  let isFirst = true
  const rest = (): void => {
    if (isInText) write('\n')
    isInText = false
    pieces.end()
  }
  return {
    paint,
    width,
    line: (text) => {
      rest()
      print(text)
      isFirst = false
    },
    say: (piece) => {
      const text = pieces.next(piece)
      if (text === '') return
      if (isInText) return write(text)
      const begun = text.trimStart()
      if (begun === '') return
      // Words of the model stand apart from the calls before them.
      write(isFirst ? begun : `\n${begun}`)
      isInText = true
      isFirst = false
    },
    rest,
  }
}

export function helperSink(outer: LineSink, label: string): LineSink {
  const { paint } = outer
  const width = Math.max(20, outer.width - widthOf(label) - 2)
  const pieces = printablePieces()
  let open = ''
  const out = (text: string): void => outer.line(`${paint.dim(`${label}│`)} ${text}`.trimEnd())
  const rest = (): void => {
    if (open.trim() !== '') for (const line of wrapped(open, width)) out(line)
    open = ''
    pieces.end()
  }
  return {
    paint,
    width,
    line: (text) => {
      rest()
      out(text)
    },
    say: (piece) => {
      const [first = '', ...others] = pieces.next(piece).split('\n')
      open += first
      for (const line of others) {
        for (const part of wrapped(open, width)) out(part)
        open = line
      }
      if (widthOf(open) <= width) return
      const parts = wrapped(open, width)
      open = parts.pop() ?? ''
      for (const part of parts) out(part)
    },
    rest,
  }
}

const heldMax = 200

interface PrintablePieces {
  readonly next: (piece: string) => string
  /** What is held back is dropped: blanks, and half a character. */
  readonly end: () => void
}

/** Foreign text in pieces: what a piece ends with may change its meaning with the next one, so blanks are held back. */
function printablePieces(): PrintablePieces {
  let held = ''
  return {
    next: (piece) => {
      const text = held + piece
      const tail = /[\s\ud800-\udbff]+$/.exec(text.slice(-heldMax))?.[0] ?? ''
      held = tail
      return terminalText(text.slice(0, text.length - tail.length))
    },
    end: () => {
      held = ''
    },
  }
}
