// Kind `session-key`: two owners, as the owners of two calls to one stdio server.

import { readdirSync } from 'node:fs'
import { printable } from '../../src/core/printable.ts'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'
import { entryOf, type HostileCase, type Kind } from './case.ts'
import { environment } from './config-yaml.ts'
import { misses } from './expected.ts'
import { type Place, toldByFailure, withTellingPool } from './telling-pool.ts'
import { inWorld, type World } from './world.ts'

export const sessionKeyKind: Kind = {
  kind: 'session-key',
  run: (one, dataDir) =>
    inWorld(async (world) => {
      const { a, b } = entryOf(one, dataDir) as { readonly a: CallOwner; readonly b: CallOwner }
      const servers = Object.fromEntries([a, b].map(({ server }) => [server, {}]))
      return withTellingPool(world, { servers, environment }, async ({ call }) => {
        // One after the other: the second would get what the first left behind.
        const answers = [await call(a.server, a), await call(b.server, b)]
        return judged(one, answers, world)
      })
    }),
}

type CallOwner = ThreadOwner & { readonly server: string }

function judged(one: HostileCase, answers: readonly (Place | CallFailure)[], world: World): readonly string[] {
  const errors = answers.filter((answer) => answer instanceof CallFailure).map(toldByFailure)
  const outcome = errors.length > 0 ? 'reject' : 'accept'
  const out = misses(one, { outcome, errors, told: errors, shown: [] })
  const [first, second] = answers
  if (first === undefined || second === undefined) return ['a call gave nothing']
  if (!(first instanceof CallFailure || second instanceof CallFailure)) {
    for (const [fact, value] of Object.entries(one.expect.yields ?? {}))
      out.push(...notYielded(fact, value, [first, second]))
  }
  // Every case: what belongs to threads is made in their folder, and nowhere else.
  out.push(...world.changes().map((change) => `outside: ${change}`))
  for (const name of readdirSync(world.state)) {
    if (name !== 'threads') out.push(`made beside the threads: ${printable(name)}`)
  }
  for (const invariant of one.expect.invariants ?? []) {
    if (invariant !== 'outside-unchanged') out.push(`the runner knows no invariant "${invariant}"`)
  }
  return out
}

function notYielded(fact: string, value: unknown, [first, second]: readonly [Place, Place]): string[] {
  const facts: { readonly [fact: string]: boolean } = {
    same_process: first.pid === second.pid,
    same_cwd: first.cwd === second.cwd,
  }
  if (facts[fact] === undefined) return [`the runner knows no fact "${fact}"`]
  return facts[fact] === value ? [] : [`${fact} is ${facts[fact]}`]
}
