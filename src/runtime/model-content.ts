// What a model is told of a call: the blocks of a result as text and pictures, or why there is none and what to do.

import type { JsonObject } from '../core/json.ts'
import type { CallOutcome } from '../runtime/tool-call.ts'

export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** The parts of an outcome, never empty. `seesImages`: the model can look at pictures. */
export function modelContent(outcome: CallOutcome, seesImages: boolean): readonly ModelContent[] {
  if (outcome.kind !== 'result')
    return [{ type: 'text', text: `${outcome.code}: ${outcome.message}. ${outcome.action}` }]
  const parts = outcome.content.flatMap((block) => partOf(block, seesImages))
  return parts.length > 0 ? parts : [{ type: 'text', text: 'done' }]
}

/** The text of it alone. */
export const modelText = (outcome: CallOutcome): string =>
  modelContent(outcome, false)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')

function partOf(block: JsonObject, seesImages: boolean): readonly ModelContent[] {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return [{ type: 'text', text }]
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return seesImages
      ? [{ type: 'image', data, mimeType }]
      : [{ type: 'text', text: `[a picture (${mimeType}) that this model cannot see]` }]
  return [{ type: 'text', text: JSON.stringify(block) }]
}
