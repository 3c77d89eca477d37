// Output of any length in bounded memory: its first and its last part, and how much lay between. The first part holds
// what was meant to be seen, the last one the error.

export interface KeptOutput {
  /** Whole when nothing was left out. */
  readonly first: string
  /** Empty when nothing was left out. */
  readonly last: string
  readonly leftOutBytes: number
}

export interface OutputKeeper {
  readonly add: (chunk: Buffer) => void
  /** Bytes so far, kept or not. */
  readonly bytes: () => number
  readonly kept: () => KeptOutput
}

/** Keeps at most so many bytes: a half from the beginning, a half from the end. */
export function outputKeeper(keptBytes: number): OutputKeeper {
  const half = Math.floor(keptBytes / 2)
  const head = Buffer.alloc(half)
  // Twice as long as what it keeps, so that it is moved once for every half.
  const tail = Buffer.alloc(half * 2)
  let headBytes = 0
  let tailBytes = 0
  let bytes = 0

  const addToTail = (chunk: Buffer): void => {
    const rest = chunk.subarray(Math.max(0, chunk.length - half))
    if (tailBytes + rest.length > tail.length) {
      tail.copy(tail, 0, tailBytes - half, tailBytes)
      tailBytes = half
    }
    tailBytes += rest.copy(tail, tailBytes)
  }

  return {
    add: (chunk) => {
      bytes += chunk.length
      const taken = chunk.copy(head, headBytes, 0, Math.min(chunk.length, half - headBytes))
      headBytes += taken
      if (taken < chunk.length) addToTail(chunk.subarray(taken))
    },
    bytes: () => bytes,
    kept: () => {
      const first = head.subarray(0, headBytes)
      const end = tail.subarray(Math.max(0, tailBytes - half), tailBytes)
      const between = bytes - first.length - end.length
      if (between === 0) return { first: Buffer.concat([first, end]).toString('utf8'), last: '', leftOutBytes: 0 }
      const whole = { first: first.subarray(0, wholeEnd(first)), last: end.subarray(wholeBegin(end)) }
      return {
        first: whole.first.toString('utf8'),
        last: whole.last.toString('utf8'),
        leftOutBytes: bytes - whole.first.length - whole.last.length,
      }
    },
  }
}

/** A character of UTF-8 has at most four bytes, and all but its first are of the form 10xxxxxx. */
const charBytesMax = 4
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Where the last whole character ends. Bytes that are no UTF-8 stay. */
function wholeEnd(text: Buffer): number {
  for (let at = text.length - 1; at >= Math.max(0, text.length - charBytesMax); at -= 1) {
    const byte = text[at] ?? 0
    if (isInside(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return at + length > text.length ? at : text.length
  }
  return text.length
}

/** Where the first whole character begins. */
function wholeBegin(text: Buffer): number {
  let at = 0
  while (at < charBytesMax - 1 && isInside(text[at])) at += 1
  return isInside(text[at]) ? 0 : at
}
