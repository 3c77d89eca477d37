// A part of a file in hand: its data, its places, and the way from a key inside it to an origin and a finding.

import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { keyPath, type Path, type Place, placeAt } from './place.ts'

export interface Part {
  readonly value: Json
  readonly place: Place
  /** Where the part stands in a file, from its root. An entry may be put together from two files. */
  readonly pathIn: (file: string) => Path
}

/** A mapping as the readers give it. */
export interface Mapping {
  readonly [key: string]: Json
}

/** True for what the readers give for a mapping, so that its keys may be looked at. */
export const isMapping = (value: Json | undefined): value is Mapping =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A part that stands in one file, at `path` from its root. */
export const partAt = (value: Json, place: Place, path: Path): Part => ({ value, place, pathIn: () => path })

/** The entries of a mapping as parts, in the order of the file: an object puts keys that are numbers first. */
export function entriesOf(part: Part): (readonly [string, Part])[] {
  const { value, place } = part
  if (!isMapping(value)) return []
  return [...(place.inside?.keys() ?? [])].flatMap((key): (readonly [string, Part])[] => {
    const [item, own] = [value[key], place.inside?.get(key)]
    if (typeof key !== 'string' || item === undefined || own === undefined) return []
    return [[key, { value: item, place: own, pathIn: (file) => [...part.pathIn(file), key] }]]
  })
}

/** The origin of a path inside the part; of the nearest thing around it when nothing stands there. */
export function originIn(part: Part, path: Path = []): Origin {
  const { file, line, column } = placeAt(part.place, path)
  const whole = [...part.pathIn(file), ...path]
  return { in: printable(file, 300), ...(whole.length === 0 ? {} : { key: keyPath(whole) }), line, column }
}

/** The origin of a key of the part, or nothing when the part has no such key. */
export function originOf(part: Part, key: string): Origin | undefined {
  return part.place.inside?.has(key) === true ? originIn(part, [key]) : undefined
}

/** Origins of the keys that are there, by the names that the configuration gives them. */
export function originsOf<Name extends string>(
  part: Part,
  keys: Readonly<Record<Name, string>>,
): { readonly [name in Name]?: Origin } {
  const origins: { [name in Name]?: Origin } = {}
  for (const name of Object.keys(keys) as Name[]) {
    const origin = originOf(part, keys[name])
    if (origin !== undefined) origins[name] = origin
  }
  return origins
}

export interface Remark {
  readonly path?: Path
  readonly hint?: string
  readonly severity?: Finding['severity']
  /** Absent: the key path. */
  readonly subject?: string
}

/** A finding about a path inside the part. `message` must hold no value that may be a secret. */
export function remark(part: Part, code: ErrorCode, message: string, more: Remark = {}): Finding {
  const origin = originIn(part, more.path)
  return finding(code, more.severity ?? 'error', printable(message, 300), {
    subject: printable(more.subject ?? origin.key ?? origin.in, 200),
    ...(more.hint === undefined ? {} : { hint: printable(more.hint, 300) }),
    origin,
  })
}

/** True when one of them is an error: what they are about cannot be used. */
export const hasError = (findings: readonly Finding[]): boolean => findings.some((found) => found.severity === 'error')
