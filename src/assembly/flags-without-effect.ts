// A policy flag that changes nothing is a mistake that would stay unseen: a typo in a name, a rule for a tool that
// is not there. Each flag is tried on its own, on the same candidates, with the same gates.

import type { Finding } from '../core/finding.ts'
import { spellings } from '../core/surface.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { singleRestrictions } from './policy.ts'
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
    .map(({ flag, policy }) => {
      const words = [...(policy.denyTools ?? []), ...(policy.denyPrefixes ?? []), ...(policy.allow ?? [])]
      const known = run.surface.decisions.flatMap((decision) => spellings(decision))
      const near = words.flatMap((word) => nearest(word, known, 2))
      return finding('flag-without-effect', 'error', `${flag} changes nothing on this run`, {
        subject: flag,
        hint:
          near.length > 0
            ? `did you mean ${near.map((name) => `"${name}"`).join(' or ')}`
            : 'remove it, or add --lenient to go on',
        origin: { in: 'command line', key: flag },
      })
    })
}
