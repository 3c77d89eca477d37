// What the decisions themselves show: names that others took, doors that a preset leaves open, tools that cost or
// may do more than anybody said.

import type { Decision } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import { foldName } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { grouped } from './layout.ts'
import { losersTo, reserves } from './relations.ts'
import type { Run } from './run.ts'
import { tokenCosts } from './tokens.ts'
import { settlingStep } from './words.ts'

/** Findings about what is on the surface and what is not; tools of one owner are told in one line. */
export function surfaceFindings(run: Run, eagerMax: number): readonly Finding[] {
  return [
    ...shadowFindings(run),
    ...takeoverFindings(run),
    ...ownerFindings(run),
    ...failureFindings(run),
    ...serverFindings(run),
    ...budgetFindings(run, eagerMax),
    ...searchFindings(run),
  ]
}

/** One for each tool that has a name which others wanted. */
function shadowFindings({ surface }: Run): readonly Finding[] {
  return surface.decisions.flatMap((winner): Finding[] => {
    const losers = losersTo(winner, surface)
    if (losers.length === 0) return []
    const { id, name, origin, source } = winner.candidate
    const subject = printable(name, 80)
    const builtin = losers.find((loser) => loser.candidate.source === 'builtin')
    const found: Finding[] = []
    if (builtin !== undefined) {
      const message = `${source} tool "${subject}" takes the place of the built-in one`
      found.push(
        finding('shadows-builtin', 'warning', message, { subject, hint: 'rename it if that was not meant', origin }),
      )
    }
    const others = losers.filter((loser) => loser !== builtin)
    const [first] = others
    if (first !== undefined) {
      const ids = names(others.map((loser) => loser.candidate.id))
      const message = `the name "${subject}" goes to ${printable(id, 160)}; without it: ${ids}`
      found.push(
        finding('duplicate-name', 'warning', message, {
          subject,
          hint: 'rename one of them, or deny the one that is not wanted',
          origin: first.candidate.origin,
        }),
      )
    }
    return found
  })
}

/** A name that a safety gate took away, borne by another tool of this surface. */
function takeoverFindings({ surface, gates }: Run): readonly Finding[] {
  const taken = new Map<string, Decision>()
  for (const decision of surface.decisions) {
    const key = foldName(decision.candidate.name)
    if (reserves(decision, gates) && !taken.has(key)) taken.set(key, decision)
  }
  return surface.decisions.flatMap((decision): Finding[] => {
    const before = decision.outcome === 'excluded' ? undefined : taken.get(foldName(decision.name))
    if (before === undefined) return []
    const { id, origin } = decision.candidate
    const subject = printable(decision.name, 80)
    const message = `"${subject}" is ${printable(id, 160)} now, because ${before.settledBy} took it from ${printable(before.candidate.id, 160)}`
    return [
      finding('name-takeover', 'error', message, {
        subject,
        hint: 'use the default preset, or rename the tool',
        origin,
      }),
    ]
  })
}

/** Told once for each owner: groups without effect, effects that nobody stated, definitions that were adapted. */
function ownerFindings({ surface }: Run): readonly Finding[] {
  const exposed = surface.decisions.filter(
    ({ outcome, candidate }) => outcome !== 'excluded' && candidate.standIn !== true,
  )
  const target = printable(surface.facts.target.name, 60)
  const { groups } = surface.facts.agent.origins
  return [
    ...byOwner(exposed.filter(({ steps }) => steps.some((step) => step.code === 'group-ignored'))).map(
      ([owner, tools]) =>
        finding('group-ignored', 'warning', `the agent's groups do not touch ${owner}: ${toolList(tools)}`, {
          subject: owner,
          hint: 'use the default preset, where groups count for every source',
          ...(groups === undefined ? {} : { origin: groups }),
        }),
    ),
    ...byOwner(exposed.filter(({ candidate }) => candidate.effectsBy === 'assumed')).map(([owner, tools, first]) =>
      finding(
        'effect-unknown',
        'info',
        `nobody said what ${owner} may do, so every effect is assumed: ${toolList(tools)}`,
        {
          subject: owner,
          hint: "declare `effects`, or set `trust_annotations` if you believe the server's own",
          origin: first.candidate.origin,
        },
      ),
    ),
    ...byOwner(exposed.filter(({ definition, candidate }) => definition !== candidate.definition)).map(
      ([owner, tools, first]) =>
        finding('schema-adapted', 'info', `adapted to what target ${target} accepts, of ${owner}: ${toolList(tools)}`, {
          subject: owner,
          hint: 'toolgate show NAME has both forms; arguments are checked against the original',
          origin: first.candidate.origin,
        }),
    ),
  ]
}

