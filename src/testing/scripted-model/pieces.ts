/**
 * A text in the pieces in which a model would send it: about a word each, never within a character, and at most 64
 * of them, so that a long file is not a flood of events. Joined they are the text again.
 */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(6, Math.ceil(text.length / 64))
  const pieces: string[] = []
  let piece = ''
  for (const char of text) {
    piece += char
    if (piece.length >= size) {
      pieces.push(piece)
      piece = ''
    }
  }
  return piece === '' ? pieces : [...pieces, piece]
}
