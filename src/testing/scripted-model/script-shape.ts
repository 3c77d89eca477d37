// The keys of a script and what each may hold, as checks that say what is wrong and where. Strict: an unknown key is
// an error with the nearest known one.

import { nearest } from '../../names/nearest.ts'

/** Keys and list indexes from the root of a script to a value. */
export type ScriptPath = readonly (string | number)[]

/** Told of each fault: where, what is wrong and what to do. */
export type Tell = (path: ScriptPath, what: string, hint?: string) => void

type Check = (value: unknown, path: ScriptPath, tell: Tell) => void

const text: Check = (value, path, tell) => {
  if (typeof value !== 'string') tell(path, `is ${kindOf(value)}, and must be a text`)
  else if (value === '') tell(path, 'is empty', 'remove the key, or write a text')
}

/** A text, or a list of at least one. */
const texts: Check = (value, path, tell) =>
  Array.isArray(value) ? listOf(text)(value, path, tell) : text(value, path, tell)

const textOfForm =
  (form: RegExp, what: string): Check =>
  (value, path, tell) => {
    if (typeof value !== 'string' || !form.test(value)) tell(path, `is not of the form: ${what}`)
  }

const numberIn =
  (least: number, most: number): Check =>
  (value, path, tell) => {
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
    if (!fits) tell(path, `is no whole number from ${least} to ${most}`)
  }

const oneOf =
  (...known: readonly string[]): Check =>
  (value, path, tell) => {
    if (typeof value === 'string' && known.includes(value)) return
    tell(path, `is none of ${known.join(', ')}`, meant(value, known))
  }

const listOf =
  (item: Check, least = 1): Check =>
  (value, path, tell) => {
    if (!Array.isArray(value)) tell(path, `is ${kindOf(value)}, and must be a list`)
    else if (value.length < least) tell(path, 'is an empty list')
    else for (const [index, entry] of value.entries()) item(entry, [...path, index], tell)
  }

const mappingCheck: Check = (value, path, tell) => {
  if (!isMapping(value)) tell(path, `is ${kindOf(value)}, and must be a mapping`)
}

/** A mapping of these keys only. `required` must be there; `more` is asked once all its parts are as they must be. */
function mapping(keys: ReadonlyMap<string, Check>, required: readonly string[], more?: Check): Check {
  return (value, path, tell) => {
    if (!isMapping(value)) return tell(path, `is ${kindOf(value)}, and must be a mapping`)
    let faults = 0
    const count: Tell = (...fault) => {
      faults += 1
      tell(...fault)
    }
    for (const [key, entry] of Object.entries(value)) {
      const check = keys.get(key)
      if (check !== undefined) check(entry, [...path, key], count)
      else count([...path, key], 'is not known here', meant(key, [...keys.keys()]))
    }
    for (const key of required) {
      if (!Object.hasOwn(value, key)) count(path, `has no key "${key}"`)
    }
    if (faults === 0) more?.(value, path, tell)
  }
}

const keysOf = (keys: { readonly [key: string]: Check }): ReadonlyMap<string, Check> => new Map(Object.entries(keys))

const isMapping = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const kindOf = (value: unknown): string => {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a mapping' : typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

function meant(word: unknown, known: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, known, 1)[0] : undefined
  return near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
}

/** How many of the keys are there. */
const count = (value: unknown, ...keys: readonly string[]): number =>
  isMapping(value) ? keys.filter((key) => Object.hasOwn(value, key)).length : 0

// ── the keys ──

const longest = 3_600_000

const expectation = mapping(
  keysOf({
    tools: texts,
    no_tools: texts,
    only_tools: listOf(text, 0),
    system: texts,
    no_system: texts,
    result: texts,
    no_result: texts,
  }),
  [],
)

const call = mapping(
  keysOf({
    tool: text,
    args: mappingCheck,
    raw_args: anyText,
    as: textOfForm(/^[a-zA-Z0-9_-]{1,40}$/, 'letters, digits, _ and -, at most 40'),
  }),
  ['tool'],
  (value, path, tell) => {
    if (count(value, 'args', 'raw_args') === 2) tell(path, 'has args and raw_args', 'keep one of them')
  },
)

const failure = mapping(
  keysOf({
    status: numberIn(400, 599),
    message: text,
    stream: oneOf('error', 'garbage', 'short'),
    cut: oneOf('start', 'middle'),
    times: numberIn(1, 1000),
  }),
  [],
  (value, path, tell) => {
    if (count(value, 'status', 'stream', 'cut') !== 1) tell(path, 'must have one of status, stream and cut')
  },
)

const step = mapping(
  keysOf({
    expect: expectation,
    say: text,
    call: listOf(call),
    usage: mapping(keysOf({ input: numberIn(0, 1e9), output: numberIn(0, 1e9) }), ['input', 'output']),
    delay_ms: numberIn(0, longest),
    pace_ms: numberIn(0, longest),
    fail: failure,
  }),
  [],
  (value, path, tell) => {
    if (count(value, 'say', 'call') > 0) return
    const { fail } = value as { readonly fail?: { readonly [key: string]: unknown } }
    if (fail === undefined) tell(path, 'neither says nor calls anything', 'give it say, call or fail')
    // Whatever fails for a time, or only once it has begun, needs what it answers.
    else if (count(fail, 'times') > 0)
      tell(path, 'fails a number of times, and has no answer after that', 'give it say or call')
    else if (fail.stream !== undefined || fail.cut === 'middle') {
      tell(path, 'fails within its answer, and has none', 'give it say or call')
    }
  },
)

const turns = listOf(
  mapping(keysOf({ user: text, steps: listOf(step) }), ['steps'], (value, path, tell) => {
    const { steps } = value as { readonly steps: readonly unknown[] }
    // An agent that gets no call has nothing to answer; what follows would have no request.
    const early = steps.slice(0, -1).findIndex((entry) => count(entry, 'call') === 0)
    if (early >= 0) {
      const hint = 'give it call, or begin a turn after it'
      tell([...path, 'steps', early], 'calls nothing, which ends the turn, and is not its last step', hint)
    }
  }),
)

const condition = mapping(keysOf({ system: text, user: text, model: text, tag: text }), [], (value, path, tell) => {
  if (count(value, 'system', 'user', 'model', 'tag') === 0)
    tell(path, 'holds no condition', 'give it system, user, model or tag')
})

const child = mapping(
  keysOf({
    name: textOfForm(/^(?!main$)[a-z0-9-]{1,24}$/, 'small letters, digits and -, at most 24, and not main'),
    when: condition,
    turns,
  }),
  ['name', 'when', 'turns'],
)

/** A whole script. */
export const scriptShape: Check = mapping(keysOf({ about: anyText, turns, children: listOf(child, 0) }), ['turns'])

function anyText(value: unknown, path: ScriptPath, tell: Tell): void {
  if (typeof value !== 'string') tell(path, `is ${kindOf(value)}, and must be a text`)
}
