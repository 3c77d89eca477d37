// The bytes of a part of a JSON text: what was sent, before anybody parsed it. Parsing and writing again would lose
// what a test compares (the order of keys, `1.0`, escapes, blanks).
//
// INVARIANT: the text was parsed before, so it is sound; the walk needs no errors, and no recursion.

/** The value of a key of the outermost object, as it stands in the text. Of twins the last, as `JSON.parse` does. */
export function memberText(json: string, key: string): string | undefined {
  let found: string | undefined
  for (const { name, from, to } of partsOf(json)) {
    if (name !== undefined && JSON.parse(name) === key) found = json.slice(from, to)
  }
  return found
}

/** The items of a list, as they stand in the text. Of anything but a list: none. */
export const itemTexts = (json: string): readonly string[] =>
  json[afterBlanks(json, 0)] === '[' ? partsOf(json).map(({ from, to }) => json.slice(from, to)) : []

interface Part {
  /** The key with its quotes; absent in a list. */
  readonly name?: string
  readonly from: number
  readonly to: number
}

/** The members or items of the outermost value. */
function partsOf(json: string): readonly Part[] {
  const open = afterBlanks(json, 0)
  const isObject = json[open] === '{'
  if (!isObject && json[open] !== '[') return []
  const parts: Part[] = []
  let at = afterBlanks(json, open + 1)
  while (at < json.length && json[at] !== '}' && json[at] !== ']') {
    let name: string | undefined
    if (isObject) {
      const end = stringEnd(json, at)
      name = json.slice(at, end)
      at = afterBlanks(json, afterBlanks(json, end) + 1)
    }
    const to = valueEnd(json, at)
    parts.push({ ...(name === undefined ? {} : { name }), from: at, to })
    at = afterBlanks(json, to)
    if (json[at] === ',') at = afterBlanks(json, at + 1)
  }
  return parts
}

function valueEnd(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const char = json[at]
    if (char === '"') at = stringEnd(json, at) - 1
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    if (depth < 0) return beforeBlanks(json, at)
    if (depth === 0) {
      if (char === '}' || char === ']' || char === '"') return at + 1
      if (char === ',') return beforeBlanks(json, at)
    }
  }
  return json.length
}

function stringEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at + 1
  }
  return json.length
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t'

function afterBlanks(json: string, from: number): number {
  let at = from
  while (isBlank(json[at])) at++
  return at
}

function beforeBlanks(json: string, to: number): number {
  let at = to
  while (isBlank(json[at - 1])) at--
  return at
}
