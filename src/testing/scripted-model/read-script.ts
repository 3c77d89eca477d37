// From any value to a script, or to what is wrong with it, each with its place.

import type { Finding } from '../../core/finding.ts'
import { deepFreeze, type Json } from '../../core/json.ts'
import type { Origin } from '../../core/origin.ts'
import { printable } from '../../core/printable.ts'
import { ToolgateError } from '../../errors.ts'
import { callId } from './answer-of.ts'
import { conversationsOf } from './conversation.ts'
import { plainCopy } from './plain-copy.ts'
import type { Script } from './script.ts'
import { type ScriptPath, scriptShape } from './script-shape.ts'

/** Where a value of a file stands: the places that the readers of configurations give are of this form. */
export interface ScriptPlace {
  readonly line: number
  readonly column: number
  readonly inside?: ReadonlyMap<string | number, ScriptPlace>
}

export interface ScriptSource {
  /** How findings name it. Absent: `script`. */
  readonly file?: string
  /** Gives findings their lines. */
  readonly place?: ScriptPlace
}

export type ScriptReading = { readonly script: Script } | { readonly faults: readonly Finding[] }

/**
 * Checks a parsed script, and gives a frozen copy of it. Findings: `script-invalid`, at most 20, at least one when
 * there is no script. Never throws.
 */
export function readScript(value: unknown, source: ScriptSource = {}): ScriptReading {
  const faults: Finding[] = []
  const tell = (path: ScriptPath, what: string, hint?: string): void => {
    if (faults.length < faultsMax) faults.push(faultOf(source, path, what, hint))
  }
  const copy: Json = plainCopy(value, tell)
  if (faults.length === 0) scriptShape(copy, [], tell)
  if (faults.length > 0) return { faults }
  const script = copy as unknown as Script
  namesOnce(script, tell)
  return faults.length > 0 ? { faults } : { script: deepFreeze(script) }
}

/** The same for whoever wants a script or an error. Throws a ToolgateError `script-invalid` with the first finding. */
export function scriptFrom(value: unknown, source: ScriptSource = {}): Script {
  const read = readScript(value, source)
  if ('script' in read) return read.script
  const [first, ...others] = read.faults
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw new ToolgateError({ ...(first as Finding), message: `${first?.message}${more}` })
}

const faultsMax = 20

/** Children are told apart by their names, calls of a conversation by their ids. */
function namesOnce(script: Script, tell: (path: ScriptPath, what: string, hint?: string) => void): void {
  const names = new Set<string>()
  for (const [index, { name }] of (script.children ?? []).entries()) {
    if (names.has(name)) tell(['children', index, 'name'], `another child is called "${name}"`)
    names.add(name)
  }
  for (const { name, steps } of conversationsOf(script)) {
    const ids = new Set<string>()
    for (const [position, { step, path }] of steps.entries()) {
      for (const [index, call] of (step.call ?? []).entries()) {
        const id = callId(name, position, index, call)
        if (ids.has(id)) tell([...path, 'call', index, 'as'], `another call of this conversation has the id "${id}"`)
        ids.add(id)
      }
    }
  }
}

function faultOf({ file = 'script', place }: ScriptSource, path: ScriptPath, what: string, hint?: string): Finding {
  const key = pathText(path)
  const at = place === undefined ? undefined : placeAt(place, path)
  const origin: Origin = {
    in: file,
    ...(key === '' ? {} : { key }),
    ...(at === undefined ? {} : { line: at.line, column: at.column }),
  }
  return {
    code: 'script-invalid',
    severity: 'error',
    message: printable(
      `${key === '' ? 'the script' : key} ${what}${at === undefined ? '' : ` (line ${at.line})`}`,
      400,
    ),
    ...(key === '' ? {} : { subject: key }),
    ...(hint === undefined ? {} : { hint: printable(hint, 300) }),
    origin,
  }
}

/** The place of a path, or of the nearest thing around it that has one. */
function placeAt(root: ScriptPlace, path: ScriptPath): ScriptPlace {
  let place = root
  for (const step of path) {
    const next = place.inside?.get(step)
    if (next === undefined) break
    place = next
  }
  return place
}

/** `turns[0].steps[1].call`; printable and bounded. */
export function pathText(path: ScriptPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^\w{1,64}$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(printable(step, 60))}]`
  }
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
