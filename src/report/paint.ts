// Colour is handed in, so that the same text can go to a terminal, a file or a page. Widths are always measured
// before painting.

import type { Effect } from '../core/gate.ts'

export type PaintText = (text: string) => string

export interface Paint {
  readonly bold: PaintText
  readonly dim: PaintText
  readonly red: PaintText
  readonly green: PaintText
  readonly yellow: PaintText
  readonly cyan: PaintText
}

/** How a text is laid out: colours (absent: none) and the columns there are (absent: 100). */
export interface TextStyle {
  readonly paint?: Paint
  readonly width?: number
}

const plain: PaintText = (text) => text

/** No colours at all. */
const noPaint: Paint = Object.freeze({
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
})

/** Both values of a style, the width kept between 40 and 400 columns. */
export function styleOf(style: TextStyle): Required<TextStyle> {
  const width = Math.floor(style.width ?? 100)
  return { paint: style.paint ?? noPaint, width: Number.isNaN(width) ? 100 : Math.min(400, Math.max(40, width)) }
}

/** The colour of an effect, an outcome or a severity: what lets through is green, what waits yellow, what stops red. */
export function colourOf(
  word: Effect | 'eager' | 'deferred' | 'excluded' | 'error' | 'warning' | 'info',
  paint: Paint,
): PaintText {
  switch (word) {
    case 'admit':
    case 'eager':
      return paint.green
    case 'defer':
    case 'deferred':
    case 'warning':
      return paint.yellow
    case 'exclude':
    case 'excluded':
    case 'error':
      return paint.red
    case 'abstain':
    case 'info':
      return paint.dim
  }
}
