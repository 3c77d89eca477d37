// Where each value of a file stands: a tree beside the data, one place for each key and list item.
//
//   mcp_servers:            inside.get('mcp_servers')                       line 1
//     files:                 └ inside.get('files')                          line 2
//       args: [a, b]            └ inside.get('args') └ inside.get(1)        line 3

import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'

/** Keys and list indexes from the root of a file to a value. */
export type Path = readonly (string | number)[]

export interface Place {
  /** The file as the user would name it. */
  readonly file: string
  /** Of the key where there is one, else of the value; 1-based. */
  readonly line: number
  /** 1-based. */
  readonly column: number
  /** Places of what it holds, by key or index. Absent: it holds nothing. */
  readonly inside?: ReadonlyMap<string | number, Place>
}

/**
 * A path as people write it: `mcp_servers.files.args[1]`. Keys that are no plain words stand in brackets and quotes.
 * Printable and bounded.
 */
export function keyPath(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (plainKey.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(printable(step, 64))}]`
    if (text.length > pathLengthMax) return `${text.slice(0, pathLengthMax)}…`
  }
  return text
}

const plainKey = /^[A-Za-z0-9_-]{1,128}$/
const pathLengthMax = 300

/** The place of a path, or of the nearest thing around it that is there. */
export function placeAt(root: Place, path: Path): Place {
  let place = root
  for (const step of path) {
    const next = place.inside?.get(step)
    if (next === undefined) break
    place = next
  }
  return place
}

/** The origin of a path: its own place or that of the nearest thing around it, under the whole path as key. */
export function originAt(root: Place, path: Path): Origin {
  const { file, line, column } = placeAt(root, path)
  return path.length === 0 ? { in: file, line, column } : { in: file, key: keyPath(path), line, column }
}
