// What every kind has in common: does what came out fit the case? Each miss is one line that says what was wanted
// and what was there.

import type { Decision } from '../../src/core/decision.ts'
import type { Finding } from '../../src/core/finding.ts'
import type { Gate } from '../../src/core/gate.ts'
import { type Origin, originText } from '../../src/core/origin.ts'
import { printable } from '../../src/core/printable.ts'
import type { HostileCase, Outcome } from './case.ts'

/** An error or remark as it reaches people. */
export interface Told {
  readonly code: string
  readonly subject: string
  readonly message: string
  readonly hint: string
  /** `file:line key` */
  readonly at: string
}

export interface Observed {
  readonly outcome: Outcome
  /** The errors that speak for a reject. */
  readonly errors: readonly Told[]
  /** Everything that was said, errors too. */
  readonly told: readonly Told[]
  /** Everything else that a person or a model would see: reports, names, descriptions. */
  readonly shown: readonly string[]
}

export const toldBy = (found: Finding): Told => ({
  code: found.code,
  subject: found.subject ?? '',
  message: found.message,
  hint: found.hint ?? '',
  at: placeOf(found.origin),
})

/** Without folders: a folder made for the test must not hold a word that an error should. */
const placeOf = (origin: Origin | undefined): string =>
  origin === undefined ? '' : originText({ ...origin, in: origin.in.slice(origin.in.lastIndexOf('/') + 1) })

/** What an exclusion says, in the words of its gate. */
export function exclusionTold(decision: Decision, gates: readonly Gate[]): Told {
  const { candidate, code } = decision
  const step = decision.steps.at(-1)
  const reason = gates.find((gate) => gate.id === decision.settledBy)?.reasons[code]
  return {
    code,
    subject: printable(decision.name),
    message: step === undefined || reason === undefined ? '' : reason.say.en(step.evidence, candidate),
    hint: step === undefined || reason === undefined ? '' : (reason.hint?.en(step.evidence, candidate) ?? ''),
    at: placeOf(step?.origin),
  }
}

/** Misses of what holds for every kind: the outcome, the words of errors, flags, lengths, and what must never be seen. */
export function misses(one: HostileCase, observed: Observed): string[] {
  const { expect } = one
  const out: string[] = []
  const right: readonly Outcome[] = [expect.outcome, ...(expect.or ?? [])]
  if (!right.includes(observed.outcome)) {
    const said = observed.told.map(textOf).join(' | ')
    out.push(
      `outcome is ${observed.outcome}, not ${right.join(' or ')}${said === '' ? '' : ` (said: ${printable(said, 300)})`}`,
    )
  }
  if (observed.outcome === 'reject' && expect.names !== undefined) out.push(...unnamed(expect.names, observed.errors))
  if (observed.outcome === 'reject' && observed.errors.length === 0) out.push('rejected without an error')
  if (observed.outcome !== 'reject') {
    for (const flag of expect.flags ?? []) {
      if (!observed.told.some((told) => told.code === flag)) out.push(`no finding "${flag}"`)
    }
  }
  const most = expect.error_max_chars ?? errorCharsMax
  for (const told of observed.told) {
    const length = `${told.code}: ${told.message}`.length + told.subject.length
    if (length > most) out.push(`an error has ${length} characters, over ${most}: ${printable(told.message, 60)}`)
    if (unprintable.test(wholeOf(told))) out.push(`an error is no printable line: ${printable(wholeOf(told), 200)}`)
  }
  for (const text of [...observed.told.map(wholeOf), ...observed.shown]) {
    if (canary.test(text)) out.push(`a secret is shown: ${printable(text, 80)}`)
  }
  return out
}

/** One error may be a sentence or three, never a page. */
const errorCharsMax = 2000
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
export const canary = /CANARY/

/** Every inner list must be met by the errors of the case, taken together: one may give the code and another the key. */
function unnamed(names: readonly (readonly string[])[], errors: readonly Told[]): string[] {
  const said = errors.map(textOf)
  const text = said.join('\n').toLowerCase()
  return names
    .filter((words) => !words.some((word) => text.includes(word.toLowerCase())))
    .map((words) => `no error names ${words.join(' or ')} (said: ${printable(said.join(' | '), 300)})`)
}

/** What the manifest looks into: code, subject and message; the place belongs to the message as people read it. */
const textOf = (told: Told): string => `${told.code} ${told.subject}: ${told.message} (${told.at})`
const wholeOf = (told: Told): string => `${told.code} ${told.subject} ${told.message} ${told.hint} ${told.at}`
