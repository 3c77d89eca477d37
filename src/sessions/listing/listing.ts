// What a server listed and said of itself, so that whoever speaks of listings loads no client of the protocol.

import type { UnavailableState } from '../../core/candidate.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'

/** What a server says of itself in the handshake. */
export interface Introduction {
  /** As received. */
  readonly capabilities: JsonObject
  /** Text for a model. Foreign. */
  readonly instructions?: string
}

/** Longest instructions that are kept, in characters; a model reads them at every turn. */
export const instructionsMax = 20_000

/** An introduction as it was stored. Undefined: it is not of that form. */
export function readIntroduction(value: unknown): Introduction | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.capabilities)) return undefined
  const { capabilities, instructions } = value
  return typeof instructions === 'string'
    ? { capabilities, instructions: instructions.slice(0, instructionsMax) }
    : { capabilities }
}

/** How a listing came about. */
export interface ListedBy {
  readonly identity: string
  /** The handshake that worked: `initialize`, or that of 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion?: string
  /** Absent: nobody asked for it. */
  readonly introduction?: Introduction
}

export interface Listing extends ListedBy {
  /** As received. */
  readonly tools: readonly unknown[]
  /** What was wrong with the list as such, one sentence each. */
  readonly problems: readonly string[]
  /** How long the server says that it may be kept, milliseconds. Absent: it said nothing. */
  readonly ttlMs?: number
  readonly tookMs: number
}

/** Why a server gave none. */
export interface NoListing {
  readonly state: UnavailableState
  /** One printable line. */
  readonly message: string
}
