// The rule language, read. One text is one rule:
//
//   subject                     which tools            read_file  get_*  github/*  mcp__github  group:web  effect:write
//   subject(condition, …)       … and which calls      bash(command:git push*)  Bash(git:*)  write_file(path:/srv/**)
//
// Reading is total: what cannot be read is a fault with what and what to do. docs/rules.md shows every form.

import { type EffectClass, effectClasses, type ToolRole } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'
import { nearest } from '../names/nearest.ts'
import { escapedAt, patternOf, unescapedIndex } from './escapes.ts'
import { type Condition, parseConditions } from './parse-conditions.ts'
import type { RuleFault } from './rule-fault.ts'

/** Which tools a rule speaks of. Patterns hold the wildcards of `glob.ts`. */
export type Subject =
  /** A name as it stands; `mcp__…` too, because only a candidate's own server tells where the server's name ends. */
  | { readonly kind: 'name'; readonly pattern: string }
  /** `server/tool`. Server names hold no slash, so the first one separates. */
  | { readonly kind: 'tool'; readonly server: string; readonly pattern: string }
  | { readonly kind: 'group'; readonly pattern: string }
  | { readonly kind: 'effect'; readonly effect: EffectClass }
  | { readonly kind: 'role'; readonly role: ToolRole }

export interface ParsedRule {
  readonly text: string
  readonly subject: Subject
  /** All must hold for a call to be meant. `[]`: the rule is about whole tools. */
  readonly conditions: readonly Condition[]
}

/** Longest rule, in characters. Longer than any name or path that a target accepts; keeps all work on rules bounded. */
export const ruleCharsMax = 1000

export const toolRoles = [
  'shell',
  'file-read',
  'file-edit',
  'subagent',
  'tool-search',
  'ask-person',
] as const satisfies readonly ToolRole[]

/** A rule, or the fault that keeps it from being one. Never throws, whatever it is given. */
export function parseRule(given: string): ParsedRule | RuleFault {
  if (typeof given !== 'string') return fault('a rule is a text', 'write it in quotes')
  const text = given.trim()
  if (text === '') return fault('the rule is empty', 'write a tool name, or remove it')
  if (text.length > ruleCharsMax) return fault(`the rule has more than ${ruleCharsMax} characters`, 'shorten it with *')
  if (controls.test(text)) return fault('the rule holds control characters', 'remove them')

  const open = unescapedIndex(text, '(')
  const subjectText = open < 0 ? text : text.slice(0, open).trimEnd()
  if (unescapedIndex(subjectText, ')') >= 0)
    return fault('a parenthesis is closed that was never opened', parenthesesHint)
  const subject = parseSubject(subjectText)
  if ('code' in subject) return subject
  if (open < 0) return { text, subject, conditions: [] }

  if (!text.endsWith(')') || escapedAt(text, text.length - 1))
    return fault('the condition has no closing parenthesis', parenthesesHint)
  const conditions = parseConditions(text.slice(open + 1, -1))
  return 'code' in conditions ? conditions : { text, subject, conditions }
}

/** True when parsing gave a fault. */
export const isFault = (parsed: ParsedRule | RuleFault): parsed is RuleFault => 'code' in parsed

function parseSubject(written: string): Subject | RuleFault {
  if (written === '') return fault('no tool is named before the condition', 'write the tool before the parenthesis')
  const colon = unescapedIndex(written, ':')
  if (colon > 0) {
    const word = written.slice(0, colon).toLowerCase()
    const rest = written.slice(colon + 1).trim()
    const keyed = keyedSubject(word, rest)
    if (keyed !== undefined) return keyed
  }
  const slash = unescapedIndex(written, '/')
  if (slash < 0 || isIdentity(written)) return { kind: 'name', pattern: patternOf(written) }
  const server = written.slice(0, slash)
  const tool = written.slice(slash + 1)
  if (server === '' || tool === '')
    return fault(
      'a slash stands between a server and a tool, and one of them is missing',
      'write server/tool, or server/* for all its tools',
    )
  return { kind: 'tool', server: patternOf(server), pattern: patternOf(tool) }
}

/** `group:`, `effect:` and `role:`; undefined when the colon is part of a name. */
function keyedSubject(word: string, rest: string): Subject | RuleFault | undefined {
  if (word === 'group') {
    if (rest === '') return fault('no group is named', 'write group:NAME')
    return { kind: 'group', pattern: patternOf(rest) }
  }
  if (word === 'effect') {
    const effect = effectClasses.find((known) => known === rest.toLowerCase())
    return effect === undefined ? unknownWord('effect', rest, effectClasses) : { kind: 'effect', effect }
  }
  if (word === 'role') {
    const role = toolRoles.find((known) => known === rest.toLowerCase())
    return role === undefined ? unknownWord('role', rest, toolRoles) : { kind: 'role', role }
  }
  const meant = mistaken.get(word)
  if (meant !== undefined) return fault(`"${word}:" is no kind of rule`, meant)
  const near = nearest(word, keywords, 1)[0]
  return near === undefined
    ? undefined
    : fault(
        `"${printable(word, 40)}:" is no kind of rule`,
        `write ${near}:…, or \\: for a colon that belongs to a name`,
      )
}

const keywords = ['group', 'effect', 'role']

/** Kinds that people try because other products have them, and what to write here. */
const mistaken = new Map([
  ['server', 'write server/* with the name of the server'],
  ['tool', 'write the name alone'],
  ['name', 'write the name alone'],
])

/** `mcp:files/read_file`: an identity as shown by `why` and `--json`; its slash separates nothing. */
export const isIdentity = (written: string): boolean => /^(?:config|builtin|mcp|acp|snapshot):/i.test(written)

function unknownWord(kind: string, word: string, known: readonly string[]): RuleFault {
  return fault(
    `"${printable(word, 40)}" is no ${kind}`,
    `write one of ${known.map((name) => `${kind}:${name}`).join(', ')}`,
  )
}

const fault = (message: string, hint: string): RuleFault => ({ code: 'rule-syntax', message, hint })

const parenthesesHint = 'write Name(condition), with \\( and \\) for parentheses that belong to a name'

const controls = /\p{Cc}/u
