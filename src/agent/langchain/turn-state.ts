// What a conversation keeps beside its messages, in the state of the framework's graph, so that it is stored with them
// step by step: what the turn waits for, and which skills are in use.

import { ReducedValue, StateSchema } from '@langchain/langgraph'
import * as z from 'zod'
import type { JsonObject } from '../../core/json.ts'
import type { WaitingFor } from '../../state/thread-state.ts'

/** A call whose answer stands in the conversation as a placeholder. */
export interface WaitingCall {
  readonly id: string
  readonly name: string
  readonly args: JsonObject
  /** A question is answered by words; whatever else waits is called again, and the answer replaced. */
  readonly by: 'words' | 'call'
  readonly waits: readonly WaitingFor[]
  /** True in an update: it does not wait any more. */
  readonly over?: boolean
}

export interface SkillInUse {
  readonly skill: string
  readonly on: boolean
}

// The framework gives the state of the last turn back as an update of the next: merging must be idempotent.

/** By id, in the order in which they came; what is over is taken out. */
export const mergedWaiting = (
  current: readonly WaitingCall[],
  updates: readonly WaitingCall[],
): readonly WaitingCall[] => {
  const calls = new Map(current.map((call) => [call.id, call]))
  for (const call of updates) calls.set(call.id, call)
  return [...calls.values()].filter(({ over }) => over !== true)
}

/** By name, in the order in which they came into use. */
export const mergedSkills = (current: readonly SkillInUse[], updates: readonly SkillInUse[]): readonly SkillInUse[] => {
  const skills = new Map(current.map((one) => [one.skill, one]))
  for (const one of updates) {
    skills.delete(one.skill)
    if (one.on) skills.set(one.skill, one)
  }
  return [...skills.values()]
}

export const turnState = new StateSchema({
  waiting: new ReducedValue(z.custom<readonly WaitingCall[]>(Array.isArray).default([]), { reducer: mergedWaiting }),
  skills: new ReducedValue(z.custom<readonly SkillInUse[]>(Array.isArray).default([]), { reducer: mergedSkills }),
})

/** From a stored state, which other versions may have written. */
export const waitingIn = (values: { readonly [channel: string]: unknown }): readonly WaitingCall[] =>
  Array.isArray(values.waiting) ? (values.waiting as readonly WaitingCall[]) : []

export const skillsIn = (values: { readonly [channel: string]: unknown }): readonly string[] =>
  Array.isArray(values.skills) ? (values.skills as readonly SkillInUse[]).map(({ skill }) => skill) : []
