// The framework's encoding of checkpoints, made safe for what strangers say. It takes whatever looks like one of its
// classes for one: arguments of a call that look so would be altered when they are read, or make the whole conversation
// unreadable. So messages are encoded by their own package, which can tell, and an object that could be mistaken
// travels as a list of its entries.

import { load } from '@langchain/core/load'
import { DeltaSnapshot, JsonPlusSerializer, type SerializerProtocol } from '@langchain/langgraph-checkpoint'

/** Name of this encoding, beside those of the framework. */
const encoding = 'toolgate.checkpoint/1'
const mark = '$toolgate'
/** Keys by which the framework knows its own, and those that a plain copy loses. */
const mistakable = ['lc', 'lg_name', mark, '__proto__'] as const
/** Objects in objects. What is deeper could be written and not be read again. */
const depthMax = 500

export function checkpointSerde(): SerializerProtocol {
  const inner = new JsonPlusSerializer()
  return {
    dumpsTyped: async (value) => {
      const [type, bytes] = await inner.dumpsTyped(carried(value, 0))
      return [type === 'json' ? encoding : type, bytes]
    },
    loadsTyped: async (type, data) =>
      type === encoding ? restored(await inner.loadsTyped('json', data)) : inner.loadsTyped(type, data),
  }
}

function carried(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) throw tooDeep()
  const deeper = (inside: unknown): unknown => carried(inside, depth + 1)
  if (Array.isArray(value)) return value.map(deeper)
  if (isPlain(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, deeper(item)] as const)
    return mistakable.some((key) => Object.hasOwn(value, key))
      ? { [mark]: ['object', entries] }
      : Object.fromEntries(entries)
  }
  if (value instanceof DeltaSnapshot) return new DeltaSnapshot(deeper(value.value))
  if (isMessage(value)) return { [mark]: ['message', textOf(value)] }
  if (!isSend(value)) return value
  const { node, args, timeout } = value
  return { node, args: deeper(args), ...(timeout === undefined ? {} : { timeout }) }
}

async function restored(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(restored))
  if (value instanceof DeltaSnapshot) return new DeltaSnapshot(await restored(value.value))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  if (!Object.hasOwn(value, mark)) return restoredEntries(Object.entries(value))
  const [kind, content] = (value as { readonly [mark]: readonly [kind: string, content: unknown] })[mark]
  if (kind === 'object') return restoredEntries(content as readonly (readonly [string, unknown])[])
  return load(content as string, { maxDepth: 2 * depthMax })
}

const restoredEntries = async (entries: readonly (readonly [string, unknown])[]): Promise<object> =>
  Object.fromEntries(await Promise.all(entries.map(async ([key, item]) => [key, await restored(item)] as const)))

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isMessage = (value: object): boolean =>
  'lc_serializable' in value &&
  value.lc_serializable === true &&
  'toJSON' in value &&
  typeof value.toJSON === 'function'

/** A task for the next step, with what is handed to it: for a call of a tool, its arguments. */
const isSend = (value: object): value is { node: unknown; args: unknown; timeout?: unknown } =>
  'lg_name' in value && value.lg_name === 'Send' && 'node' in value && 'args' in value

function textOf(message: object): string {
  const text = JSON.stringify(message)
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > depthMax) throw tooDeep()
  }
  return text
}

/** Where the text that begins at a quotation mark ends. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '"') return at
    if (json[at] === '\\') at += 1
  }
  return json.length
}

const tooDeep = (): Error => new Error(`what was said holds objects in more than ${depthMax} others and cannot be kept`)
