// A gate asks every candidate one question. It is opened once a run (so that it can look at the whole standing
// set) and then judges candidates one by one: synchronous, pure, no clock, no disk, no network.
//
//   open(facts, standing, because) → judge(candidate) → verdict
//
// `because(code, evidence)` is the only maker of verdicts; what a code means (its effect, its words, what would
// change it) stands in the gate's reason table and nowhere else.

import type { Candidate, Definition } from './candidate.ts'
import type { Json } from './json.ts'
import type { Origin } from './origin.ts'
import type { Rule, RunFacts } from './run-facts.ts'

/** abstain: not my question. admit: looked and agreed. defer: later. exclude: not on this run. */
export type Effect = 'abstain' | 'admit' | 'defer' | 'exclude'

export interface Evidence {
  readonly [fact: string]: Json | undefined
}

/** The same sentence in each language: no period at the end, no line break. */
export interface Words<E> {
  readonly en: (evidence: E, candidate: Candidate) => string
  readonly zh: (evidence: E, candidate: Candidate) => string
}

/** The smallest step that would alter an outcome, as data: applied to the facts or to the candidate of a run. */
export interface Change {
  readonly on: 'facts' | 'candidate'
  readonly op: 'set' | 'unset' | 'add' | 'remove'
  /** Path of the value; for `add` and `remove` of the list that holds it. */
  readonly path: readonly string[]
  /** New value, or the list item (compared in canonical form). */
  readonly value?: Json
}

export interface Reason<E extends Evidence = Evidence> {
  readonly effect: Effect
  readonly say: Words<E>
  /** What a person can do to alter the outcome. */
  readonly hint?: Words<E>
  /** The same as data; several steps where one is not enough. */
  readonly change?: (evidence: E, candidate: Candidate, facts: RunFacts) => readonly Change[]
  /** The name stays taken: a later candidate of that name is not handed what this gate took away. */
  readonly reserves?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds reasons with evidence of different shapes
export type ReasonTable = { readonly [code: string]: Reason<any> }

type EvidenceOf<R> = R extends Reason<infer E> ? E : never

/** What a verdict may change about the tool as the model gets it. */
export interface Amends {
  readonly name?: string
  readonly definition?: Definition
  readonly definitionChars?: number
  /** A person is asked before each call. */
  readonly approval?: 'ask'
  /** Rules with conditions on arguments; they are enforced call by call. */
  readonly conditions?: readonly Rule[]
}

export interface Verdict {
  /** Id of the gate that gave it; filled in by `because`. */
  readonly gate?: string
  readonly code: string
  readonly effect: Effect
  readonly evidence: Evidence
  /** Where the rule or value stands that the verdict rests on. */
  readonly origin?: Origin
  readonly amends?: Amends
}

export interface VerdictExtras {
  readonly origin?: Origin | undefined
  readonly amends?: Amends | undefined
}

export type Because<Table extends ReasonTable> = <Code extends keyof Table & string>(
  code: Code,
  evidence: EvidenceOf<Table[Code]>,
  extras?: VerdictExtras,
) => Verdict

/** A name that an excluded candidate keeps. */
export interface ReservedName {
  readonly name: string
  readonly id: string
  readonly gate: string
  readonly code: string
  /** Whether it stands before the candidate in the order of sources: only then is the name taken from that one. */
  readonly isBefore: (candidate: Candidate) => boolean
}

/** Who is still standing when a gate opens, in the order of sources. */
export interface Standing {
  readonly candidates: readonly Candidate[]
  readonly reserved: readonly ReservedName[]
  /** The name as amended so far. */
  readonly nameOf: (candidate: Candidate) => string
  /** Characters of the definition as amended so far. */
  readonly charsOf: (candidate: Candidate) => number
}

export type Judge = (candidate: Candidate) => Verdict

export interface Gate<Id extends string = string, Table extends ReasonTable = ReasonTable> {
  /** kebab-case; unique in an order list. */
  readonly id: Id
  /** The one question, in plain words, in English and Chinese. */
  readonly asks: { readonly en: string; readonly zh: string }
  /** Everything the gate can ever say. */
  readonly reasons: Table
  readonly open: (facts: RunFacts, standing: Standing) => Judge
}

export interface GateSpec<Id extends string, Table extends ReasonTable> extends Omit<Gate<Id, Table>, 'open'> {
  readonly open: (facts: RunFacts, standing: Standing, because: Because<Table>) => Judge
}

/** Makes a gate. `because` is bound to the table, so a wrong code or a wrong shape of evidence does not compile. */
export function defineGate<Id extends string, Table extends ReasonTable>(spec: GateSpec<Id, Table>): Gate<Id, Table> {
  const because = becauseOf(spec.id, spec.reasons)
  return Object.freeze({ ...spec, open: (facts: RunFacts, standing: Standing) => spec.open(facts, standing, because) })
}

/** The maker of verdicts for a table. Verdicts without evidence are made once and shared. */
function becauseOf<Table extends ReasonTable>(gate: string, reasons: Table): Because<Table> {
  const bare = new Map<string, Verdict>()
  return (code, evidence, extras) => {
    const reason = reasons[code]
    if (reason === undefined) throw new Error(`the reason table has no code "${code}"`)
    if (extras !== undefined || hasFacts(evidence as Evidence)) {
      return Object.freeze({ gate, code, effect: reason.effect, evidence: evidence as Evidence, ...extras })
    }
    let verdict = bare.get(code)
    if (verdict === undefined) {
      verdict = Object.freeze({ gate, code, effect: reason.effect, evidence: Object.freeze({}) })
      bare.set(code, verdict)
    }
    return verdict
  }
}

function hasFacts(evidence: Evidence): boolean {
  for (const _ in evidence) return true
  return false
}

type ReasonSpec<E extends Evidence> = Omit<Reason<E>, 'effect'>

const maker =
  (effect: Effect) =>
  <E extends Evidence = Record<never, never>>(spec: ReasonSpec<E>): Reason<E> =>
    Object.freeze({ effect, ...spec })

/** Not the gate's question. */
export const abstains = maker('abstain')
/** Looked and agreed. */
export const admits = maker('admit')
/** The model has the name now and the schema when it asks. */
export const defers = maker('defer')
/** Not on this run. Needs a hint, so that people know what to do. */
export const excludes = <E extends Evidence = Record<never, never>>(
  spec: ReasonSpec<E> & Required<Pick<Reason<E>, 'hint'>>,
): Reason<E> => Object.freeze({ effect: 'exclude', ...spec })

/** The code given when a gate throws; every order list knows it. */
export const gateFailed = excludes<{ readonly error: string }>({
  say: {
    en: (e) => `the gate itself failed (${e.error}), and what cannot be judged stays out`,
    zh: (e) => `该闸门自身出错（${e.error}），无法判断的工具一律不放行`,
  },
  hint: {
    en: () => 'report the fault to whoever wrote the gate',
    zh: () => '请将此错误报告给编写该闸门的人',
  },
})
