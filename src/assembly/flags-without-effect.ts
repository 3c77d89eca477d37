// A policy flag that changes nothing is a mistake that would stay unseen: a typo in a name, a rule for a tool that
// is not there. Each flag is tried on its own, on the same candidates, with the same gates.

import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { spellings } from '../core/surface.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { compileRules } from '../permissions/compile-rules.ts'
import { type RunRestrictions, singleRestrictions } from './policy.ts'
import { reassembled } from './prepare-run.ts'
import type { PreparedRun } from './run-input.ts'

/**
 * One finding for each restriction that changes nothing, neither alone nor beside the others. A flag that another
 * one happens to cover is no mistake.
 */
export function flagsWithoutEffect(run: PreparedRun): Finding[] {
  const singles = singleRestrictions(run.policy)
  if (singles.length === 0) return []
  const bare = reassembled(run, {}).hash
  return singles
    .filter(
      ({ policy, without }) =>
        reassembled(run, policy).hash === bare && reassembled(run, without).hash === run.surface.hash,
    )
    .map(({ flag, policy }) =>
      finding('flag-without-effect', 'error', `${flag} changes nothing on this run`, {
        subject: flag,
        hint: hintFor(policy, run),
        origin: { in: 'command line', key: flag },
      }),
    )
}

/** A rule that cannot be read, a name that is known and settled otherwise, a name that is not known. */
function hintFor({ denyTools = [], denyPrefixes = [], allow = [] }: RunRestrictions, { surface }: PreparedRun): string {
  const { faults } = compileRules(
    allow.map((text) => ({ text })),
    'exact',
  )
  const [faulty] = faults
  if (faulty !== undefined) return faulty.fault.hint
  const words = [...denyTools, ...denyPrefixes, ...allow]
  const known = words.find((word) => surface.named(word).length > 0)
  if (known !== undefined) return `\`toolgate why ${printable(known, 80)}\` says what holds for it already`
  const servers = new Set(surface.decisions.flatMap(({ candidate }) => candidate.server ?? []))
  const spelled = [...surface.decisions.flatMap(spellings), ...[...servers].map((server) => `${server}/*`)]
  const near = [
    ...[...denyTools, ...allow].flatMap((word) => nearest(word, spelled, 2)),
    ...denyPrefixes.flatMap((start) => nearest(start, beginnings(spelled, start.length), 2)),
  ]
  return near.length > 0
    ? `did you mean ${near.map((name) => `"${printable(name, 80)}"`).join(' or ')}`
    : 'remove it, or add --lenient to go on'
}

const beginnings = (names: readonly string[], length: number): string[] => names.map((name) => name.slice(0, length))
