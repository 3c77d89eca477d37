// Why: everything that a word may mean, with every step of each decision, how the names hang together, and the
// smallest change that would alter the outcome. Schema `toolgate.why/1`.

import type { Decision } from '../core/decision.ts'
import type { Change } from '../core/gate.ts'
import { foldName, type Json } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { spellings } from '../core/surface.ts'
import { nearest } from '../names/nearest.ts'
import { ruleTextOf } from '../permissions/rule-text.ts'
import { changeText } from './change-text.ts'
import { type DefinitionDifference, definitionDifference } from './definition-difference.ts'
import { phrases } from './phrases.ts'
import { type Relation, relationsOf } from './relations.ts'
import type { Run, ServerState } from './run.ts'
import type { CountTokens } from './tokens.ts'
import { type DecisionReport, decisionReport } from './tools-report.ts'
import { type Lang, settlingStep, stepChanges, stepWords } from './words.ts'

export interface ChangeReport {
  /** The gate's hint first, then each change in words. `[]`: nothing in the world of data would alter it. */
  readonly sentences: readonly string[]
  /** To be applied together. `[]`: only a person can do it. */
  readonly changes: readonly Change[]
  /** Where the value stands that the decision rests on: the place to edit. */
  readonly origin?: Origin
}

export interface ExplainedDecision extends DecisionReport {
  readonly relations: readonly Relation[]
  /** How the model gets to it, what is asked or checked before a call. `[]` for what is excluded. */
  readonly access: readonly string[]
  /** What changed in a definition since it was approved. Absent: nothing did, or what was approved is not at hand. */
  readonly difference?: DefinitionDifference
  readonly change: ChangeReport
}

export interface Explanation {
  readonly schema: 'toolgate.why/1'
  readonly word: string
  /** exposed: at least one decision lets a tool of that name through. */
  readonly kind: 'exposed' | 'excluded' | 'unknown'
  /** All that the word may mean; what the model has first. */
  readonly decisions: readonly ExplainedDecision[]
  /** The server that the word names, or that would own a tool of that name. */
  readonly server?: ServerState
  /** Known names that may have been meant, nearest first; only where the word is unknown. */
  readonly nearest: readonly string[]
  /** That of the first decision. */
  readonly change?: ChangeReport
}

export interface ExplainOptions {
  readonly lang: Lang
  readonly count?: CountTokens
}

/**
 * The explanation of a word: a surface, original, declared or qualified name in any case, an identity, or the name
 * of a server (all its tools). Unknown words get the nearest known names.
 */
export function explain(run: Run, word: string, options: ExplainOptions): Explanation {
  const { surface } = run
  const named = surface.named(word)
  const server = named.length > 0 && !named.some((one) => one.candidate.standIn) ? undefined : serverOf(run, word)
  const meant = named.length > 0 ? named : ofServer(run, word, server)
  const decisions = winnerFirst(meant, word).map((decision) => explained(decision, run, options))
  const [first] = decisions
  return {
    schema: 'toolgate.why/1',
    word: word.slice(0, 400),
    kind: first === undefined ? 'unknown' : first.outcome === 'excluded' ? 'excluded' : 'exposed',
    decisions,
    ...(server === undefined ? {} : { server }),
    nearest: first === undefined ? nearestNames(run, word) : [],
    ...(first === undefined ? {} : { change: first.change }),
  }
}

function explained(decision: Decision, run: Run, { lang, count }: ExplainOptions): ExplainedDecision {
  return {
    ...decisionReport(decision, run.gates, { lang, count }),
    relations: relationsOf(decision, run.surface, { gates: run.gates, lang }),
    access: accessTo(decision, run, lang),
    ...differenceOf(decision, run),
    change: changeOf(decision, run, lang),
  }
}

function differenceOf(
  { candidate, code }: Decision,
  { approved }: Run,
): { readonly difference?: DefinitionDifference } {
  const before = code === 'definition-changed' ? approved?.get(candidate.id) : undefined
  return before === undefined ? {} : { difference: definitionDifference(before, candidate.definition) }
}

