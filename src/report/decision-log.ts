// The decision log: JSON lines from which every decision can be made again, bit for bit.
//
//   {"type":"catalog", hash, part, of, candidates}   once per distinct set of candidates, in parts of bounded size
//   {"type":"run", seq, at, preset, facts, catalog, surface, decisions}
//   {"type":"decision", seq, id, name, outcome, …, steps}   one for each candidate of the run
//   {"type":"refusal", at, code, name, surface}   a call that was answered with a refusal at run time
//   {"type":"call", seq, at, name, kind, …}   a call, where files of calls were added (`call-record.ts`)
//
// "Not in the list" and "refused when called" are two records with two kinds of code.

import type { Candidate } from '../core/candidate.ts'
import type { Decision, Outcome, Step } from '../core/decision.ts'
import { canonicalJson, type Json, type Sha256 } from '../core/json.ts'
import type { Rule, RunFacts } from '../core/run-facts.ts'
import type { CallRecord } from './call-record.ts'
import type { Run } from './run.ts'

export interface CatalogRecord {
  readonly type: 'catalog'
  /** SHA-256 over all candidates of the set in canonical form. */
  readonly hash: string
  /** 1-based; a big set is written in several lines. */
  readonly part: number
  readonly of: number
  readonly candidates: readonly Candidate[]
}

export interface RunRecord {
  readonly type: 'run'
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  readonly preset: string
  readonly facts: RunFacts
  /** Hash of the catalog. */
  readonly catalog: string
  /** Hash of the surface. */
  readonly surface: string
  /** How many decision records follow. */
  readonly decisions: number
}

/** A decision without its candidate (the catalog has it) and its definition (catalog, or the amends of a step). */
export interface DecisionRecord {
  readonly type: 'decision'
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly outcome: Outcome
  readonly settledBy: string
  readonly code: string
  readonly approval: 'free' | 'ask'
  readonly conditions: readonly Rule[]
  readonly definitionChars: number
  readonly steps: readonly Step[]
}

export interface RefusalRecord {
  readonly type: 'refusal'
  /** ISO 8601. */
  readonly at: string
  /** A code of the refusals, never one of a gate. */
  readonly code: string
  /** The name that was called. */
  readonly name: string
  /** Hash of the surface that the call was judged by. */
  readonly surface: string
  /** The run, where the log knows it. */
  readonly seq?: number
  readonly detail?: string
}

export type LogRecord = CatalogRecord | RunRecord | DecisionRecord | RefusalRecord | CallRecord

export interface LogOptions {
  /** Number of the run in this log. */
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  readonly sha256: Sha256
  /** Hashes of catalogs that stand in this log already. */
  readonly written: ReadonlySet<string>
}

export interface LoggedRun {
  /** One record each, without a line break. */
  readonly lines: readonly string[]
  /** Hash of the catalog; to be added to `written`. */
  readonly catalog: string
}

/** The lines of one run. The catalog's are left out where the log has it. */
export function logLines({ surface, preset }: Run, { seq, at, sha256, written }: LogOptions): LoggedRun {
  const candidates = surface.decisions.map((decision) => decision.candidate)
  const catalog = catalogHash(candidates, sha256)
  const { facts, hash, decisions } = surface
  const run: RunRecord = { type: 'run', seq, at, preset, facts, catalog, surface: hash, decisions: decisions.length }
  return {
    lines: [
      ...(written.has(catalog) ? [] : catalogLines(candidates, catalog)),
      JSON.stringify(run),
      ...decisions.map((decision) => JSON.stringify(decisionRecord(decision, seq))),
    ],
    catalog,
  }
}

/** The line of a refusal. */
export const refusalLine = (refusal: Omit<RefusalRecord, 'type'>): string =>
  JSON.stringify({ type: 'refusal', ...refusal } satisfies RefusalRecord)

/** What of a decision stands in the log, and is compared when it is made again. */
export function decisionRecord(decision: Decision, seq: number): DecisionRecord {
  const { name, outcome, settledBy, code, approval, conditions, definitionChars, steps, candidate } = decision
  return {
    type: 'decision',
    seq,
    id: candidate.id,
    name,
    outcome,
    settledBy,
    code,
    approval,
    conditions,
    definitionChars,
    steps,
  }
}

/** SHA-256 over a set of candidates; key order makes no difference. */
export const catalogHash = (candidates: readonly Candidate[], sha256: Sha256): string =>
  sha256(canonicalJson(candidates as unknown as Json))

function catalogLines(candidates: readonly Candidate[], hash: string): string[] {
  const parts: Candidate[][] = [[]]
  let chars = 0
  for (const candidate of candidates) {
    const size = candidate.definitionChars + 1000
    if (chars > 0 && chars + size > partChars) {
      parts.push([])
      chars = 0
    }
    parts.at(-1)?.push(candidate)
    chars += size
  }
  return parts.map((part, at) =>
    JSON.stringify({ type: 'catalog', hash, part: at + 1, of: parts.length, candidates: part } satisfies CatalogRecord),
  )
}

/** So many characters of definitions go into one line; a line is far below what `replay` reads. */
const partChars = 1024 * 1024
