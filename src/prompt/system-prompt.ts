// What an agent is told before it begins, from the very surface that it is held to.

import { promptOrder } from './order.ts'
import type { PromptInput } from './prompt-part.ts'

export interface SystemPrompt {
  /** The whole text. `''`: no part has anything to say. */
  readonly text: string
  /** Ids of the parts that it is made of, in order. */
  readonly parts: readonly string[]
}

/** Pure: the same input gives the same bytes. */
export function systemPrompt(input: PromptInput, order = promptOrder): SystemPrompt {
  const parts = order.map(({ id, text }) => ({ id, text: text(input) })).filter(({ text }) => text !== '')
  return { text: parts.map(({ text }) => text).join('\n\n'), parts: parts.map(({ id }) => id) }
}
