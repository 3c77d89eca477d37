// A shell line taken apart into the simple commands that it would run, without running anything:
//
//   cd sub && FOO=1 git push "$(cat x)" > log   →   cd sub   ·   FOO=1 git push ␀ (writes a file)   ·   cat x
//
// What the shell would put in for a variable, a wildcard or a substitution is not known here and is kept as
// `unknownText`. Where the line cannot be read with certainty it is `unsure`, and rules then fail closed.

import { unknownText } from './glob.ts'

/** One simple command. */
export interface ShellPart {
  /** Names and values of assignments before the command. */
  readonly assignments: readonly string[]
  /** The command and its arguments, unquoted. */
  readonly words: readonly string[]
  /** Output goes into a file. */
  readonly writes: boolean
  /** Its input comes from a pipe or stands in the line: a shell would run it. */
  readonly fed: boolean
}

export interface ShellReading {
  readonly parts: readonly ShellPart[]
  /** The line holds what this reader does not understand. */
  readonly unsure: boolean
}

/** Longest line that is read; claw-code and Claude Code stop at the same length. */
const lineCharsMax = 10_000
const depthMax = 8
const partsMax = 500

/** Reads a shell line. Never throws; time grows with the length of the line times the depth of substitutions. */
export function readShell(line: string): ShellReading {
  return read(line, 0)
}

interface State {
  readonly line: string
  readonly depth: number
  at: number
  readonly parts: ShellPart[]
  unsure: boolean
  word: string | undefined
  /** The word so far holds quotes, so it is no descriptor. */
  quoted: boolean
  words: string[]
  assignments: string[]
  writes: boolean
  fed: boolean
  /** The next word is where a redirection goes. */
  redirect: 'in' | 'out' | 'copy' | 'here' | 'text' | undefined
  /** Ends of the texts that begin on the next line. */
  here: string[]
}

function read(line: string, depth: number): ShellReading {
  if (line.length > lineCharsMax || depth > depthMax || line.includes(unknownText)) return { parts: [], unsure: true }
  const state: State = {
    line,
    depth,
    at: 0,
    parts: [],
    unsure: false,
    word: undefined,
    quoted: false,
    words: [],
    assignments: [],
    writes: false,
    fed: false,
    redirect: undefined,
    here: [],
  }
  while (state.at < line.length) step(state)
  endCommand(state, false)
  if (state.redirect !== undefined || state.here.length > 0) state.unsure = true
  return { parts: state.parts, unsure: state.unsure || state.parts.length > partsMax }
}

function step(s: State): void {
  const char = s.line[s.at] ?? ''
  switch (char) {
    case ' ':
    case '\t':
    case '\r':
      endWord(s)
      s.at++
      return
    case '\n':
      endCommand(s, false)
      s.at++
      skipHereTexts(s)
      return
    case ';':
    case ')':
      endCommand(s, false)
      s.at++
      return
    case '(':
      openParenthesis(s)
      return
    case '&':
    case '|':
      operator(s, char)
      return
    case '<':
    case '>':
      redirection(s, char)
      return
    case '#':
      if (s.word === undefined) s.at = lineEnd(s)
      else add(s, char)
      return
    default:
      wordChar(s, char)
  }
}

function wordChar(s: State, char: string): void {
  switch (char) {
    case "'":
      singleQuoted(s)
      return
    case '"':
      s.at++
      doubleQuoted(s)
      return
    case '\\':
      if (s.line[s.at + 1] !== '\n') append(s, s.line[s.at + 1] ?? '')
      s.quoted = true
      s.at += 2
      return
    case '$':
      if (s.line[s.at + 1] === "'") escapeQuoted(s)
      else dollar(s)
      return
    case '`':
      backquoted(s)
      return
    case '*':
    case '?':
      add(s, unknownText)
      return
    case '[':
      // Alone it is the test command; inside a word it is a wildcard.
      add(s, s.word === undefined && /^\[{1,2}\s/.test(s.line.slice(s.at, s.at + 3)) ? char : unknownText)
      return
    case '{':
      add(s, /^\{(?:\}|\s|$)/.test(s.line.slice(s.at, s.at + 2)) ? char : unknownText)
      return
    default:
      add(s, char)
  }
}

function append(s: State, text: string): void {
  s.word = (s.word ?? '') + text
}

function add(s: State, text: string): void {
  append(s, text)
  s.at++
}

function endWord(s: State): void {
  const { word, redirect } = s
  s.word = undefined
  s.quoted = false
  if (word === undefined) return
  s.redirect = undefined
  if (redirect === 'here') {
    s.here.push(word)
    s.fed = true
  } else if (redirect === 'text') {
    s.fed = true
  } else if (redirect === 'out' || (redirect === 'copy' && !/^(?:\d+-?|-)$/.test(word))) {
    if (word !== '/dev/null') s.writes = true
  } else if (redirect === undefined) {
    const name = s.words.length === 0 ? /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1] : undefined
    if (name !== undefined) s.assignments.push(name)
    else s.words.push(word)
  }
}

/** Compound commands whose parts do not follow from reading on. */
const unread = new Set(['case', 'function', 'select', 'coproc'])

function endCommand(s: State, piped: boolean): void {
  endWord(s)
  if (s.redirect !== undefined) s.unsure = true
  s.redirect = undefined
  const { words, assignments, writes, fed } = s
  if (words.length > 0 || assignments.length > 0 || writes) {
    if (unread.has(words[0] ?? '')) s.unsure = true
    s.parts.push({ words, assignments, writes, fed })
  }
  s.words = []
  s.assignments = []
  s.writes = false
  s.fed = piped
}

