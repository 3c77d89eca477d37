// The product and the oracle on one world, side by side.

import { createHash } from 'node:crypto'
import { assemble } from '../../src/core/assemble.ts'
import { definitionCharsOf } from '../../src/core/definition-chars.ts'
import type { Gate } from '../../src/core/gate.ts'
import type { TargetFacts } from '../../src/core/run-facts.ts'
import type { Surface } from '../../src/core/surface.ts'
import { type Expected, oracle } from './oracle.ts'
import { isOfForm } from './sets.ts'
import { type World, worldText } from './world.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The surface of a world under an order of gates. */
export const surfaceOf = ({ facts, candidates }: World, gates: readonly Gate[]): Surface =>
  assemble(facts, candidates, gates, { sha256 })

/** One line for each answer in which the product and the oracle differ; `[]` when they agree. */
export function differences(world: World, gates: readonly Gate[]): string[] {
  const { decisions, find } = surfaceOf(world, gates)
  // Without a limit of places, so that a tool that found none still shows the name it would have borne.
  const { facts, candidates } = world
  const roomy =
    facts.target.toolsMax === undefined
      ? decisions
      : surfaceOf({ candidates, facts: { ...facts, target: withoutCap(facts.target) } }, gates).decisions
  const fitted = new Map(
    roomy.map(({ candidate, name, definitionChars }) => [candidate.id, { name, chars: definitionChars }]),
  )
  const expected = oracle(world, (id) => fitted.get(id) ?? { name: '', chars: 0 })
  const names = new Set<string>()
  return decisions.flatMap(({ candidate, name, outcome, settledBy, code, approval, definition, definitionChars }) => {
    const { id } = candidate
    const found = outcome === 'excluded' ? `excluded by ${settledBy}/${code}` : outcome
    const lines: string[] = []
    // What rules say of a stand-in under `otherwise: ask` or `deny` rests on tools that nobody knows.
    const isOpen = candidate.standIn === true && world.facts.permissions.otherwise !== 'allow'
    if (isOpen) return outcome === 'excluded' ? [] : [`${id}: a stand-in is exposed`]
    if (found !== wanted(expected, id)) lines.push(`${id}: product ${found}, oracle ${wanted(expected, id)}`)
    if (outcome === 'excluded' || candidate.standIn === true) return lines

    const asked = expected.asked.has(id) ? 'ask' : 'free'
    if (approval !== asked && lines.length === 0) lines.push(`${id}: product approval ${approval}, oracle ${asked}`)
    const kept = expected.names.get(id)
    if (kept !== undefined && kept !== name) lines.push(`${id}: product renames it ${name}, oracle keeps ${kept}`)
    if (names.has(name.toLowerCase())) lines.push(`${id}: the name ${name} is borne twice`)
    names.add(name.toLowerCase())
    if (!isOfForm(name, facts.target)) lines.push(`${id}: the name ${name} is not of the target's form`)
    if (find(name)?.candidate.id !== id) lines.push(`${id}: the name ${name} leads to ${find(name)?.candidate.id}`)
    if (definitionChars !== definitionCharsOf(name, definition))
      lines.push(`${id}: ${definitionChars} chars, its definition has ${definitionCharsOf(name, definition)}`)
    return lines
  })
}

function withoutCap({ toolsMax: _toolsMax, ...target }: TargetFacts): TargetFacts {
  return target
}

/** The world and its differences as a person reads them. */
export const differenceText = (world: World, lines: readonly string[]): string =>
  `world\n${worldText(world)}\ndiffers\n${lines.map((line) => `  ${line}`).join('\n')}`

function wanted({ excluded, deferred, eager }: Expected, id: string): string {
  const why = excluded.get(id)
  if (why !== undefined) return `excluded by ${why}`
  return deferred.has(id) ? 'deferred' : eager.has(id) ? 'eager' : 'nowhere'
}
