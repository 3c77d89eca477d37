// The mark of a session: a random word in the environment of its server, which whatever that server starts inherits.
// By it a daemon is known that has left the process group and lost its parent. It is no secret and opens nothing.

import { randomBytes } from 'node:crypto'

export const markerName = 'TOOLGATE_SESSION'

/** A new mark: 128 random bits, so that no other process bears it by chance. */
export const newMarker = (): string => randomBytes(16).toString('hex')

const marks = /^[0-9a-f]{32}(?:\.[0-9a-f]{32}){0,6}$/

/**
 * The value of the variable for a server that bears this mark. A program that is itself a server of another Toolgate
 * hands on the marks it bears, so that the outer one finds what the inner one left; past eight the oldest is kept.
 */
export function markerValue(marker: string, inherited: string | undefined): string {
  if (inherited === undefined) return marker
  if (marks.test(inherited)) return `${inherited}.${marker}`
  const outermost = inherited.slice(0, 32)
  return marks.test(outermost) ? `${outermost}.${marker}` : marker
}

/** True when the value of the variable, as a process bears it, holds the mark. */
export const bearsMarker = (value: string, marker: string): boolean => value !== '' && value.split('.').includes(marker)
