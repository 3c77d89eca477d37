// "What would alter it", tried out: the changes that a reason names, applied to a copy of the world.

import type { Candidate } from '../core/candidate.ts'
import type { Change } from '../core/gate.ts'
import { canonicalJson, type Json, type JsonObject } from '../core/json.ts'
import type { RunFacts } from '../core/run-facts.ts'

/** What an assembly starts from. */
export interface World {
  readonly facts: RunFacts
  readonly candidates: readonly Candidate[]
}

/**
 * The world as it would be after the changes; the input stays as it is. Changes on the candidate go to the one
 * with that id. In a path, a number is a place in a list. Throws a RangeError on a path that leads nowhere.
 */
export function applyChanges(world: World, id: string, changes: readonly Change[]): World {
  let { facts, candidates } = world
  for (const change of changes) {
    if (change.on === 'facts') facts = changed(facts, change)
    else candidates = candidates.map((candidate) => (candidate.id === id ? changed(candidate, change) : candidate))
  }
  return { facts, candidates }
}

/** Facts and candidates are plain JSON by contract, so they can be walked as such. */
const changed = <T extends RunFacts | Candidate>(whole: T, change: Change): T =>
  edited(whole as unknown as Json, change.path, change) as unknown as T

function edited(value: Json | undefined, path: readonly string[], change: Change): Json | undefined {
  const [key, ...rest] = path
  if (key === undefined) return atTheEnd(value, change)
  if (Array.isArray(value)) return editedList(value, Number(key), rest, change)
  if (value !== undefined && (value === null || typeof value !== 'object')) {
    throw new RangeError(`no value stands under ${change.path.join('.')}`)
  }
  const { [key]: before, ...others } = (value ?? {}) as JsonObject
  const after = edited(before, rest, change)
  return after === undefined ? others : { ...others, [key]: after }
}

function editedList(list: readonly Json[], at: number, rest: readonly string[], change: Change): Json {
  const item = list[at]
  if (item === undefined) throw new RangeError(`the list has no place ${change.path.join('.')}`)
  const after = edited(item, rest, change)
  return after === undefined ? list.toSpliced(at, 1) : list.with(at, after)
}

function atTheEnd(value: Json | undefined, { op, value: given }: Change): Json | undefined {
  if (op === 'unset') return undefined
  if (op === 'set') return given
  const list = Array.isArray(value) ? (value as readonly Json[]) : []
  if (given === undefined) return list
  const text = canonicalJson(given)
  if (op === 'add') return list.some((item) => canonicalJson(item) === text) ? list : [...list, given]
  return list.filter((item) => canonicalJson(item) !== text)
}
