// Whether a rule on a shell command means a given line. A ban holds when any command in the line is meant, however
// it is wrapped; a grant must cover every command in it. What cannot be read counts against the call both times.

import { anyRun, type Glob, globOf, matchesGlob, oneChar, unknownText } from './glob.ts'
import { readShell, type ShellPart, type ShellReading } from './shell-reading.ts'
import {
  findActions,
  harmlessVariables,
  plainWrappers,
  shellKeywords,
  shells,
  unwrapped,
  wrappers,
  wrappersWithOperand,
} from './shell-wrappers.ts'

/** A pattern for one simple command, made ready. */
export interface CommandPattern {
  /** Any of these covers the command. */
  readonly globs: readonly Glob[]
  readonly exact: boolean
}

/**
 * `git push` means just that; `git push*` whatever begins so; `git:*` and `git *` the command `git` with any
 * arguments or none, and not `gitleaks`. Only `*` is a wildcard, blanks count once.
 */
export function commandPattern(pattern: string, prefix: boolean): CommandPattern {
  const written = pattern.replaceAll(oneChar, '?').trim().replace(/\s+/g, ' ')
  const word = prefix ? written : written.endsWith(` ${anyRun}`) ? written.slice(0, -2) : undefined
  const patterns = word === undefined ? [written] : [word, `${word} ${anyRun}`]
  return {
    globs: patterns.map(globOf),
    exact: word === undefined && !written.includes(anyRun),
  }
}

/** True when a command in the line is, or may be, one that the pattern means. */
export function meansLine(pattern: CommandPattern, line: ShellReading): boolean {
  const search: Search = { pattern, charsLeft: searchCharsMax }
  return line.unsure || line.parts.some(({ words, fed }) => meansWords(search, words, fed, 0))
}

/** True when each command in the line is covered by one of the patterns. */
export function coversLine(patterns: readonly CommandPattern[], line: ShellReading): boolean {
  return !line.unsure && line.parts.length > 0 && line.parts.every((part) => coversPart(patterns, part, 0))
}

const depthMax = 8
/** Characters compared for one line; a line that is built to need more is not read with certainty. */
const searchCharsMax = 300_000
/** Reading a script costs about so much more than comparing it. */
const readingCost = 10

interface Search {
  readonly pattern: CommandPattern
  charsLeft: number
}

function meansWords(search: Search, given: readonly string[], fed: boolean, depth: number): boolean {
  if (depth > depthMax) return true
  const words = withFilledIn(given)
  // Grows while it is walked: each place is looked at once, however many wrappers lead to it.
  const starts = new Set([0])
  for (const start of starts) {
    const own = bare(words.slice(start))
    if (meansCommand(search, own, fed, depth)) return true
    for (const at of innerStarts(own)) starts.add(words.length - own.length + at)
  }
  return false
}

/** `xargs` and `find` put words of their own into the command that they run. */
function withFilledIn(words: readonly string[]): readonly string[] {
  const names = words.map(baseName)
  const at = names.findIndex((name) => name === 'xargs' || name === 'parallel' || name === 'find')
  if (at < 0) return words
  const filled = words.map((word, index) =>
    index > at && !/^-(?:i|-replace)$/i.test(words[index - 1] ?? '') ? word.replaceAll('{}', unknownText) : word,
  )
  return names[at] === 'find' || filled.length === at + 1 ? filled : [...filled, unknownText]
}

function meansCommand(search: Search, words: readonly string[], fed: boolean, depth: number): boolean {
  const [command] = words
  if (command === undefined) return false
  const name = baseName(command)
  // INVARIANT: a command whose name is not known may be any command.
  if (command.startsWith(unknownText) || name.startsWith(unknownText)) return true
  const rest = words.slice(1)
  const texts = [words, [name, ...rest], ...pastOptions(words).map((at) => [name, ...words.slice(at)])]
  if (texts.some((text) => meansText(search, text.join(' ')))) return true
  if ((name === 'source' || name === '.') && (fed || (words[1] ?? '').includes(unknownText))) return true
  if (name === 'eval') return meansScript(search, rest.join(' '), depth)
  const scripts = scriptsOf(name, words)
  if (shells.has(name) && (fed || scripts.some((script) => script.startsWith(unknownText)))) return true
  return scripts.some((script) => meansScript(search, script, depth))
}

/** Words that are read as lines of their own: what stands behind `-c`, and what a wrapper is given in quotes. */
function scriptsOf(name: string, words: readonly string[]): readonly string[] {
  if (shells.has(name))
    return words
      .slice(words.findIndex(isScriptFlag) + 1)
      .filter((word) => words.some(isScriptFlag) && !word.startsWith('-'))
  if (!wrappers.has(name)) return []
  const quoted = words.slice(1).filter((word) => /\s/.test(word))
  return quoted.flatMap((word) => (word.startsWith('-') ? [word.slice(2), word.slice(word.indexOf('=') + 1)] : [word]))
}

