// Texts that tell the model what to do, held against the tools that it has.

import { promptFindings } from '../catalog/prompt/prompt-findings.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { Run } from './run.ts'

/** A text that the model of this run is given, such as the description of its agent. */
export interface CheckedPrompt {
  readonly text: string
  /** What the text is, as a sentence begins with it: `the description of agent "main"`. Printable. */
  readonly where: string
  readonly origin?: Origin
}

/** What a configuration calls something, and what it says of it. */
interface Described {
  readonly name: string
  readonly description: string
  readonly origin: Origin
}

/** What a run tells its model: what its own agent is for, and what the skills are for that this agent may use. */
export function promptsOf({
  surface,
  config,
  skills,
}: Pick<Run, 'surface'> & {
  readonly config?: { readonly agents: readonly Described[] }
  readonly skills: readonly Described[]
}): readonly CheckedPrompt[] {
  const { agent, skills: facts } = surface.facts
  const offered = new Set(
    facts.list.flatMap((skill) => (skill.enabled && skill.malformed === undefined ? skill.name : [])),
  )
  const of = (what: string, name: string): string => `the description of ${what} "${printable(name, 64)}"`
  return [
    ...(config?.agents ?? [])
      .filter(({ name }) => name === agent.name)
      .map(({ name, description, origin }) => ({
        text: description,
        where: of('agent', name),
        origin: origin.key === undefined ? origin : { ...origin, key: `${origin.key}.description` },
      })),
    ...skills
      .filter(({ name }) => offered.has(name))
      // Their place is that of their list of tools, not of these words.
      .map(({ name, description, origin }) => ({
        text: description,
        where: of('skill', name),
        origin: { in: origin.in },
      })),
  ]
}

/** What is wrong with the tools that the texts name. */
export const promptsFindings = ({ surface }: Run, prompts: readonly CheckedPrompt[]): readonly Finding[] =>
  prompts.flatMap(({ text, where, origin }) =>
    promptFindings(text, surface, { where, ...(origin === undefined ? {} : { origin }) }),
  )
