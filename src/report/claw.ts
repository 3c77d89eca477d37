// For the users of claw-code: the count that its own three filters give for an inventory, beside the count that
// Toolgate gives, and each difference explained. Schema `toolgate.claw/1`.

import type { Decision, Outcome } from '../core/decision.ts'
import { printable } from '../core/printable.ts'
import { grouped, wrapped } from './layout.ts'
import { styleOf, type TextStyle } from './paint.ts'
import { phrases } from './phrases.ts'
import type { Run } from './run.ts'
import { type Lang, settlingStep, stepWords } from './words.ts'

export interface ClawDifference {
  readonly id: string
  readonly name: string
  /** The entry's own `source_hint`, else where it comes from. */
  readonly hint: string
  readonly claw: Outcome
  readonly corrected: Outcome
  /** Id and sentence of the gate that settles it on the side that leaves it out. */
  readonly settledBy: string
  readonly reason: string
}

export interface RepeatedName {
  readonly name: string
  /** How many entries bear it. */
  readonly entries: number
}

export interface ClawReport {
  readonly schema: 'toolgate.claw/1'
  readonly entries: number
  /** What claw-code counts. */
  readonly claw: number
  /** What the default gates expose under the same flags. */
  readonly corrected: number
  /** Entries on which the two disagree, in the order of the inventory. */
  readonly differences: readonly ClawDifference[]
  /** claw-code looks entries up by name, the first wins: so many can never be reached, whatever the flags. */
  readonly unreachable: number
  /** Names that several entries bear, most first. */
  readonly repeated: readonly RepeatedName[]
}

/** Both surfaces over the same inventory and facts, side by side. */
export function clawReport(claw: Run, corrected: Run, lang: Lang): ClawReport {
  const others = new Map(corrected.surface.decisions.map((decision) => [decision.candidate.id, decision]))
  const differences = claw.surface.decisions.flatMap((decision): ClawDifference[] => {
    const other = others.get(decision.candidate.id)
    if (other === undefined || isExposed(decision) === isExposed(other)) return []
    const [out, run] = isExposed(decision) ? [other, corrected] : [decision, claw]
    const step = settlingStep(out)
    return [
      {
        id: decision.candidate.id,
        name: decision.name,
        hint: hintOf(decision),
        claw: decision.outcome,
        corrected: other.outcome,
        settledBy: out.settledBy,
        reason: step === undefined ? out.code : stepWords(step, out, run.gates, lang).say,
      },
    ]
  })
  const repeated = repeatedNames(claw.surface.decisions)
  return {
    schema: 'toolgate.claw/1',
    entries: claw.surface.totals.candidates,
    claw: exposedCount(claw),
    corrected: exposedCount(corrected),
    differences,
    unreachable: repeated.reduce((sum, { entries }) => sum + entries - 1, 0),
    repeated,
  }
}

/** The two counts, the differences by reason with a few examples each, and the repeated names. */
export function clawText(report: ClawReport, options: TextStyle & { readonly lang: Lang }): string {
  const { paint, width } = styleOf(options)
  const { claw: say, more } = phrases[options.lang]
  const lines = [
    say.counts(grouped(report.claw), grouped(report.corrected), grouped(report.entries)),
    ...(report.differences.length > 0 ? ['', say.differences(grouped(report.differences.length))] : []),
  ]
  for (const [gate, group] of byGate(report.differences)) {
    lines.push(`  ${paint.bold(gate)} ${grouped(group.length)}`)
    for (const { name, hint, claw, reason } of group.slice(0, examplesMax)) {
      const mark = claw === 'excluded' ? paint.green('+') : paint.red('-')
      const [first, ...rest] = wrapped(`${printable(name, 128)} (${printable(hint, 120)}): ${reason}`, width - 6)
      lines.push(`    ${mark} ${first ?? ''}`, ...rest.map((line) => `      ${line}`))
    }
    if (group.length > examplesMax) lines.push(paint.dim(`      ${more(group.length - examplesMax)}`))
  }
  if (report.unreachable > 0) {
    const shown = report.repeated.slice(0, 8).map(({ name, entries }) => `${printable(name, 128)} ×${entries}`)
    const all = report.repeated.length > shown.length ? [...shown, more(report.repeated.length - shown.length)] : shown
    lines.push('', ...wrapped(say.unreachable(grouped(report.unreachable), all.join(', ')), width))
  }
  return lines.join('\n')
}

const examplesMax = 5

function byGate(differences: readonly ClawDifference[]): ReadonlyMap<string, readonly ClawDifference[]> {
  const gates = new Map<string, ClawDifference[]>()
  for (const difference of differences) {
    const group = gates.get(difference.settledBy)
    if (group === undefined) gates.set(difference.settledBy, [difference])
    else group.push(difference)
  }
  return gates
}

const isExposed = (decision: Decision): boolean => decision.outcome !== 'excluded'

const exposedCount = ({ surface }: Run): number => surface.totals.eager + surface.totals.deferred

function hintOf({ candidate }: Decision): string {
  const hint = candidate.meta?.source_hint
  return typeof hint === 'string' ? hint : candidate.origin.in
}

/** As claw-code compares them: letter case aside, nothing else. */
function repeatedNames(decisions: readonly Decision[]): readonly RepeatedName[] {
  const names = new Map<string, RepeatedName>()
  for (const { candidate } of decisions) {
    const key = candidate.name.toLowerCase()
    const before = names.get(key)
    names.set(key, { name: before?.name ?? candidate.name, entries: (before?.entries ?? 0) + 1 })
  }
  return [...names.values()].filter(({ entries }) => entries > 1).sort((a, b) => b.entries - a.entries)
}
