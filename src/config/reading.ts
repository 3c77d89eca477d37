// What the readers of YAML and JSON give: plain data with places, or the reasons why there is none.

import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { bounds } from './bounds.ts'
import { keyPath, type Path, type Place } from './place.ts'

export interface Data {
  /** Mappings have no prototype; no key is `__proto__`; nothing is shared and nothing is circular. */
  readonly value: Json
  readonly place: Place
  /** What was tolerated. */
  readonly warnings: readonly Finding[]
}

/** `faults` holds at least one error; then nothing of the file may be used. */
export type Reading = Data | { readonly faults: readonly Finding[] }

/** Thrown inside a reader when a bound is passed, so that the work ends there; never leaves the reader. */
export class OutOfBounds extends Error {
  readonly fault: Finding
  constructor(fault: Finding) {
    super(fault.code)
    this.fault = fault
  }
}

export interface Spot {
  readonly file: string
  readonly line: number
  readonly column?: number
  readonly path?: Path
}

/** An error of reading; the place is part of the message, because a syntax error has no key to go by. */
export function faultAt(code: ErrorCode, spot: Spot, what: string, hint?: string): Finding {
  const key = spot.path === undefined || spot.path.length === 0 ? undefined : keyPath(spot.path)
  return finding(code, 'error', printable(`${what} (line ${spot.line})`, 300), {
    subject: key ?? spot.file,
    ...(hint === undefined ? {} : { hint }),
    origin: {
      in: spot.file,
      ...(key === undefined ? {} : { key }),
      line: spot.line,
      ...(spot.column === undefined ? {} : { column: spot.column }),
    },
  })
}

/**
 * What is wrong with a key in itself, or nothing. `__proto__` becomes the prototype of whatever it is copied into,
 * so no file may hold it anywhere.
 */
export function keyFault(key: string): { readonly code: ErrorCode; readonly what: string } | undefined {
  if (key === '__proto__') return { code: 'config-unknown-key', what: 'the key "__proto__" is refused everywhere' }
  if (key === '') return { code: 'config-type', what: 'a key is empty' }
  if (key.length > bounds.keyLength) {
    return { code: 'config-range', what: `a key is longer than ${bounds.keyLength} characters` }
  }
  return undefined
}