function openParenthesis(s: State): void {
  // Behind a word it defines a function or fills an array; alone it opens a subshell, which is more of the same.
  if (s.word !== undefined || s.words.length > 0 || s.assignments.length > 0) s.unsure = true
  endCommand(s, s.fed)
  s.at++
}

function operator(s: State, char: string): void {
  const next = s.line[s.at + 1]
  if (char === '&' && next === '>') {
    endWord(s)
    s.redirect = 'out'
    s.at += s.line[s.at + 2] === '>' ? 3 : 2
    return
  }
  const pipe = char === '|' && next !== '|'
  endCommand(s, pipe)
  s.at += next === char || (pipe && next === '&') ? 2 : 1
}

function redirection(s: State, char: string): void {
  if (s.line[s.at + 1] === '(') {
    const inner = balanced(s.line, s.at + 1, '(', ')')
    nested(s, inner?.text)
    append(s, unknownText)
    s.at = inner?.end ?? s.line.length
    return
  }
  // `2>`: the digits before are a descriptor, no argument.
  if (s.word !== undefined && !s.quoted && /^\d+$/.test(s.word)) s.word = undefined
  endWord(s)
  if (s.redirect !== undefined) s.unsure = true
  const [operatorText = char] = /^(?:<<<|<<-?|<>|<&|<|>>|>\||>&|>)/.exec(s.line.slice(s.at, s.at + 3)) ?? []
  s.redirect = redirects.get(operatorText) ?? 'in'
  s.at += operatorText.length
}

const redirects = new Map<string, State['redirect']>([
  ['<', 'in'],
  ['<&', 'in'],
  ['<<<', 'text'],
  ['<<', 'here'],
  ['<<-', 'here'],
  ['>', 'out'],
  ['>>', 'out'],
  ['>|', 'out'],
  ['<>', 'out'],
  ['>&', 'copy'],
])

function singleQuoted(s: State): void {
  const end = s.line.indexOf("'", s.at + 1)
  if (end < 0) s.unsure = true
  append(s, s.line.slice(s.at + 1, end < 0 ? s.line.length : end))
  s.quoted = true
  s.at = end < 0 ? s.line.length : end + 1
}

/** `$'…'`: its escapes are not worked out, only its end is found. */
function escapeQuoted(s: State): void {
  let end = s.at + 2
  while (end < s.line.length && s.line[end] !== "'") end += s.line[end] === '\\' ? 2 : 1
  if (end >= s.line.length) s.unsure = true
  append(s, unknownText)
  s.quoted = true
  s.at = end + 1
}

function doubleQuoted(s: State): void {
  append(s, '')
  s.quoted = true
  while (s.at < s.line.length) {
    const char = s.line[s.at] ?? ''
    if (char === '"') {
      s.at++
      return
    }
    if (char === '\\') {
      const next = s.line[s.at + 1] ?? ''
      append(s, '"\\$`'.includes(next) ? next : next === '\n' ? '' : `\\${next}`)
      s.at += 2
    } else if (char === '$') {
      dollar(s)
    } else if (char === '`') {
      backquoted(s)
    } else {
      add(s, char)
    }
  }
  s.unsure = true
}

function dollar(s: State): void {
  const next = s.line[s.at + 1] ?? ''
  if (next === '(') {
    const inner = balanced(s.line, s.at + 1, '(', ')')
    nested(s, inner?.text)
    append(s, unknownText)
    s.at = inner?.end ?? s.line.length
  } else if (next === '{') {
    const inner = balanced(s.line, s.at + 1, '{', '}')
    if (inner === undefined || /[$`]/.test(inner.text)) s.unsure = true
    append(s, unknownText)
    s.at = inner?.end ?? s.line.length
  } else {
    const [name = ''] = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(s.line.slice(s.at + 1, s.at + 200)) ?? []
    append(s, name === '' ? '$' : unknownText)
    s.at += 1 + name.length
  }
}

function backquoted(s: State): void {
  let end = s.at + 1
  while (end < s.line.length && s.line[end] !== '`') end += s.line[end] === '\\' ? 2 : 1
  nested(s, end < s.line.length ? s.line.slice(s.at + 1, end).replace(/\\([`\\$])/g, '$1') : undefined)
  append(s, unknownText)
  s.at = end + 1
}

function nested(s: State, text: string | undefined): void {
  const inner = text === undefined ? undefined : read(text, s.depth + 1)
  if (inner === undefined || inner.unsure) s.unsure = true
  s.parts.push(...(inner?.parts ?? []))
}

/** The text between a bracket and the one that closes it, quotes and escapes respected; undefined when none does. */
function balanced(
  line: string,
  open: number,
  opener: string,
  closer: string,
): { text: string; end: number } | undefined {
  let depth = 0
  let quote = ''
  for (let at = open; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === '\\' && quote !== "'") at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === opener) depth++
    else if (char === closer && --depth === 0) return { text: line.slice(open + 1, at), end: at + 1 }
  }
  return undefined
}

/** Passes over the texts of `<<`; a substitution in one runs, so such a line is unsure. */
function skipHereTexts(s: State): void {
  for (const end of s.here.splice(0)) {
    for (;;) {
      if (s.at >= s.line.length) {
        s.unsure = true
        break
      }
      const stop = lineEnd(s)
      const text = s.line.slice(s.at, stop)
      s.at = stop + 1
      if (text.replace(/^\t+/, '') === end) break
      if (/[$`]/.test(text)) s.unsure = true
    }
  }
}

function lineEnd(s: State): number {
  const end = s.line.indexOf('\n', s.at)
  return end < 0 ? s.line.length : end
}
