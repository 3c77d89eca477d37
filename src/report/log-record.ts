// Reading a line of a decision log. It comes from a file that anybody may have touched: each line is wholly a
// record, or it is reported and counts for nothing.

import { callKinds } from './call-record.ts'
import type { LogRecord } from './decision-log.ts'

/** The record of a line, or what is wrong with it. Never throws; a line over 16 MiB is not parsed. */
export function logRecord(line: string): LogRecord | { readonly wrong: string } {
  if (line.length > lineCharsMax) return { wrong: 'it is longer than 16 MiB' }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { wrong: 'it is not JSON' }
  }
  if (!isRecord(value)) return { wrong: 'it is not a JSON object' }
  const { type } = value
  if (type !== 'catalog' && type !== 'run' && type !== 'decision' && type !== 'refusal' && type !== 'call') {
    return { wrong: 'its type is none of catalog, run, decision, refusal, call' }
  }
  const wrong = Object.entries(shapes[type]).find(([key, fits]) => !fits(value[key]))
  return wrong === undefined
    ? (value as unknown as LogRecord)
    : { wrong: `"${wrong[0]}" of this ${type} is not as it should be` }
}

const lineCharsMax = 16 * 1024 * 1024

type Fits = (value: unknown) => boolean

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text: Fits = (value) => typeof value === 'string'
const whole: Fits = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits)
const withTexts =
  (...keys: readonly string[]): Fits =>
  (value) =>
    isRecord(value) && keys.every((key) => typeof value[key] === 'string')

const candidate: Fits = (value) =>
  withTexts('id', 'source', 'protocol', 'originalName', 'name', 'form', 'definitionHash')(value) &&
  isRecord(value) &&
  listOf(text)(value.needs) &&
  listOf(text)(value.effects) &&
  whole(value.definitionChars) &&
  withTexts('state')(value.availability) &&
  withTexts('in')(value.origin) &&
  withTexts('description')(value.definition)

const factParts = [
  'agent',
  'model',
  'target',
  'skills',
  'permissions',
  'sandbox',
  'delegation',
  'deferral',
  'simpleMode',
]
const facts: Fits = (value) =>
  isRecord(value) &&
  [...factParts, 'mcp', 'attended'].every((part) => isRecord(value[part])) &&
  withTexts('name')(value.agent)

const shapes: { readonly [type in LogRecord['type']]: { readonly [key: string]: Fits } } = {
  catalog: { hash: text, part: whole, of: whole, candidates: listOf(candidate) },
  run: { seq: whole, at: text, preset: text, facts, catalog: text, surface: text, decisions: whole },
  decision: { seq: whole, id: text, name: text, steps: listOf(withTexts('gate', 'code', 'effect')) },
  refusal: { at: text, code: text, name: text, surface: text },
  call: { seq: whole, at: text, name: text, surface: text, kind: (value) => callKinds.some((kind) => kind === value) },
}
