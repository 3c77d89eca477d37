// The outcome of a call for people: the blocks of a result one after another. What a tool says is foreign text; only
// the words around it are ours, and only they are painted.

import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Paint } from './paint.ts'

export interface BlockStyle {
  readonly paint: Paint
  /** What is done to text of the tool: `terminalText` where a terminal reads it, nothing where a program does. */
  readonly foreign: (text: string) => string
}

/** A block for reading. Pictures, sounds and resources are named with their kind and size. */
export function blockText(block: JsonObject, { paint, foreign }: BlockStyle): string {
  const { type, text, data, mimeType, uri, resource, name } = block
  if (type === 'text' && typeof text === 'string') return foreign(text)
  if (typeof data === 'string') return paint.dim(`[${word(type)}, ${word(mimeType)}, ${bytesOf(data)} bytes]`)
  if (type === 'resource_link') return `${paint.dim('[resource]')} ${word(uri)} ${word(name)}`.trimEnd()
  if (type === 'resource' && isObject(resource)) {
    if (typeof resource.text === 'string')
      return `${paint.dim(`[resource ${word(resource.uri)}]`)}\n${foreign(resource.text)}`
    return paint.dim(`[resource ${word(resource.uri)}, ${bytesOf(resource.blob)} bytes]`)
  }
  return foreign(JSON.stringify(block))
}

/**
 * Text of strangers for a terminal: lines and tabs stay, and what would command the terminal, or show the text in
 * another order than it has, becomes a visible escape.
 */
export const terminalText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(commanding, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const commanding = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const word = (value: Json | undefined): string => (typeof value === 'string' ? printable(value, 200) : '')
const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Base64 has four characters for three bytes. */
function bytesOf(data: Json | undefined): number {
  if (typeof data !== 'string') return 0
  return Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
}
