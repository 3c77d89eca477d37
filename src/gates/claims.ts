// Who bears which name: the ground on which both forms of the gate unique-name judge. A name means one tool, so
// the first claimant in the order of candidates has it; spellings that differ only in letter case, compatibility
// forms or invisible characters are one name.

import type { Candidate } from '../core/candidate.ts'
import type { ReservedName, Standing } from '../core/gate.ts'
import { foldName } from '../core/json.ts'

export type Claim =
  /** It has the name. `over`: who came later. `freedBy`: who had it and lost it, where reservations do not bind. */
  | { readonly kind: 'first'; readonly over: readonly string[]; readonly freedBy?: ReservedName }
  | { readonly kind: 'later'; readonly winner: Candidate }
  | { readonly kind: 'reserved'; readonly holder: ReservedName }

/**
 * One claim for each candidate that is no stand-in. With `reservations: 'bind'`, a name that a safety gate took
 * from its first claimant stays taken; with `'lapse'` the next claimant gets it, and its claim names whom it follows.
 */
export function claimsOn(standing: Standing, reservations: 'bind' | 'lapse'): ReadonlyMap<Candidate, Claim> {
  const claims = new Map<Candidate, Claim>()
  const holders = grouped(standing.reserved, (held) => foldName(held.name))
  const tools = standing.candidates.filter((candidate) => candidate.standIn !== true)
  for (const [key, claimants] of grouped(tools, (candidate) => foldName(standing.nameOf(candidate)))) {
    if (claimants.length === 1 && !holders.has(key)) {
      claims.set(claimants[0], alone)
      continue
    }
    const [first, ...later] = claimants
    const holder = holders.get(key)?.find((held) => held.isBefore(first))
    if (holder !== undefined && reservations === 'bind') {
      for (const candidate of [first, ...later]) claims.set(candidate, { kind: 'reserved', holder })
      continue
    }
    const over = later.map(({ id }) => id)
    claims.set(first, { kind: 'first', over, ...(holder === undefined ? {} : { freedBy: holder }) })
    for (const candidate of later) claims.set(candidate, { kind: 'later', winner: first })
  }
  return claims
}

const alone: Claim = { kind: 'first', over: [] }

/**
 * Offers a name near a candidate's own that nobody bears, for the hint: its server's name before it, else a
 * number after it. What is taken is looked up once, when the first name is asked for.
 */
export function freeNamesOn(standing: Standing): (candidate: Candidate) => string {
  let taken: Set<string> | undefined
  const nextNumber = new Map<string, number>()
  return (candidate) => {
    taken ??= new Set(
      [...standing.reserved.map((held) => held.name), ...standing.candidates.map(standing.nameOf)].map(foldName),
    )
    const { name, server, originalName } = candidate
    if (server !== undefined && !taken.has(foldName(`${server}__${originalName}`))) return `${server}__${originalName}`
    let number = nextNumber.get(name) ?? 2
    while (taken.has(foldName(`${name}_${number}`))) number += 1
    nextNumber.set(name, number)
    return `${name}_${number}`
  }
}

type NotEmpty<T> = [T, ...T[]]

/** By key, each in the given order. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, NotEmpty<T>> {
  const groups = new Map<string, NotEmpty<T>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
