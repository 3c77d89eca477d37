// What a prompt says of deferred tools: their names, one a line, in a block. Names and block cannot be confused: what
// could open, close or leave the block, or begin a new line, is written as an escape, and reads back as it was.

const open = '<available-deferred-tools>'
const close = '</available-deferred-tools>'

/** Every character that a tool name of any target may hold; a line of these alone stands as it is. */
const plain = /^[A-Za-z0-9_.:-]+$/
/** All that is not a visible ASCII character, and what has a meaning in markup or in the escape itself. */
const meaningful = /[^!-~]|["&<>\\]/g

/** The block for these names, in their order; no names: no block. */
export function deferredNames(names: readonly string[]): string {
  if (names.length === 0) return ''
  return [
    open,
    ...names.map((name) => (plain.test(name) ? name : `"${name.replace(meaningful, escaped)}"`)),
    close,
  ].join('\n')
}

/** The names that a block holds; undefined when the text is not one whole block. */
export function readDeferredNames(block: string): readonly string[] | undefined {
  if (block === '') return []
  const lines = block.split('\n')
  if (lines.length < 3 || lines[0] !== open || lines.at(-1) !== close) return undefined
  const names: string[] = []
  for (const line of lines.slice(1, -1)) {
    if (plain.test(line)) names.push(line)
    else if (/^"[^"\n]*"$/.test(line)) names.push(JSON.parse(line) as string)
    else return undefined
  }
  return names
}

/** `\uXXXX` for each code unit, so that halves of pairs survive as well. */
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
