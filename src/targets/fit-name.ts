// Names for a target: an alias where the target refuses the name, and no change where it takes it.
//
//   takes it as it is                        → the bare name, always
//   other characters, or a digit in front    → each becomes `_`, or `_` comes in front: repo.read → repo_read
//   too long, or the alias is wanted twice   → shortened, with a hash of the identity: repo_read_1a2b3c4d
//
// The way back is the decision itself (see alias-table.ts); a name is never taken apart again. An alias depends on
// the tool alone, but for one case: tools whose aliases would be alike all get the hash. So the order of servers
// makes no difference, and a new tool renames only an alias that it collides with, never a bare name.

import { foldName } from '../core/json.ts'
import type { TargetFacts } from '../core/run-facts.ts'

export type NameRules = Pick<TargetFacts, 'nameMax' | 'nameCharset' | 'nameStartsWithLetter'>

/** A tool and the name it would bear. */
export interface WantedName {
  readonly id: string
  readonly name: string
  /** The end of the name that says most, usually the owner's name for the tool; kept whole where there is room. */
  readonly own?: string
}

export type NameFault = 'characters' | 'first-character' | 'length' | 'taken'

export interface FittedName {
  /** undefined: no name of this target's form was left. */
  readonly name: string | undefined
  /** Why the wanted name could not stay. */
  readonly why: readonly NameFault[]
}

/**
 * The names that cannot stay, by identity, with what they become; whoever is not in the map keeps its name.
 * `reserved` are names that no alias may take, because somebody who is not here keeps them. What comes out is of
 * the target's form, and no two tools have names that differ only in letter case.
 */
export function fitNames(
  wanted: readonly WantedName[],
  rules: NameRules,
  reserved: Iterable<string> = [],
): ReadonlyMap<string, FittedName> {
  const form = formOf(rules)
  const used = new Set<string>()
  const odd: Odd[] = []
  for (const entry of wanted) {
    const { name } = entry
    const key = foldName(name)
    const fits = name.length <= rules.nameMax && form.whole.test(name)
    if (fits && !used.has(key)) used.add(key)
    else odd.push(oddName(entry, fits, rules))
  }
  const fitted = new Map<string, FittedName>()
  if (odd.length === 0) return fitted
  for (const name of reserved) used.add(foldName(name))

  const wishes = new Map<string, number>()
  for (const { plain } of odd) wishes.set(foldName(plain), (wishes.get(foldName(plain)) ?? 0) + 1)
  const hashed: Odd[] = []
  for (const entry of odd) {
    const key = foldName(entry.plain)
    const short = entry.plain.length <= rules.nameMax
    if (!short || entry.why.includes('taken')) hashed.push(entry)
    else if (used.has(key) || wishes.get(key) !== 1) hashed.push({ ...entry, why: [...entry.why, 'taken'] })
    else fitted.set(entry.id, { name: entry.plain, why: entry.why })
  }
  for (const { name } of fitted.values()) if (name !== undefined) used.add(foldName(name))
  // By identity, so that the rare second hash does not depend on the order of servers.
  for (const entry of hashed.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    fitted.set(entry.id, { name: withHash(entry, rules, used), why: entry.why })
  }
  return fitted
}

interface Odd {
  readonly id: string
  /** In the target's characters, of any length. */
  readonly plain: string
  /** The end of it that says most, or all of it. */
  readonly own: string
  readonly why: readonly NameFault[]
}

const forms = {
  word: { whole: /^[A-Za-z0-9_]+$/, other: /[^A-Za-z0-9_]/gu },
  'word-dash': { whole: /^[A-Za-z0-9_-]+$/, other: /[^A-Za-z0-9_-]/gu },
  'word-dash-dot-colon': { whole: /^[A-Za-z0-9_.:-]+$/, other: /[^A-Za-z0-9_.:-]/gu },
} as const

const lettered = {
  word: /^[A-Za-z_][A-Za-z0-9_]*$/,
  'word-dash': /^[A-Za-z_][A-Za-z0-9_-]*$/,
  'word-dash-dot-colon': /^[A-Za-z_][A-Za-z0-9_.:-]*$/,
} as const

function formOf({ nameCharset, nameStartsWithLetter }: NameRules): { readonly whole: RegExp; readonly other: RegExp } {
  const form = forms[nameCharset]
  return nameStartsWithLetter ? { whole: lettered[nameCharset], other: form.other } : form
}

/** Longer names are shortened in the middle before anything else looks at them, so that work stays bounded. */
const lookedAtMax = 512

function oddName({ id, name, own = '' }: WantedName, fits: boolean, rules: NameRules): Odd {
  const why: NameFault[] = []
  if (name.length > rules.nameMax) why.push('length')
  const seen = name.length > lookedAtMax ? `${name.slice(0, lookedAtMax / 2)}_${name.slice(-lookedAtMax / 2)}` : name
  const { other } = forms[rules.nameCharset]
  let plain = seen.replace(other, '_')
  if (plain !== seen || plain === '') why.push('characters')
  if (plain === '') plain = 'tool'
  if (rules.nameStartsWithLetter && !/^[A-Za-z_]/.test(plain)) {
    plain = `_${plain}`
    why.push('first-character')
    if (plain.length > rules.nameMax && !why.includes('length')) why.push('length')
  }
  if (fits) why.push('taken')
  const end = own.length > lookedAtMax ? '' : own.replace(other, '_')
  const canLead = end !== '' && (!rules.nameStartsWithLetter || /^[A-Za-z_]/.test(end))
  return { id, plain, own: canLead && plain.endsWith(end) ? end : plain, why }
}

const hashLength = 8
const attemptsMax = 64

/** Marks the name that it gives as used. */
function withHash(odd: Odd, { nameMax }: NameRules, used: Set<string>): string | undefined {
  const room = nameMax - hashLength - 1
  if (room < 0) return undefined
  const body = shortened(odd, room)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const name = `${body}_${hashOf(attempt === 0 ? odd.id : `${odd.id}\n${attempt}`)}`
    const key = foldName(name)
    if (used.has(key)) continue
    used.add(key)
    return name
  }
  return undefined
}

/** Below this, what is left of a server's name says nothing. */
const headMin = 4

/**
 * What goes first is the end of what stands before the tool's own name. Only when there is no room for that name
 * itself, its middle goes: verbs stand at the beginning, objects at the end, and two names often differ in one only.
 */
function shortened({ plain, own }: Odd, room: number): string {
  if (plain.length <= room) return plain
  const head = room - 1 - own.length
  if (head >= headMin) return `${plain.slice(0, head)}_${own}`
  if (room < 8) return own.slice(0, room)
  const tail = Math.floor((room - 1) / 2)
  return own.length <= room ? own : `${own.slice(0, room - 1 - tail)}_${own.slice(-tail)}`
}

/**
 * FNV-1a over the code units with a final mixing, as 8 hex digits. Not a secret and not proof against somebody who
 * looks for a collision: that is what the attempts are for.
 */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(hashLength, '0')
}
