// Is it a result of a call? Only its outline is looked at: what it holds goes to whoever called, as it was received.

import { isJsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'

/** What is wrong with the outline of a result, in words that go on from "it"; nothing when it is sound. */
export function faultOfResult(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'has a result that is no object'
  const { content, structuredContent, isError, resultType } = value
  if (resultType !== undefined && resultType !== 'complete')
    return `has a result of type ${printable(JSON.stringify(resultType), 60)}`
  if (isError !== undefined && typeof isError !== 'boolean') return 'says neither true nor false for isError'
  // The protocol wants a list; a result that is structured says what it has to say without one.
  if (content === undefined && structuredContent !== undefined) return undefined
  if (!Array.isArray(content)) return 'holds no list of content'
  const odd = content.findIndex((block) => !isJsonObject(block) || typeof block.type !== 'string')
  return odd < 0 ? undefined : `holds something without a type as block ${odd} of its content`
}

/** True when the server wants to be told more before it goes on (2026-07-28). */
export const asksForInput = (value: unknown): boolean => isJsonObject(value) && value.resultType === 'input_required'
