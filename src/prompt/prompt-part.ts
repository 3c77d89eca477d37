// A part of a system prompt: one question that it answers for the model, in words that hold only while the tools that
// it speaks of are on the surface. INVARIANT: a part names no tool that the model does not have or cannot fetch; text
// of strangers stands in it only through `promptText`.

import type { Surface } from '../core/surface.ts'

export interface PromptSkill {
  readonly name: string
  readonly description: string
  /** Virtual path of its SKILL.md. */
  readonly path: string
  /** In use on this run. */
  readonly active: boolean
}

export interface PromptChild {
  readonly name: string
  readonly description: string
}

export interface PromptInput {
  readonly surface: Surface
  /** What the operator says the agent is for; taken as it is, because the operator is no stranger. `''`: nothing. */
  readonly instructions: string
  /** Skills that the agent may use. `[]`: none. */
  readonly skills: readonly PromptSkill[]
  /** Agents that `task` may start. `[]`: none by name. */
  readonly children: readonly PromptChild[]
  /** ISO date of today in the place of the user, `2026-11-30`. Absent: the prompt says nothing of time. */
  readonly today?: string
  /** Tools that were loaded in this thread and are not there any more. `[]`: none. */
  readonly absent: readonly string[]
}

export interface PromptPart {
  readonly id: string
  /** The text of the part, without blanks around it; `''`: it has nothing to say on this surface. */
  readonly text: (input: PromptInput) => string
}
