import type { Json, JsonObject } from '../core/json.ts'
import type { CallOutcome } from './tool-call.ts'

/** The outcome with every text that somebody reads put through a function; pictures and sounds stay as they are. */
export function mappedTexts(outcome: CallOutcome, change: (text: string) => string): CallOutcome {
  if (outcome.kind !== 'result') return { ...outcome, message: change(outcome.message) }
  const { content, structuredContent } = outcome
  return {
    ...outcome,
    content: content.map((block) => mapped(block, change) as JsonObject),
    ...(structuredContent === undefined ? {} : { structuredContent: mapped(structuredContent, change) as JsonObject }),
  }
}

function mapped(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [
      key,
      isBytes(key, value as JsonObject) ? item : mapped(item as Json, change),
    ]),
  )
}

/** `data` of an image or audio block and `blob` of a resource are bytes in base64. */
const isBytes = (key: string, { type }: JsonObject): boolean =>
  key === 'blob' || (key === 'data' && (type === 'image' || type === 'audio'))
