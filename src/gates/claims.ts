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
 * The claim of each candidate; a stand-in has none. With `reservations: 'bind'`, a name that a safety gate took from
 * its first claimant stays taken; with `'lapse'` the next claimant gets it, and its claim names whom it follows.
 */
export function claimsOn(
  standing: Standing,
  reservations: 'bind' | 'lapse',
): (candidate: Candidate) => Claim | undefined {
  const holders = new Map<string, ReservedName[]>()
  for (const held of standing.reserved) append(holders, foldName(held.name), held)

  // Nearly every name has one claimant, so only the others are written down.
  const firsts = new Map<string, Candidate>()
  const later = new Map<string, Candidate[]>()
  for (const candidate of standing.candidates) {
    if (candidate.standIn === true) continue
    const key = foldName(standing.nameOf(candidate))
    if (firsts.has(key)) append(later, key, candidate)
    else firsts.set(key, candidate)
  }
  const contested = new Map<Candidate, Claim>()
  for (const key of new Set([...later.keys(), ...holders.keys()])) {
    const first = firsts.get(key)
    if (first === undefined) continue
    const others = later.get(key) ?? []
    const holder = holders.get(key)?.find((held) => held.isBefore(first))
    if (holder !== undefined && reservations === 'bind') {
      for (const candidate of [first, ...others]) contested.set(candidate, { kind: 'reserved', holder })
      continue
    }
    const over = others.map(({ id }) => id)
    contested.set(first, { kind: 'first', over, ...(holder === undefined ? {} : { freedBy: holder }) })
    for (const candidate of others) contested.set(candidate, { kind: 'later', winner: first })
  }
  return (candidate) => (candidate.standIn === true ? undefined : (contested.get(candidate) ?? alone))
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

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
