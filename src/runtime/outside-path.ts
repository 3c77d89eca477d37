// Relative paths that lead out of the folder that a server starts in. Above it lie the folders of other servers, of
// other threads and of other users, and an agent that knows no path of the host would reach them all the same.

import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { argumentKind } from '../permissions/arguments.ts'
import type { PathView } from '../workspace/mapping/path-view.ts'

export interface OutsidePath {
  /** Dotted, such as `edits.0.path`. */
  readonly argument: string
  readonly path: string
}

/**
 * The first argument that is such a path; arguments that are about something else, such as the text of a file, may say
 * what they like. Nothing for servers that start where the operator says: what lies there is the operator's.
 */
export function outsidePath(args: JsonObject, { base }: PathView): OutsidePath | undefined {
  return base === undefined ? undefined : found(args, '', '')
}

/** `name`: that of the argument, also for the items of a list. */
function found(value: Json | undefined, name: string, argument: string): OutsidePath | undefined {
  if (typeof value === 'string') return isAboutPaths(name) && leadsOut(value) ? { argument, path: value } : undefined
  const parts: readonly (readonly [name: string, at: string, part: Json | undefined])[] = Array.isArray(value)
    ? value.map((part, index) => [name, String(index), part])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, part]) => [key, key, part])
      : []
  for (const [partName, at, part] of parts) {
    const inside = found(part, partName, argument === '' ? at : `${argument}.${at}`)
    if (inside !== undefined) return inside
  }
  return undefined
}

function isAboutPaths(name: string): boolean {
  const kind = argumentKind(name, '')
  return kind === 'path' || kind === 'url'
}

/** True for a relative path with more steps upwards than down, at any place of it. */
function leadsOut(text: string): boolean {
  const path = text.replace(/^file:(?!\/)/i, '')
  if (/^[\\/]|^[a-z][a-z0-9+.-]*:/i.test(path)) return false
  let depth = 0
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}
