import type { Json, JsonObject } from '../core/json.ts'
import type { RpcError } from '../sessions/session.ts'
import type { CallOutcome, ToolCall } from './tool-call.ts'

/**
 * The outcome with every text that somebody reads put through a function, names in objects included; pictures and
 * sounds stay as they are. Of two names that become one both are kept.
 */
export function mappedTexts<T extends CallOutcome>(outcome: T, change: (text: string) => string): T {
  if (outcome.kind !== 'result') {
    const said = { ...outcome, message: change(outcome.message), action: change(outcome.action) }
    return said.kind === 'failed' && said.rpc !== undefined ? { ...said, rpc: mappedError(said.rpc, change) } : said
  }
  const { content, structuredContent, meta } = outcome
  return {
    ...outcome,
    content: content.map((block) => mappedJson(block, change) as JsonObject),
    ...(structuredContent === undefined
      ? {}
      : { structuredContent: mappedJson(structuredContent, change) as JsonObject }),
    ...(meta === undefined ? {} : { meta: mappedJson(meta, change) as JsonObject }),
  }
}

function mappedError({ code, message, data }: RpcError, change: (text: string) => string): RpcError {
  return { code, message: change(message), ...(data === undefined ? {} : { data: mappedJson(data, change) }) }
}

/** The call with the words of its progress put through a function before anybody is told of them. */
export function mappedProgress(call: ToolCall, change: (text: string) => string): ToolCall {
  const { onProgress } = call
  if (onProgress === undefined) return call
  return {
    ...call,
    onProgress: (sign) =>
      onProgress(sign.message === undefined ? sign : { ...sign, message: change(String(sign.message)) }),
  }
}

/** A value with every text in it put through a function, names in objects included; bytes stay as they are. */
export function mappedJson(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mappedJson(item, change))
  const object = value as JsonObject
  const entries = new Map<string, Json | undefined>()
  for (const [key, item] of Object.entries(object)) {
    const name = freeName(change(key), entries)
    entries.set(name, isBytes(key, object) ? item : mappedJson(item as Json, change))
  }
  return Object.fromEntries(entries)
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`
  return free
}

/** `data` of an image or audio block and `blob` of a resource are bytes in base64. */
const isBytes = (key: string, { type }: JsonObject): boolean =>
  key === 'blob' || (key === 'data' && (type === 'image' || type === 'audio'))