function meansScript(search: Search, script: string, depth: number): boolean {
  search.charsLeft -= script.length * readingCost
  if (search.charsLeft < 0) return true
  const { parts, unsure } = readShell(script.replaceAll(unknownText, '$x'))
  return unsure || parts.some(({ words, fed }) => meansWords(search, words, fed, depth + 1))
}

function meansText(search: Search, text: string): boolean {
  search.charsLeft -= text.length
  if (search.charsLeft < 0) return true
  const { globs } = search.pattern
  const first = text.indexOf(unknownText)
  if (first < 0) return globs.some((glob) => matchesGlob(glob, text))
  const [before, after] = [text.slice(0, first), text.slice(text.lastIndexOf(unknownText) + 1)]
  // A variable may also be empty, and then its word is not there.
  const without = text
    .split(' ')
    .filter((word) => word !== unknownText)
    .join(' ')
  return globs.some((glob) => matchesGlob(glob, without) || couldBecome(glob, before, after))
}

/** Whether what the shell puts in between could make it a command that is meant: all that is known must agree. */
function couldBecome({ parts, min }: Glob, before: string, after: string): boolean {
  const [head = '', tail = head] = [parts[0], parts[parts.length - 1]]
  if (parts.length === 1) return before.length + after.length <= min && head.startsWith(before) && head.endsWith(after)
  return (head.startsWith(before) || before.startsWith(head)) && (tail.endsWith(after) || after.endsWith(tail))
}

/** Places at which a wrapped command may begin. */
function innerStarts(words: readonly string[]): number[] {
  const name = baseName(words[0] ?? '')
  if (name === 'find') return words.flatMap((word, at) => (findActions.has(word) ? [at + 1] : []))
  if (!wrappers.has(name)) return []
  const starts = pastOptions(words)
  const later = wrappersWithOperand.has(name) ? starts.flatMap((at) => pastOptions(words, at)) : []
  return [...new Set([...starts, ...later])]
}

/**
 * Places behind the options that follow on a word, each option with a value of its own or without:
 * `git -C dir push` is `git push` too.
 */
function pastOptions(words: readonly string[], from = 0): number[] {
  const places = new Set<number>([from + 1])
  for (const at of places) {
    const word = words[at] ?? ''
    if (word.startsWith('-')) places.add(at + 1).add(at + 2)
    else if (assignment.test(word)) places.add(at + 1)
  }
  return [...places].filter((at) => at < words.length && !(words[at] ?? '').startsWith('-'))
}

function coversPart(patterns: readonly CommandPattern[], part: ShellPart, depth: number): boolean {
  const { words, assignments, writes, fed } = part
  if (writes || depth > depthMax || assignments.some((name) => !harmlessVariables.has(name))) return false
  return coversWords(patterns, words, fed, depth)
}

function coversWords(
  patterns: readonly CommandPattern[],
  words: readonly string[],
  fed: boolean,
  depth: number,
): boolean {
  const [command = ''] = words
  if (depth > depthMax || command === '' || command.includes(unknownText)) return false
  const text = words.join(' ')
  const runsOthers =
    wrappers.has(command) ||
    shells.has(command) ||
    command === 'eval' ||
    (command === 'find' && words.some((word) => findActions.has(word)))
  // What runs other commands is granted as it stands or by what it runs, never by how it begins.
  if (patterns.some(({ globs, exact }) => (exact || !runsOthers) && globs.some((glob) => matchesGlob(glob, text))))
    return !(shells.has(command) && fed)
  if (shells.has(command)) {
    const flag = words.findIndex(isScriptFlag)
    const script = words[flag + 1]
    if (flag !== 1 || script === undefined || script.includes(unknownText)) return false
    const { parts, unsure } = readShell(script)
    return !unsure && parts.length > 0 && parts.every((part) => coversPart(patterns, part, depth + 1))
  }
  const form = plainWrappers.get(command)
  const inner = form === undefined ? undefined : unwrapped(words, form)
  if (inner === undefined) return false
  const rest = command === 'env' ? withoutAssignments(inner) : inner
  return rest !== undefined && coversWords(patterns, rest, fed, depth + 1)
}

/** The words without harmless assignments before them; undefined when one is not harmless. */
function withoutAssignments(words: readonly string[]): readonly string[] | undefined {
  const first = words.findIndex((word) => !assignment.test(word))
  const before = first < 0 ? words : words.slice(0, first)
  return before.every((word) => harmlessVariables.has(word.slice(0, word.indexOf('='))))
    ? words.slice(before.length)
    : undefined
}

/** The words without keywords and assignments before the command. */
function bare(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !shellKeywords.has(word) && !assignment.test(word))
  return first < 0 ? [] : words.slice(first)
}

const assignment = /^[A-Za-z_]\w*\+?=/
const baseName = (command: string): string => command.slice(command.lastIndexOf('/') + 1).replace(/\.exe$/i, '')
const isScriptFlag = (word: string): boolean => /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/i.test(word)
