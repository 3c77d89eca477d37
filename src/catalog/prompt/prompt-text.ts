import { safeText } from './quoted-text.ts'

/**
 * One line of foreign text as data for a prompt, at most `max` characters long: to be put between double quotes
 * within a line, which nothing in it can end. Blanks and line ends become one blank each; markup, look-alikes of it
 * and whatever is not seen become visible escapes. Cut with `…`, never through an escape or a character.
 */
export function promptText(text: string, max = 200): string {
  // Of a text that is far too long only a part is looked at. Every character takes one place or more, blanks aside.
  const seen = text.slice(0, Math.max(0, max) * 4 + 4000)
  const safe = safeText(seen.replace(/[ \t\r\n]+/g, ' ').trim())
  if (safe.length <= max && seen.length === text.length) return safe
  const room = max - 1
  let kept = ''
  for (const [piece] of safe.matchAll(/(?:\\u[0-9a-f]{4})|./gsu)) {
    if (kept.length + piece.length > room) break
    kept += piece
  }
  return room < 0 ? '' : `${kept.trimEnd()}…`
}
