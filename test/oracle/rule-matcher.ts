// The oracle's own reading of rules, for the forms that the worlds hold. Regular expressions do for words this short.

import type { Candidate } from '../../src/core/candidate.ts'

export type Match = 'none' | 'part' | 'whole'

/** How wide rules read a name; with `joined`, separators are one too. */
export function wideFold(name: string, joined = true): string {
  const folded = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\p{Mn}\p{Zs}]/gu, '')
    .toLowerCase()
  return joined ? folded.replace(/[-.]/g, '_') : folded
}

/**
 * Every exact spelling of a tool. What its owner calls it is none, since any owner might; nor is a label for people.
 * A placeholder has none.
 */
export function spellings({ standIn, name, originalName, id, server, protocol }: Candidate): string[] {
  if (standIn === true) return []
  if (server === undefined) return [name, id]
  return [name, id, `${server}/${originalName}`, ...(protocol === 'mcp' ? [`mcp__${server}__${originalName}`] : [])]
}

/**
 * Whether a rule means the tool: whole, or only some of its calls. `wide` for deny and ask, `exact` for what grants.
 * With `bare`, only a name that stands alone counts, whoever bears it.
 */
export function matchesRule(text: string, candidate: Candidate, kind: 'wide' | 'exact', only?: 'bare'): Match {
  const [, subject = '', condition = ''] = /^([^(]*)(?:\((.*)\))?$/.exec(text) ?? []
  const bare = isBare(subject)
  const means =
    only === 'bare'
      ? bare && meansBare(subject, candidate)
      : bare
        ? meansName(subject, candidate, kind)
        : meansKind(subject, candidate, kind)
  return !means ? 'none' : condition === '' || condition === '*' ? 'whole' : 'part'
}

const isBare = (subject: string): boolean =>
  !/^(?:group|effect|role):/.test(subject) && (!subject.includes('/') || isIdentity(subject))
const isIdentity = (subject: string): boolean => /^(?:config|builtin|mcp|acp):/.test(subject)

function meansKind(subject: string, candidate: Candidate, kind: 'wide' | 'exact'): boolean {
  const { group, effects, role, server, originalName } = candidate
  const [word = '', rest = ''] = subject.split(/:(.*)/)
  if (word === 'group')
    return group !== undefined && (kind === 'wide' ? wideFold(rest) === wideFold(group) : rest === group)
  if (word === 'role') return role === rest
  if (word === 'effect')
    return kind === 'wide' ? effects.some((effect) => effect === rest) : effects.length === 1 && effects[0] === rest
  const [owner = '', tool = ''] = subject.split(/\/(.*)/)
  if (server === undefined || (kind === 'exact' && owner.includes('*'))) return false
  return covers(owner, server, kind) && covers(tool, originalName, kind, candidate.standIn)
}

function meansBare(subject: string, candidate: Candidate): boolean {
  return ownNames(candidate).some((one) => covers(subject, one, 'wide', candidate.standIn))
}

/** What it is called without naming its owner: what starts subagents is called Task and Agent by turns. */
function ownNames({ name, originalName, declaredName, role }: Candidate): string[] {
  const names = [name, originalName, ...(declaredName === undefined ? [] : [declaredName])]
  const calls = new Map([
    ['task', 'agent'],
    ['agent', 'task'],
  ])
  return role === 'subagent' ? [...names, calls.get(wideFold(name)) ?? name] : names
}

function meansName(subject: string, candidate: Candidate, kind: 'wide' | 'exact'): boolean {
  const { name, originalName, server, protocol, id, standIn } = candidate
  const qualified = server === undefined ? [] : [`${server}__${originalName}`]
  if (protocol === 'mcp' && server !== undefined && subject.startsWith('mcp__')) {
    const rest = subject.slice('mcp__'.length)
    if (covers(rest, server, kind) || qualified.some((one) => covers(rest, one, kind, standIn))) return true
  }
  if (kind === 'exact' && /[*?]/.test(subject) && !/^[^*?]+__/.test(subject)) return false
  const known = [...(kind === 'exact' ? [name] : ownNames(candidate)), ...qualified]
  return (
    known.some((one) => covers(subject, one, kind, standIn)) ||
    (isIdentity(subject) && covers(subject, id, kind, standIn))
  )
}

/** Whether a pattern covers a text. The star of a placeholder stands for what nobody knows: only a star covers that. */
function covers(pattern: string, text: string, kind: 'wide' | 'exact', standIn = false): boolean {
  const read = (part: string): string => (kind === 'wide' ? wideFold(part) : part)
  const source = pattern
    .split(/([*?])/)
    .map((part) => (part === '*' ? '[^]*' : part === '?' ? '[^\\0]' : read(part).replace(/[.+^${}()|[\]\\]/g, '\\$&')))
  const known = standIn && text.endsWith('*') ? `${read(text.slice(0, -1))}\0` : read(text)
  return new RegExp(`^${source.join('')}$`).test(known)
}
