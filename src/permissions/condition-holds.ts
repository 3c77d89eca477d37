// Whether a condition on arguments means a call: finds the argument, sees by its name what it is about, and hands it
// to the comparison for that. A ban is wide (what cannot be read counts as meant), a grant is exact (it does not).

import type { JsonObject } from '../core/json.ts'
import { argumentKind, isUrlArgument, primaryArguments } from './arguments.ts'
import { anyRun, coversAll, globOf, matchesGlob, oneChar, unknownText } from './glob.ts'
import type { Condition } from './parse-conditions.ts'
import { meansPath } from './path-match.ts'
import { commandPattern, coversLine, meansLine } from './shell-match.ts'
import { readShell, type ShellReading } from './shell-reading.ts'
import { meansHostOf, meansUrl } from './url-match.ts'

export interface CallSide {
  readonly ban: boolean
  /** Where relative paths stand. */
  readonly base: string
  /** The tool's own schema. Where it lists properties, a grant looks at no other argument. */
  readonly inputSchema?: JsonObject
}

/** Arguments of a call, as they came: anything. */
export type CallArguments = { readonly [name: string]: unknown }

/** True when the call is one that the condition means. An argument that is not there is never meant. */
export function conditionHolds(condition: Condition, args: CallArguments, side: CallSide): boolean {
  const found = argumentsFor(condition, args, side)
  if (found === 'whole') return side.ban && anyTextMeant(condition, args)
  return side.ban
    ? found.some((name) => valueMeant(condition, name, args, side))
    : found.length > 0 && found.every((name) => valueMeant(condition, name, args, side))
}

/** The command that a condition is about, when it is about one; for grants that cover a line together. */
export function commandArgument(condition: Condition, args: CallArguments, side: CallSide): string | undefined {
  const found = argumentsFor(condition, args, side)
  const [name] = found
  return found !== 'whole' && name !== undefined && argumentKind(name, condition.pattern) === 'command'
    ? name
    : undefined
}

/** The shell lines that an argument holds; undefined when it is no text. */
export function linesOf(value: unknown, args: CallArguments): readonly ShellReading[] | undefined {
  const rest = ['args', 'arguments'].map((name) => own(args, name)).find(isTexts) ?? []
  if (typeof value === 'string') {
    const line = readShell(value)
    const last = line.parts.at(-1)
    if (rest.length === 0 || last === undefined) return [line]
    return [{ ...line, parts: [...line.parts.slice(0, -1), { ...last, words: [...last.words, ...rest] }] }]
  }
  if (!isTexts(value) || value.length === 0) return undefined
  const words = [...value, ...rest]
  return [
    {
      parts: [{ words, assignments: [], writes: false, fed: false }],
      unsure: words.some((word) => word.includes(unknownText)),
    },
  ]
}

function argumentsFor({ argument }: Condition, args: CallArguments, side: CallSide): readonly string[] | 'whole' {
  const present = (name: string): boolean => own(args, name) !== undefined
  if (argument !== undefined) {
    if (present(argument)) return [argument]
    return argument === 'domain' ? Object.keys(args).filter((name) => isUrlArgument(name) && present(name)) : []
  }
  const known = side.ban ? undefined : propertiesOf(side.inputSchema)
  const found = primaryArguments.filter((name) => present(name) && (known === undefined || Object.hasOwn(known, name)))
  if (found.length === 0) return 'whole'
  return side.ban ? found : found.slice(0, 1)
}

function valueMeant(condition: Condition, name: string, args: CallArguments, side: CallSide): boolean {
  const { ban } = side
  if (coversAll(condition.pattern)) return true
  const value = own(args, name)
  const kind = condition.argument === 'domain' ? 'host' : argumentKind(name, condition.pattern)
  if (kind === 'command') {
    const lines = linesOf(value, args)
    if (lines === undefined) return ban
    const pattern = commandPattern(condition.pattern, condition.prefix)
    if (!ban) return lines.every((line) => coversLine([pattern], line))
    const single = isTexts(value) ? value.map(readShell) : []
    return [...lines, ...single].some((line) => meansLine(pattern, line))
  }
  const texts = textsOf(value)
  if (texts === undefined) return ban
  const meant = (text: string): boolean => {
    if (kind === 'path') return meansPath(condition.pattern, condition.prefix, text, side)
    if (kind === 'url') return meansUrl(condition.pattern, condition.prefix, text, ban)
    if (kind === 'host') return meansHostOf(condition.pattern, text, ban)
    return textMeant(condition, text)
  }
  return ban ? texts.some(meant) : texts.length > 0 && texts.every(meant)
}

function textMeant({ pattern, prefix }: Condition, text: string): boolean {
  const written = pattern.replaceAll(oneChar, '?')
  return matchesGlob(globOf(prefix ? written + anyRun : written), text)
}

/** Most values of a list, or of a whole call, that are looked at; more cannot be read. */
const textsMax = 1000

/** A value as texts; undefined when it is none. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return [String(value)]
  if (!Array.isArray(value) || value.length > textsMax) return undefined
  const texts = value.map((item) => (Array.isArray(item) ? undefined : textsOf(item)))
  return texts.every((text) => text !== undefined) ? texts.flat() : undefined
}

/** For a ban without argument name on a tool that takes none of the primary arguments: any text in the call counts. */
function anyTextMeant(condition: Condition, args: CallArguments): boolean {
  const queue: unknown[] = [args]
  for (const value of queue) {
    if (queue.length > textsMax) return true
    if (typeof value === 'string' && textMeant(condition, value)) return true
    if (value !== null && typeof value === 'object') queue.push(...Object.keys(value), ...Object.values(value))
  }
  return false
}

function propertiesOf(schema: JsonObject | undefined): object | undefined {
  const properties = schema?.properties
  return properties !== null && typeof properties === 'object' && !Array.isArray(properties) ? properties : undefined
}

/** An own value; absent and null are one, since tools treat them so. */
function own(args: CallArguments, name: string): unknown {
  return Object.hasOwn(args, name) ? (args[name] ?? undefined) : undefined
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= textsMax && value.every((item) => typeof item === 'string')
