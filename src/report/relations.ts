// How decisions about one name hang together: who has the name, who lost it to whom, for whom it is kept.

import type { Decision } from '../core/decision.ts'
import type { Gate } from '../core/gate.ts'
import { foldName } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Surface } from '../core/surface.ts'
import { phrases } from './phrases.ts'
import { type Lang, reasonOf, settlingStep } from './words.ts'

export interface Relation {
  readonly kind: 'shadowed-by' | 'shadows' | 'reserved-by' | 'stands-for'
  /** Identities of the others; for `stands-for` the server. */
  readonly others: readonly string[]
  /** The relation in one sentence. */
  readonly say: string
}

/** The decisions of one name as it is compared when names must be unique. */
interface NameGroup {
  /** In the order of sources. */
  readonly members: Decision[]
  /** Excluded because another came first. */
  readonly losers: Decision[]
}

// Grouped once a surface: with thousands of entries of one name, looking them up one by one would be quadratic.
const groups = new WeakMap<Surface, ReadonlyMap<string, NameGroup>>()

/** The decisions whose names cannot stand beside this one, itself included, in the order of sources. */
export function namesakes(decision: Decision, surface: Surface): NameGroup {
  let known = groups.get(surface)
  if (known === undefined) {
    const made = new Map<string, NameGroup>()
    for (const member of surface.decisions) {
      const folded = foldName(member.candidate.name)
      const group = made.get(folded) ?? { members: [], losers: [] }
      group.members.push(member)
      if (isLoser(member)) group.losers.push(member)
      made.set(folded, group)
    }
    groups.set(surface, made)
    known = made
  }
  return known.get(foldName(decision.candidate.name)) ?? { members: [], losers: [] }
}

/** Who took the name of a decision that was excluded as a later one of its name. */
export function winnerOver(decision: Decision, surface: Surface): Decision | undefined {
  if (!isLoser(decision)) return undefined
  return namesakes(decision, surface).members.find((other) => passed(other, decision.settledBy))
}

/** Who lost the name to this decision. */
export function losersTo(decision: Decision, surface: Surface): readonly Decision[] {
  const { losers } = namesakes(decision, surface)
  const [first] = losers
  return first !== undefined && winnerOver(first, surface) === decision ? losers : []
}

/** Every relation of a decision, in words. */
export function relationsOf(
  decision: Decision,
  surface: Surface,
  { gates, lang }: { readonly gates: readonly Gate[]; readonly lang: Lang },
): readonly Relation[] {
  const say = phrases[lang]
  const name = printable(decision.candidate.name, 128)
  const relations: Relation[] = []
  const winner = winnerOver(decision, surface)
  if (winner !== undefined) {
    const { id } = winner.candidate
    relations.push({ kind: 'shadowed-by', others: [id], say: say.shadowedBy(name, printable(id, 160)) })
  }
  const losers = losersTo(decision, surface).map((loser) => loser.candidate.id)
  if (losers.length > 0) {
    const shown = losers.slice(0, 5).map((id) => printable(id, 160))
    const more = losers.length > shown.length ? [say.more(losers.length - shown.length)] : []
    relations.push({ kind: 'shadows', others: losers, say: say.shadows([...shown, ...more].join(', ')) })
  }
  if (decision.code === 'reserved-name') {
    const keeper = namesakes(decision, surface).members.find((other) => other !== decision && reserves(other, gates))
    if (keeper !== undefined) {
      const { id } = keeper.candidate
      relations.push({ kind: 'reserved-by', others: [id], say: say.reservedBy(name, printable(id, 160)) })
    }
  }
  const { server, standIn } = decision.candidate
  if (standIn === true && server !== undefined) {
    relations.push({ kind: 'stands-for', others: [server], say: say.standsFor(printable(server, 64)) })
  }
  return relations
}

/** True when the decision was excluded by a reason that keeps the name from others. */
export function reserves(decision: Decision, gates: readonly Gate[]): boolean {
  if (decision.outcome !== 'excluded') return false
  const step = settlingStep(decision)
  return step !== undefined && reasonOf(step, gates)?.reserves === true
}

const isLoser = ({ outcome, code }: Decision): boolean => outcome === 'excluded' && code === 'duplicate-name'

const passed = (decision: Decision, gate: string): boolean =>
  decision.steps.some((step) => step.gate === gate && step.effect !== 'exclude')
