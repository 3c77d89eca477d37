// Skills of a thread: which the model is told of, and which come into use.

import type { PreparedRun } from '../assembly/run-input.ts'
import type { Decision } from '../core/decision.ts'
import type { PromptSkill } from '../prompt/prompt-part.ts'
import type { CallOutcome } from './tool-call.ts'

export interface SlashSkill {
  readonly skill: string
  /** False: it goes out of use. */
  readonly on: boolean
  /** What the model is given in the place of the message. */
  readonly message: string
}

/** The skills that the agent of a run may use. */
export function promptSkills(_run: Pick<PreparedRun, 'surface' | 'skills'>): readonly PromptSkill[] {
  return []
}

/** The skill that a message asks for by its first word. */
export async function skillBySlash(
  _message: string,
  _run: Pick<PreparedRun, 'surface' | 'skills'>,
): Promise<SlashSkill | undefined> {
  return undefined
}

/** The skill whose text a call has just read. */
export function skillRead(
  _call: { readonly decision: Decision; readonly args: unknown },
  _outcome: CallOutcome,
  _run: Pick<PreparedRun, 'surface' | 'skills'>,
): string | undefined {
  return undefined
}
