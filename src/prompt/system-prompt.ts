// What an agent is told before it begins, from the very surface that it is held to.

import type { Surface } from '../core/surface.ts'
import { promptOrder } from './order.ts'
import type { PromptInput, PromptPart } from './prompt-part.ts'

export interface SystemPrompt {
  /** The whole text. `''`: no part has anything to say. */
  readonly text: string
  /** Ids of the parts that it is made of, in order. */
  readonly parts: readonly string[]
}

interface Made {
  readonly order: readonly PromptPart[]
  /** All of the input but the surface. */
  readonly key: string
  readonly prompt: SystemPrompt
}

/** A surface never changes, and its words are asked for before each request of a model: the last prompt is kept. */
const lastOf = new WeakMap<Surface, Made>()

/** Pure: the same input gives the same bytes. */
export function systemPrompt(input: PromptInput, order: readonly PromptPart[] = promptOrder): SystemPrompt {
  const { surface, ...rest } = input
  const key = JSON.stringify(rest)
  const last = lastOf.get(surface)
  if (last !== undefined && last.key === key && last.order === order) return last.prompt
  const parts = order.map(({ id, text }) => ({ id, text: text(input) })).filter(({ text }) => text !== '')
  const prompt = { text: parts.map(({ text }) => text).join('\n\n'), parts: parts.map(({ id }) => id) }
  lastOf.set(surface, { order, key, prompt })
  return prompt
}
