// Names that mean nothing: groups, servers and tools that an agent, a child or a skill asks for and nobody has.

import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { SkillFact } from '../core/run-facts.ts'
import { finding } from '../errors.ts'
import { exactForms } from '../gates/exact-forms.ts'
import { grantList } from '../gates/grant-list.ts'
import { nearest } from '../names/nearest.ts'
import type { Run } from './run.ts'

/** A finding for each name that names nothing, with the nearest that does. */
export function nameFindings(run: Run): readonly Finding[] {
  const { facts, decisions } = run.surface
  const { agent, delegation } = facts
  const candidates = decisions.map((decision) => decision.candidate)
  const groups = new Set(candidates.flatMap(({ group }) => group ?? []))
  const servers = new Set([...run.servers.map(({ name }) => name), ...candidates.flatMap(({ server }) => server ?? [])])
  const who = `agent "${printable(agent.name, 60)}"`
  return [
    ...(agent.groups ?? [])
      .filter((group) => !groups.has(group))
      .map((group) =>
        finding('group-unknown', 'warning', `${who} asks for group ${quoted(group)}, to which nothing belongs`, {
          subject: printable(group, 80),
          ...offer(group, groups, 'groups that tools have'),
          ...at(agent.origins.groups),
        }),
      ),
    ...(agent.servers ?? [])
      .filter((server) => !servers.has(server))
      .map((server) =>
        finding('unknown-name', 'warning', `${who} asks for server ${quoted(server)}, which is not there`, {
          subject: printable(server, 80),
          ...offer(server, servers, 'servers'),
          ...at(agent.origins.servers),
        }),
      ),
    ...idleWords(agent.tools, candidates, `the tools of ${who}`, agent.origins.tools),
    ...idleWords(delegation.allow, candidates, 'the allow list of the child', delegation.allowOrigin),
    ...facts.skills.list.flatMap((skill) => skillFindings(skill, run)),
  ]
}

function idleWords(
  words: readonly string[] | undefined,
  candidates: readonly Candidate[],
  where: string,
  origin: Origin | undefined,
): readonly Finding[] {
  const names = (): string[] => candidates.filter(({ standIn }) => standIn !== true).map(({ name }) => name)
  return (words ?? [])
    .filter((word) => {
      const grants = grantList([word])
      return !candidates.some((candidate) => grants(candidate) !== undefined)
    })
    .map((word) =>
      finding('rule-matches-nothing', 'warning', `${quoted(word)} in ${where} names no tool`, {
        subject: printable(word, 80),
        ...offer(word, names(), 'tools'),
        ...at(origin),
      }),
    )
}

/** Only names in a sound list of an enabled skill; malformed lists were reported when they were read. */
function skillFindings(skill: SkillFact, { surface }: Run): readonly Finding[] {
  if (!skill.enabled || skill.malformed !== undefined) return []
  const exposed = new Set<string>()
  const known = new Map<string, string>()
  for (const { candidate, outcome, settledBy, code } of surface.decisions) {
    for (const form of exactForms(candidate)) {
      if (outcome !== 'excluded') exposed.add(form)
      else if (!known.has(form)) known.set(form, `${settledBy} (${code})`)
    }
  }
  const who = `skill ${quoted(skill.name)}`
  return (skill.allowedTools ?? [])
    .filter((word) => !exposed.has(word))
    .map((word) => {
      const subject = printable(skill.name, 80)
      const why = known.get(word)
      if (why !== undefined) {
        const message = `${who} allows ${quoted(word)}, which is not on this surface: ${why}`
        return finding('tool-not-offered', 'info', message, {
          subject,
          hint: `see toolgate why ${printable(word, 80)}`,
          ...at(skill.origin),
        })
      }
      return finding('tool-not-offered', 'warning', `${who} allows ${quoted(word)}, which names no tool`, {
        subject,
        ...offer(word, exposed, 'tools'),
        ...at(skill.origin),
      })
    })
}

const quoted = (text: string): string => `"${printable(text, 80)}"`

const at = (origin: Origin | undefined): { readonly origin?: Origin } => (origin === undefined ? {} : { origin })

/** The nearest known names; else some of what there is. */
function offer(word: string, known: Iterable<string>, what: string): { readonly hint: string } {
  const all = [...known]
  const near = nearest(word, all)
  if (near.length > 0) return { hint: `nearest: ${near.map(quoted).join(', ')}` }
  const some = all.sort().slice(0, 6).map(quoted)
  return {
    hint:
      some.length === 0
        ? `there are no ${what} here`
        : `${what}: ${some.join(', ')}${all.length > some.length ? ', …' : ''}`,
  }
}