/** What would alter the outcome: the settling gate's own offer, or for what nothing withholds, a rule that denies it. */
export function changeOf(decision: Decision, { surface, gates }: Run, lang: Lang): ChangeReport {
  const settling = settlingStep(decision)
  if (settling === undefined) return { sentences: [], changes: [] }
  const origin = settling.origin ?? (decision.outcome === 'excluded' ? unavailableOrigin(decision) : undefined)
  const at = origin === undefined ? {} : { origin }
  if (decision.outcome === 'eager') {
    if (!surface.gates.includes('permissions')) return { sentences: [], changes: [] }
    const text = ruleTextOf(decision.candidate)
    const rule: { readonly [key: string]: Json } = {
      effect: 'deny',
      text,
      scope: 'command line',
      origin: { in: 'command line', key: `--deny-tool ${text}` },
    }
    const changes: Change[] = [{ on: 'facts', op: 'add', path: ['permissions', 'rules'], value: rule }]
    return { sentences: [phrases[lang].toDeny(printable(text, 160))], changes }
  }
  const { hint } = stepWords(settling, decision, gates, lang)
  const changes = stepChanges(settling, decision, gates, surface.facts)
  const sentences = [...(hint === undefined ? [] : [hint]), ...changes.map((change) => changeText(change, lang))]
  return { sentences, changes, ...at }
}

/** A tool that cannot be had rests on its own entry, where no gate named a better place. */
function unavailableOrigin({ candidate }: Decision): Origin | undefined {
  const { availability } = candidate
  return 'origin' in availability ? availability.origin : undefined
}

function accessTo(decision: Decision, { surface }: Run, lang: Lang): readonly string[] {
  if (decision.outcome === 'excluded') return []
  const say = phrases[lang]
  const name = printable(decision.name, 128)
  const lines = [decision.outcome === 'deferred' ? say.toUse(searchName(surface), name) : say.toUseByCall(name)]
  if (decision.approval === 'ask') lines.push(say.asksFirst)
  if (decision.conditions.length > 0) {
    lines.push(
      say.conditions(decision.conditions.map((rule) => `${rule.effect} ${printable(rule.text, 200)}`).join(', ')),
    )
  }
  return lines
}

/** Name of the tool that searches the catalog, as this model knows it. */
function searchName(surface: Run['surface']): string {
  const known =
    surface.find('tool_search') ?? surface.withOutcome('eager').find((one) => one.candidate.role === 'tool-search')
  return printable(known?.name ?? 'tool_search', 128)
}

/** Exactly this name first, then what is exposed, then the rest; inside each the order of sources. */
function winnerFirst(decisions: readonly Decision[], word: string): readonly Decision[] {
  const rank = (decision: Decision): number => (decision.outcome === 'excluded' ? 2 : decision.name === word ? 0 : 1)
  return [...decisions].sort((a, b) => rank(a) - rank(b))
}

/** The server of that name, or the one whose tools would be called so; only to explain, never to decide. */
function serverOf(run: Run, word: string): ServerState | undefined {
  const folded = foldName(word)
  return (
    run.servers.find((server) => foldName(server.name) === folded) ??
    run.servers.find((server) => {
      const owner = foldName(server.name)
      return [`${owner}__`, `${owner}/`, `mcp__${owner}__`, `mcp:${owner}/`].some((start) => folded.startsWith(start))
    })
  )
}

/** All tools of a server that is named; its stand-in where one of its unlisted tools is asked for. */
function ofServer(run: Run, word: string, server: ServerState | undefined): readonly Decision[] {
  const folded = foldName(word)
  const { decisions } = run.surface
  const whole = decisions.filter(
    ({ candidate }) => candidate.server !== undefined && foldName(candidate.server) === folded,
  )
  if (whole.length > 0 || server === undefined) return whole
  return decisions.filter(({ candidate }) => candidate.standIn === true && candidate.server === server.name)
}

/** Tools by the name that the model or a person knows, each once, and servers. */
function nearestNames(run: Run, word: string): readonly string[] {
  const names = new Map<string, string>()
  for (const decision of run.surface.decisions) {
    for (const spelling of spellings(decision)) if (!names.has(spelling)) names.set(spelling, decision.name)
  }
  for (const { name } of run.servers) if (!names.has(name)) names.set(name, name)
  const found = nearest(word.slice(0, 200), names.keys(), 12).map((spelling) => names.get(spelling) ?? spelling)
  return [...new Set(found)].slice(0, 3)
}
