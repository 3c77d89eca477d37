/**
 * A JSON text with one value a line, so that it can be read in parts: nothing but blanks changes, no number and no text
 * in it. Undefined: it is no JSON object or list.
 */
export function jsonLines(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const out: string[] = []
  let depth = 0
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, end)
    at = end
    if (token === '{' || token === '[') {
      depth += 1
      out.push(token, lineAt(depth))
    } else if (token === '}' || token === ']') {
      depth -= 1
      out.push(lineAt(depth), token)
    } else if (token === ',') out.push(token, lineAt(depth))
    else if (token === ':') out.push(': ')
    else if (!blank.test(token)) out.push(token)
  }
  return out.join('')
}

const blank = /^\s+$/
const plain = /[^\s{}[\],:"]+|\s+/y

/** Where the token that begins at a place ends: a text, a mark, a word or number, or the blanks between them. */
function tokenEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return textEnd(text, start)
  plain.lastIndex = start
  return plain.test(text) ? plain.lastIndex : start + 1
}

/** By hand, because a pattern for it would keep a place to go back to for every escape. */
function textEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** Deep values are not indented further: a long list of them would be mostly blanks. */
const lineAt = (depth: number): string => `\n${' '.repeat(Math.min(depth, 8))}`
