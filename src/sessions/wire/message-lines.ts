// A stream of bytes cut into lines. A line that grows long is asked about, and is let go by without being held when
// nobody wants it: what a stranger sends is never put together before its length is known.

export interface LineSink {
  /** A whole line, without its end. */
  readonly line: (bytes: Buffer) => void
  /**
   * A line has reached so many bytes and goes on. The answer is the length at which to ask again; `skip`, or a length
   * that is reached already: the rest of the line is let go by.
   */
  readonly long: (head: Buffer, bytes: number) => number | 'skip'
  /** A line that was let go by has ended. */
  readonly skipped: (tail: Buffer, bytes: number) => void
}

export interface LineReader {
  readonly feed: (chunk: Buffer) => void
  /** Bytes of the line that is being let go by; 0 when none is. */
  readonly skipping: () => number
}

/** How much of the beginning and of the end of a line that is let go by is shown. */
const shownBytes = 4096
const lineFeed = 10
const carriageReturn = 13

/** Lines end with a line feed; with `carriageReturns`, also with a carriage return or with both. */
export function lineReader(
  sink: LineSink,
  options: { readonly askAt: number; readonly carriageReturns?: boolean },
): LineReader {
  const { askAt, carriageReturns = false } = options
  let parts: Buffer[] = []
  let held = 0
  let askNext = askAt
  let skipped: { tail: Buffer; bytes: number } | undefined
  let afterReturn = false

  const add = (piece: Buffer) => {
    if (piece.length === 0) return
    if (skipped !== undefined) {
      skipped = { tail: endOf([skipped.tail, piece]), bytes: skipped.bytes + piece.length }
      return
    }
    parts.push(piece)
    held += piece.length
    while (held > askNext) {
      const next = sink.long(beginningOf(parts), held)
      if (next !== 'skip' && next > askNext) {
        askNext = next
        continue
      }
      skipped = { tail: endOf(parts), bytes: held }
      parts = []
      return
    }
  }
  const finish = () => {
    const [ended, whole] = [skipped, parts]
    skipped = undefined
    parts = []
    held = 0
    askNext = askAt
    if (ended !== undefined) sink.skipped(ended.tail, ended.bytes)
    else sink.line(whole.length === 1 && whole[0] !== undefined ? whole[0] : Buffer.concat(whole))
  }
  return {
    feed: (chunk) => {
      let from = afterReturn && chunk[0] === lineFeed ? 1 : 0
      if (chunk.length > 0) afterReturn = false
      for (;;) {
        const end = carriageReturns ? endOfEither(chunk, from) : chunk.indexOf(lineFeed, from)
        add(chunk.subarray(from, end < 0 ? chunk.length : end))
        if (end < 0) return
        finish()
        from = end + 1
        if (!carriageReturns || chunk[end] !== carriageReturn) continue
        if (chunk[from] === lineFeed) from += 1
        else afterReturn = from === chunk.length
      }
    },
    skipping: () => skipped?.bytes ?? 0,
  }
}

function endOfEither(chunk: Buffer, from: number): number {
  const feed = chunk.indexOf(lineFeed, from)
  const until = feed < 0 ? chunk : chunk.subarray(0, feed)
  const back = until.indexOf(carriageReturn, from)
  return back < 0 ? feed : back
}

function beginningOf(parts: readonly Buffer[]): Buffer {
  const [first] = parts
  if (first !== undefined && first.length >= shownBytes) return first.subarray(0, shownBytes)
  const few: Buffer[] = []
  let bytes = 0
  for (const part of parts) {
    if (bytes >= shownBytes) break
    few.push(part)
    bytes += part.length
  }
  return Buffer.concat(few).subarray(0, shownBytes)
}

/** A copy, so that what is kept of a long line does not keep the whole of it. */
function endOf(parts: readonly Buffer[]): Buffer {
  const few: Buffer[] = []
  let bytes = 0
  for (let at = parts.length - 1; at >= 0 && bytes < shownBytes; at -= 1) {
    const part = (parts[at] as Buffer).subarray(-shownBytes)
    few.unshift(part)
    bytes += part.length
  }
  return Buffer.concat(few).subarray(-shownBytes)
}