function failureFindings({ surface }: Run): readonly Finding[] {
  const failed = surface.decisions.filter((decision) => decision.code === 'gate-failed')
  const gates = new Map<string, Decision[]>()
  for (const decision of failed) gates.set(decision.settledBy, [...(gates.get(decision.settledBy) ?? []), decision])
  return [...gates].map(([gate, tools]) => {
    const error = tools[0] === undefined ? undefined : settlingStep(tools[0])?.evidence.error
    const what = typeof error === 'string' ? printable(error, 160) : 'no reason given'
    return finding('gate-failed', 'error', `gate ${gate} failed (${what}), so these stay out: ${toolList(tools)}`, {
      subject: gate,
      hint: 'report the fault to whoever wrote the gate',
    })
  })
}

/** Required servers that are not there, unless listing them has said so already. */
function serverFindings({ servers, findings }: Run): readonly Finding[] {
  return servers
    .filter((server) => server.required && server.state !== 'available' && server.state !== 'not-started')
    .filter(({ name }) => !findings.some((one) => one.code === 'required-server-missing' && one.subject === name))
    .map(({ name, state, detail, origin }) => {
      const why = detail === undefined ? state : `${state}, ${printable(detail, 200)}`
      const subject = printable(name, 64)
      return finding('required-server-missing', 'error', `required server "${subject}" is not available: ${why}`, {
        subject,
        hint: 'make it available, or set `required: false`',
        origin,
      })
    })
}

/**
 * More tools or tokens than models handle well; names the owner that brings most, and the search tool where it is
 * missing, for nothing can be deferred then. As for the gate, the budget is for definitions; names are not counted.
 */
function budgetFindings({ surface }: Run, eagerMax: number): readonly Finding[] {
  const { eager } = surface.totals
  const { mode, budgetTokens, budgetOrigin } = surface.facts.deferral
  const costs = tokenCosts(surface)
  const search = missingSearch(surface)
  const tooMany = eager > eagerMax
  const isMeant = budgetTokens > 0 && (mode === 'auto' || search !== undefined)
  const tooDear = isMeant && costs.eager > budgetTokens
  if (!tooMany && !tooDear) return []
  const over = tooMany
    ? `${grouped(eager)} tools are sent with every request, and models choose worse above some ${grouped(eagerMax)}`
    : `every request carries about ${grouped(costs.eager)} tokens of tools, and ${grouped(budgetTokens)} were meant`
  const [most] = Object.entries(costs.byServer).sort(([, a], [, b]) => b.tokens - a.tokens)
  const heavy =
    most === undefined
      ? ''
      : `; without server ${printable(most[0], 64)}: ${grouped(most[1].tools)} tools and about ${grouped(most[1].tokens)} tokens less`
  const why = search === undefined ? '' : `; nothing is deferred, because ${search.why}`
  const origin = search?.origin ?? budgetOrigin
  return [
    finding('over-soft-budget', 'warning', over + why + heavy, {
      hint:
        search === undefined
          ? 'defer some (tool_search.enabled, tool_search.budget), or narrow the groups of the agent'
          : 'let tool_search through, or narrow the groups of the agent',
      ...(origin === undefined ? {} : { origin }),
    }),
  ]
}

/** Deferral was asked for outright, and cannot be. In the automatic mode it counts only over the budget, and is told there. */
function searchFindings({ surface }: Run): readonly Finding[] {
  const missing = surface.facts.deferral.mode === 'on' ? missingSearch(surface) : undefined
  if (missing === undefined) return []
  const { why, origin } = missing
  const message = `tools should be deferred, and none is: ${why}`
  return [finding('deferral-without-search', 'warning', message, origin === undefined ? {} : { origin })]
}

/** Why there is no search tool on a surface whose tools would be deferred with one; undefined where there are none. */
function missingSearch({ decisions }: Run['surface']): { readonly why: string; readonly origin?: Origin } | undefined {
  if (!decisions.some(({ steps }) => steps.some(({ code }) => code === 'no-search-tool'))) return undefined
  const search = decisions.find(({ candidate }) => candidate.role === 'tool-search')
  if (search === undefined) return { why: 'no source offers tool_search' }
  const origin = settlingStep(search)?.origin
  const why = `${search.settledBy} leaves ${printable(search.name, 80)} out (${search.code})`
  return { why, ...(origin === undefined ? {} : { origin }) }
}

/** Decisions by server, else by source; in the order of sources. */
function byOwner(decisions: readonly Decision[]): (readonly [string, readonly Decision[], Decision])[] {
  const owners = new Map<string, [Decision, ...Decision[]]>()
  for (const decision of decisions) {
    const { server, source } = decision.candidate
    const owner = server === undefined ? `source ${source}` : `server ${printable(server, 64)}`
    const group = owners.get(owner)
    if (group === undefined) owners.set(owner, [decision])
    else group.push(decision)
  }
  return [...owners].map(([owner, group]) => [owner, group, group[0]] as const)
}

const toolList = (tools: readonly Decision[]): string => names(tools.map((tool) => tool.name))

/** The first five, and how many more. */
function names(all: readonly string[]): string {
  const shown = all.slice(0, 5).map((name) => printable(name, 128))
  return all.length > shown.length
    ? `${shown.join(', ')} and ${grouped(all.length - shown.length)} more`
    : shown.join(', ')
}
