// What a call may come to, by rules of their own: those of the surface read by the oracle's matcher, and the arguments
// that the acts here use. INVARIANT: nothing here asks the code that enforces.

import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import { printable } from '../../src/core/printable.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import type { Surface } from '../../src/core/surface.ts'
import { explain } from '../../src/report/explain.ts'
import type { Run } from '../../src/report/run.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { matchesRule } from '../oracle/rule-matcher.ts'
import { isKeyOf, type Made, reachesOf } from './run-time-acts.ts'
import type { Stage } from './run-time-world.ts'

/** What the rules say of one call of a tool that is exposed. */
export type Says = 'run' | 'ask' | 'deny'

/** `key`: the one argument that conditions speak of; absent or no text: none is meant. */
export function rulesSay({ permissions, delegation }: RunFacts, candidate: Candidate, key: unknown): Says {
  const own = (delegation.deny ?? []).map((text) => ({ effect: 'deny' as const, text }))
  const meant = (effect: 'deny' | 'ask' | 'allow'): boolean =>
    [...permissions.rules, ...own].some((rule) => {
      if (rule.effect !== effect) return false
      const match = matchesRule(rule.text, candidate, effect === 'allow' ? 'exact' : 'wide')
      return match === 'whole' || (match === 'part' && key === 'x')
    })
  if (meant('deny')) return 'deny'
  if (meant('ask')) return 'ask'
  if (meant('allow')) return 'run'
  return ({ allow: 'run', ask: 'ask', deny: 'deny' } as const)[permissions.otherwise]
}

/** Codes of what happens to a call of a tool that the surface exposes; all others are those of gates. */
const onExposed: ReadonlySet<string> = new Set([
  'not-promoted',
  'arguments-invalid',
  'call-denied',
  'approval-needed',
  'approval-pending',
  'tool-not-executable',
])

/** What is wrong with the code of a refusal, held against what `why` says of the name on the same surface. */
export function wrongCode(run: Run, name: string, outcome: CallOutcome): string | undefined {
  if (outcome.kind !== 'refused') return undefined
  const { code } = outcome
  const exposed = run.surface.find(name)
  const told = explain(run, name, { lang: 'en' }).decisions
  if (onExposed.has(code)) return exposed === undefined ? `${code} for "${name}", which is not exposed` : undefined
  if (exposed !== undefined) return `${code} for "${name}", which is exposed`
  const named = run.surface.named(name)
  if (code === 'unknown-tool') {
    const isTakenAway = named.length > 0 && named.every(({ outcome: is }) => is === 'excluded')
    return isTakenAway ? `unknown-tool for "${name}", which ${named[0]?.code} took away` : undefined
  }
  return told.some((one) => one.outcome === 'excluded' && one.code === code)
    ? undefined
    : `${code} for "${name}", of which why says ${told.map((one) => one.code).join(', ') || 'nothing'}`
}

/** The tools that a surface exposes, by identity. */
export const exposedIn = (surface: Surface): ReadonlyMap<string, Decision> =>
  new Map(
    surface.decisions
      .filter(({ outcome }) => outcome !== 'excluded')
      .map((decision) => [decision.candidate.id, decision]),
  )

/** What is wrong with a call that reached a tool. */
export function wrongReach(made: Made, stage: Stage): string[] {
  const out: string[] = []
  const reaches = reachesOf(made, stage)
  if (reaches.length > 1) out.push(`a call reached tools ${reaches.length} times`)
  for (const { id, key } of reaches) {
    const said = `"${made.name}" at depth ${made.seat.depth}`
    const { surface } = made.run
    const decision = surface.find(made.name)
    if (decision === undefined || decision.name !== made.name) {
      out.push(`${said} reached ${id}, which the surface does not expose`)
      continue
    }
    const { candidate } = decision
    if (candidate.id !== id && !candidate.id.startsWith(`${id}#`))
      out.push(`${said} reached ${id}, not ${candidate.id}`)
    if (candidate.standIn === true) out.push(`${said} reached what only stands for tools`)
    if (key !== made.key) out.push(`${said} was carried out with ${String(key)}, not ${String(made.key)}`)
    for (const above of made.above)
      if (!exposedIn(above.surface).has(candidate.id)) out.push(`${said} reached ${id}, which its parent does not have`)
    if (decision.outcome === 'deferred' && !wasGiven(made, stage))
      out.push(`${said} reached ${id}, whose definition was not given to it`)
    const says = rulesSay(surface.facts, candidate, made.key)
    if (says === 'deny') out.push(`${said} reached ${id}, which the rules deny`)
    if (says === 'ask' && !isAgreed(made, stage)) out.push(`${said} reached ${id}, and nobody agreed`)
  }
  return out
}

/** Whether the store ever held this very definition for this seat, until now. */
function wasGiven({ seat, run, name }: Made, { stored }: Stage): boolean {
  const hash = run.surface.find(name)?.candidate.definitionHash
  return stored.some(
    (step) =>
      isKeyOf(seat, step) &&
      step.after?.promoted.some((one) => one.name === name && one.definitionHash === hash) === true,
  )
}

/** Whether the person agreed to this call, or to all calls of this very tool. */
function isAgreed({ nonce, run, name }: Made, { asked }: Stage): boolean {
  const own = asked.get(nonce)?.answer
  if (own === true || own === 'once' || own === 'always') return true
  const hash = run.surface.find(name)?.candidate.definitionHash
  const { agent } = run.surface.facts
  return [...asked.values()].some(
    (one) => one.answer === 'always' && one.agent === agent.name && one.definitionHash === hash,
  )
}

/** What the store was made to hold that nobody may have. */
export function wrongPromotions({ stored, seats }: Stage): string[] {
  return stored.flatMap((step) => {
    const seat = seats.find((one) => isKeyOf(one, step))
    if (seat === undefined) return [`promotions of "${step.key.agent}", who is nobody`]
    const had = new Set(step.before?.promoted.map((one) => `${one.name} ${one.definitionHash}`))
    const added = (step.after?.promoted ?? []).filter((one) => !had.has(`${one.name} ${one.definitionHash}`))
    const { surface } = step.surfaceOf(seat.depth)
    return added
      .filter(({ name, definitionHash }) => {
        const decision = surface.find(name)
        return decision?.outcome !== 'deferred' || decision.candidate.definitionHash !== definitionHash
      })
      .map(({ name }) => `"${name}" was promoted at depth ${seat.depth}, where it is not deferred with that definition`)
  })
}

/** What is wrong with what was recorded: each call once, with its code. */
export function wrongRecords(made: readonly Made[], { recorded }: Stage): string[] {
  const word = (agent: string, name: string, code: string): string => `${agent} ${JSON.stringify(name)} ${code}`
  const calls = made.map(({ run, name, outcome }) =>
    word(run.surface.facts.agent.name, printable(name, 128), outcome.kind === 'result' ? 'result' : outcome.code),
  )
  const records = recorded.map(({ agent, name, code, kind }) =>
    word(agent, name, code ?? (kind === 'error' ? 'result' : kind)),
  )
  const [missing, more] = [without(calls, records), without(records, calls)]
  return [...missing.map((one) => `no record of ${one}`), ...more.map((one) => `a record of ${one}, which was not`)]
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return some.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
