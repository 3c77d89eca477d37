// The first and the last part of a text that is too long, cut at the ends of lines.

export interface Preview {
  readonly head: string
  readonly tail: string
  /** What lies between them. */
  readonly leftOutBytes: number
  /** Line on which the part that was left out begins, counted from 1. */
  readonly nextLine: number
}

/** At most so many bytes of a text, two thirds of them from its beginning. */
export function previewText(text: Buffer, bytesMax: number): Preview {
  const headEnd = endOfHead(text, Math.floor((bytesMax * 2) / 3))
  const tailStart = startOfTail(text, Math.max(headEnd, text.length - Math.floor(bytesMax / 3)))
  const head = text.toString('utf8', 0, headEnd)
  return {
    head,
    tail: text.toString('utf8', tailStart),
    leftOutBytes: tailStart - headEnd,
    nextLine: head.split('\n').length,
  }
}

const newline = 10

/** After the last line that ends in the second half; where none does, after a whole character. */
function endOfHead(text: Buffer, bytesMax: number): number {
  if (bytesMax >= text.length) return text.length
  const end = text.subarray(0, bytesMax).lastIndexOf(newline) + 1
  return end > bytesMax / 2 ? end : characterFrom(text, bytesMax, -1)
}

/** At the first line that begins in the first half; where none does, at a whole character. */
function startOfTail(text: Buffer, from: number): number {
  const line = text.indexOf(newline, from) + 1
  return line > 0 && line < from + (text.length - from) / 2 ? line : characterFrom(text, from, 1)
}

/** The beginning of a character at or beside a place. */
function characterFrom(text: Buffer, place: number, step: 1 | -1): number {
  let at = place
  while (at > 0 && at < text.length && ((text[at] ?? 0) & 0xc0) === 0x80) at += step
  return at
}
