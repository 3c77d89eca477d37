// The names by which rules find a tool.

import type { Candidate } from '../core/candidate.ts'
import { foldWide } from './fold-wide.ts'
import { unknownText } from './glob.ts'

export interface RuleNames {
  /** `server__tool`, or for a tool of no server its own name. */
  readonly full: string
  /** What its owner calls it; an ending of `full`. */
  readonly own: string
  /** The model sees `full`. */
  readonly shownInFull: boolean
  /** Further names that stand alone. */
  readonly others: readonly string[]
}

/**
 * wide: surface name, original name, label, `server__tool`, former names, all folded.
 * exact: surface name and `server__tool`, byte for byte. The original name alone is not among them: any
 * server could offer a tool of that name.
 * In the names of a stand-in its star becomes `unknownText`, which only a star in a rule matches.
 */
export function namesOf(candidate: Candidate, kind: 'wide' | 'exact'): RuleNames {
  return kind === 'wide' ? wideNames(candidate) : exactNames(candidate)
}

/** The identity, read as the list is read. */
export const identityOf = (candidate: Candidate, kind: 'wide' | 'exact'): string =>
  kind === 'wide' ? readWide(candidate.id, candidate) : candidate.standIn === true ? unknownText : candidate.id

const readWide = (written: string, { standIn }: Candidate): string =>
  standIn === true && written.endsWith('*') ? foldWide(written.slice(0, -1)) + unknownText : foldWide(written)

function wideNames(candidate: Candidate): RuleNames {
  const { name, originalName, declaredName, server, role } = candidate
  const read = (written: string): string => readWide(written, candidate)
  const shownInFull = isShownInFull(candidate)
  let own: string
  let full: string
  if (shownInFull && server !== undefined && plain.test(name)) {
    // Folding ASCII keeps every place, so the own name is where it was.
    full = read(name)
    own = full.slice(server.length + 2)
  } else {
    own = read(originalName)
    full = server === undefined ? own : `${foldWide(server)}__${own}`
  }
  const others: string[] = []
  if (!shownInFull && name !== originalName) others.push(read(name))
  if (declaredName !== undefined && declaredName !== name) others.push(read(declaredName))
  if (role === 'subagent') others.push(...(formerNames.get(foldWide(name)) ?? []))
  return { full, own, shownInFull, others }
}

const plain = /^[!-~]*$/

/** Whether the tool goes by `server__tool`, or without a server by its own name; compared without making that text. */
function isShownInFull({ name, originalName, server }: Candidate): boolean {
  if (server === undefined) return name === originalName
  return (
    name.length === server.length + 2 + originalName.length &&
    name.startsWith('__', server.length) &&
    name.startsWith(server) &&
    name.endsWith(originalName)
  )
}

function exactNames(candidate: Candidate): RuleNames {
  const { name, originalName, server, standIn } = candidate
  if (standIn === true) return { full: unknownText, own: unknownText, shownInFull: true, others: [] }
  const shownInFull = server === undefined || isShownInFull(candidate)
  const full = shownInFull ? name : `${server}__${originalName}`
  return { full, own: originalName, shownInFull, others: shownInFull ? [] : [name] }
}

/**
 * Renames that rules on the old or the new name must survive: Claude Code calls its subagent tool `Agent` since
 * 2.1.63 and `Task` before. Only for a tool that declares the role, and only where names are read widely.
 */
const formerNames = new Map([
  ['task', ['agent']],
  ['agent', ['task']],
])
