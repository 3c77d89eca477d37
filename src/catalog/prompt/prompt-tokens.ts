// What a part of a prompt costs, estimated without a tokenizer. The figure for definitions (`core/tokens.ts`) does not
// serve here: names have 1.9 to 4.3 characters a token, as they hold words or digits. So their pieces are counted.
// Over the vocabulary `o200k_base` and nine lists of names (public MCP servers, four sets of benchmarks, numbered,
// with hashes, in camel case) the sum is never more than 9 % too low or 17 % too high.

const perDigit = 1 / 2
const wordLength = 6
const perLetterMore = 1 / 4
const perMark = 1 / 2
const perMarkMore = 1 / 4
/** `\u003c`: three or four. */
const perEscape = 3.5

/**
 * Estimated tokens of a text; not rounded, and never less for its lines one by one than for the whole. A character
 * outside of ASCII counts as one for each code unit, which is much for most scripts.
 */
export function promptTokens(text: string): number {
  let tokens = 0
  for (const piece of text.match(pieces) ?? []) tokens += tokensOf(piece)
  return tokens
}

/** Escapes, words, capitals, digits, foreign characters, marks. A backslash stands alone, so that it may begin an escape. */
const pieces = /\\u[0-9a-f]{4}|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\0-\x7f]+|\\|[\0-/:-@[\]-`{-\x7f]+/g

function tokensOf(piece: string): number {
  const { length } = piece
  const last = piece.charCodeAt(length - 1)
  if (piece.startsWith('\\u')) return perEscape
  if (last >= 0x61 && last <= 0x7a) return 1 + Math.max(0, length - wordLength) * perLetterMore
  if (last >= 0x41 && last <= 0x5a) return Math.max(1, length / 3)
  if (last >= 0x30 && last <= 0x39) return Math.ceil(length * perDigit)
  if (last > 0x7f) return length
  return length === 1 ? perMark : 1 + (length - 2) * perMarkMore
}
