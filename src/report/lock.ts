// The surface as a file for review: what is exposed, under which name and conditions, with which definition. A
// pipeline compares a run with it and fails on drift. Schema `toolgate.lock/1`.

import type { Decision, Outcome } from '../core/decision.ts'
import { canonicalJson, type Json, type Sha256 } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { codeUnitOrder } from './code-unit-order.ts'
import type { Run } from './run.ts'
import { withoutOrigins } from './without-origins.ts'

export interface LockedTool {
  readonly name: string
  readonly id: string
  readonly outcome: Exclude<Outcome, 'excluded'>
  readonly approval: 'free' | 'ask'
  /** `deny TEXT`, in the order of the rules. */
  readonly conditions: readonly string[]
  readonly definitionHash: string
}

export interface Lock {
  readonly schema: 'toolgate.lock/1'
  readonly preset: string
  readonly agent: string
  readonly model: string
  readonly target: string
  /** SHA-256 over the facts, without places, user and thread. */
  readonly facts: string
  /** Exposed tools, by name. */
  readonly tools: readonly LockedTool[]
}

/** The lock of a run. Same surface, same bytes of `lockText`. */
export function lockOf({ surface, preset }: Run, sha256: Sha256): Lock {
  const { agent, model, target } = surface.facts
  const tools = surface.decisions.flatMap((decision) => lockedTool(decision) ?? [])
  return {
    schema: 'toolgate.lock/1',
    preset,
    agent: agent.name,
    model: model.name,
    target: target.name,
    facts: factsFingerprint(surface.facts, sha256),
    tools: tools.sort((a, b) => codeUnitOrder(a.name, b.name) || codeUnitOrder(a.id, b.id)),
  }
}

/** The lock as it is written to a file: two blanks of indentation, a line break at the end. */
export const lockText = (lock: Lock): string => `${JSON.stringify(lock, null, 2)}\n`

/**
 * Facts that count for a surface, as 64 hex digits: not the lines they stand on, nor who asks in which thread, nor what
 * was called how often; that differs from day to day, and what it does to a tool shows in its outcome.
 */
export function factsFingerprint(facts: Run['surface']['facts'], sha256: Sha256): string {
  const { user: _user, thread: _thread, ...others } = facts
  const { use: _use, useOrigin: _useOrigin, ...deferral } = facts.deferral
  const counting = { ...others, deferral }
  return sha256(canonicalJson(withoutOrigins(counting as unknown as Json)))
}

function lockedTool(decision: Decision): LockedTool | undefined {
  const { name, outcome, candidate, approval, conditions } = decision
  if (outcome === 'excluded') return undefined
  return {
    name,
    id: candidate.id,
    outcome,
    approval,
    conditions: conditions.map((rule) => `${rule.effect} ${printable(rule.text, 400)}`),
    definitionHash: candidate.definitionHash,
  }
}
