// What a prompt says of deferred tools: their names, one a line, in a block. Names and block cannot be confused: what
// could open, close or leave the block, or begin a new line, is written as an escape, and reads back as it was.
//
// The whole name stands on each line, though a line per server with the names behind it would take 36 % fewer tokens
// (13,596 for 21,282, over 2,543 names of 71 servers): a model would have to put the name together that it calls, and
// where a name was shortened for the target it could not. Names are 2 % of what the definitions cost (1,120,991).

import { quotedName, unquoted } from './quoted-text.ts'

const open = '<available-deferred-tools>'
const close = '</available-deferred-tools>'

/** No name is written with a bracket or a blank, so that this line is never one. */
const more = (count: number): string =>
  `(${count} more ${count === 1 ? 'is' : 'are'} not listed; tool_search finds them)`

/**
 * The block for these names, in their order; no names: no block. `unlisted` says how many names there are besides;
 * with it there is a block even when nothing is listed.
 */
export function deferredNames(names: readonly string[], unlisted = 0): string {
  if (names.length === 0 && unlisted === 0) return ''
  return [open, ...names.map(quotedName), ...(unlisted > 0 ? [more(unlisted)] : []), close].join('\n')
}

/** The names that a block holds; undefined when the text is not one whole block as `deferredNames` writes it. */
export function readDeferredNames(block: string): readonly string[] | undefined {
  const lines = block === '' ? [] : block.split('\n').slice(1, -1)
  const unlisted = Number(/^\((\d{1,15}) more /.exec(lines.at(-1) ?? '')?.[1] ?? 0)
  const names = (unlisted > 0 ? lines.slice(0, -1) : lines).map(unquoted)
  return deferredNames(names, unlisted) === block ? names : undefined
}
