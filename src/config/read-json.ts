// JSON as other clients write it: comments and trailing commas are tolerated and named, twins are not. The same
// bounds and the same kind of data as for YAML. The parser calls itself for each level, so a scan bounds it first.

import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { bounds } from './bounds.ts'
import type { Path, Place } from './place.ts'
import { faultAt, keyFault, OutOfBounds, type Reading } from './reading.ts'

/**
 * Reads JSON. `file` is how findings name it. Warnings: one `config-syntax` each for comments and for trailing
 * commas, with the first line. Faults: `config-syntax`, `config-duplicate-key`, `config-too-big`, `config-too-deep`,
 * `config-type` (an empty key), `config-unknown-key` (`__proto__`), `config-range`. Never throws.
 */
export function readJson(text: string, file: string): Reading {
  try {
    const warnings = tolerated(text, file)
    const { value, place, faults } = built(text, file)
    return faults.length > 0 ? { faults } : { value, place, warnings }
  } catch (error) {
    if (error instanceof OutOfBounds) return { faults: [error.fault] }
    const what = error instanceof Error ? printable(error.message, 200) : 'the parser gave up'
    return { faults: [faultAt('config-syntax', { file, line: 1 }, what)] }
  }
}

/** One pass over the tokens: the bounds, and what strict JSON would refuse. */
function tolerated(text: string, file: string): Finding[] {
  const scanner = createScanner(text, false)
  const first: { comment?: number; comma?: number } = {}
  let comma: number | undefined
  let depth = 0
  let count = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const line = scanner.getTokenStartLine() + 1
    if (++count > tokensMax) {
      const what = `the file has more than ${tokensMax} JSON tokens`
      throw new OutOfBounds(faultAt('config-too-big', { file, line }, what))
    }
    const char = text.charAt(scanner.getTokenOffset())
    if (blanks.has(char)) continue
    if (char === '/') {
      first.comment ??= line
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') {
      depth -= 1
      if (comma !== undefined) first.comma ??= comma
    }
    if (depth > bounds.depth) {
      const what = `the file is nested deeper than ${bounds.depth} levels`
      throw new OutOfBounds(faultAt('config-too-deep', { file, line }, what, 'flatten it'))
    }
    comma = char === ',' ? line : undefined
  }
  const warning = (what: string, line: number): Finding =>
    finding('config-syntax', 'warning', `${what} (line ${line}) is no JSON; it was read all the same`, {
      subject: file,
      hint: 'remove it: other programs refuse the file',
      origin: { in: file, line },
    })
  return [
    ...(first.comment === undefined ? [] : [warning('a comment', first.comment)]),
    ...(first.comma === undefined ? [] : [warning('a trailing comma', first.comma)]),
  ]
}

const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r', '\ufeff'])
/** Blanks are tokens here, so there are about twice as many as in YAML. */
const tokensMax = bounds.tokens * 2

/** A mapping or list that is being filled. */
interface Open {
  readonly path: Path
  readonly place: Place & { readonly inside: Map<string | number, Place> }
  readonly list?: Json[]
  readonly mapping?: Record<string, Json>
  /** The key that waits for its value, and where it stands. Absent after a key that is refused. */
  key?: { readonly name: string; readonly place: Place } | undefined
}

function built(
  text: string,
  file: string,
): { readonly value: Json; readonly place: Place; readonly faults: Finding[] } {
  const faults: Finding[] = []
  const stack: Open[] = []
  let root: { value: Json; place: Place } = { value: null, place: { file, line: 1, column: 1 } }

  /** The words of a fault are made only while faults are still kept: garbage can have one at every character. */
  const fault = (make: () => Finding) => {
    if (faults.length < faultsMax) faults.push(make())
  }
  /** Puts a value where it belongs and returns the path it got. */
  const put = (value: Json, own: Place): Path => {
    const holder = stack.at(-1)
    if (holder?.list !== undefined) {
      const index = holder.list.push(value) - 1
      holder.place.inside.set(index, own)
      return [...holder.path, index]
    }
    if (holder?.mapping !== undefined) {
      const { key } = holder
      if (key === undefined) return holder.path
      holder.mapping[key.name] = value
      const { line, column } = key.place
      holder.place.inside.set(key.name, { ...own, line, column })
      return [...holder.path, key.name]
    }
    root = { value, place: own }
    return []
  }
  const open = (value: { list: Json[] } | { mapping: Record<string, Json> }, line: number, character: number) => {
    const place = { file, line: line + 1, column: character + 1, inside: new Map<string | number, Place>() }
    const path = put('list' in value ? value.list : value.mapping, place)
    stack.push({ path, place, ...value })
  }
  const onKey = (name: string, line: number, character: number) => {
    const holder = stack.at(-1)
    if (holder === undefined) return
    const spot = { file, line: line + 1, column: character + 1, path: [...holder.path, name] }
    const bad = keyFault(name)
    const earlier = holder.place.inside.get(name)
    if (bad !== undefined) fault(() => faultAt(bad.code, spot, bad.what))
    if (earlier !== undefined) {
      const what = `the key "${printable(name, 60)}" occurs twice in one object, first on line ${earlier.line}`
      fault(() => faultAt('config-duplicate-key', spot, what, 'remove one of them'))
    }
    const usable = bad === undefined && earlier === undefined
    holder.key = usable ? { name, place: { file, line: spot.line, column: spot.column } } : undefined
  }

  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, character) => open({ mapping: Object.create(null) }, line, character),
      onArrayBegin: (_offset, _length, line, character) => open({ list: [] }, line, character),
      onObjectEnd: () => void stack.pop(),
      onArrayEnd: () => void stack.pop(),
      onObjectProperty: (name, _offset, _length, line, character) => onKey(name, line, character),
      onLiteralValue: (value: Json, _offset, _length, line, character) =>
        void put(value, { file, line: line + 1, column: character + 1 }),
      onError: (code: ParseErrorCode, _offset, _length, line, character) =>
        fault(() => faultAt('config-syntax', { file, line: line + 1, column: character + 1 }, words(code))),
    },
    { allowTrailingComma: true, disallowComments: false },
  )
  return { ...root, faults }
}

const faultsMax = 20

/** `PropertyNameExpected` as `property name expected`. */
const words = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
