// What a protocol is to the server: how its requests are read, and how answers and errors look.

import type { Json, JsonObject } from '../../../core/json.ts'
import type { ModelRequest, ScriptedProtocol } from '../recorded-request.ts'

/** What a step answers, the same for all protocols. */
export interface ModelAnswer {
  /** Made of the place in the script: the same request has the same answer, byte by byte. */
  readonly id: string
  /** Empty: it says nothing. */
  readonly say: string
  readonly calls: readonly AnsweredCall[]
  readonly usage: { readonly input: number; readonly output: number }
}

export interface AnsweredCall {
  readonly id: string
  readonly tool: string
  /** What is sent as arguments, letter by letter; JSON unless the script wants otherwise. */
  readonly args: string
}

/** One event of a stream. A text is sent as it is, anything else as JSON. */
export interface WireEvent {
  readonly event?: string
  readonly data: string | JsonObject
}

/** Reading failed: what of the body is not as the protocol has it. */
export interface Unreadable {
  readonly unreadable: string
}

export interface Wire {
  readonly protocol: ScriptedProtocol
  /** Where requests are posted. */
  readonly path: string
  /** `json` is the text of `body`. Never throws. */
  readonly read: (body: JsonObject, json: string) => ModelRequest | Unreadable
  /** What the provider would not take, in its own words; undefined: all is well. */
  readonly objection: (request: ModelRequest) => string | undefined
  readonly whole: (answer: ModelAnswer) => JsonObject
  /** Lazy, so that a stream can be ended in its middle. */
  readonly events: (answer: ModelAnswer, body: JsonObject) => Iterable<WireEvent>
  readonly error: (status: number, message: string) => JsonObject
  /** An error after a stream has begun; `sent` is how many events went before it. */
  readonly errorEvent: (message: string, sent: number) => WireEvent
}

/** Stands in each answer, for whoever reads a log: no model was asked. */
export const scriptedNote = 'toolgate-script: replayed from a written conversation, no model was asked'

export const recordOf = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a content that is a text or a list of parts; a part of another kind shows as `[kind]`. */
export function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).map((part) => {
    const { type, text, refusal } = recordOf(part)
    return typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : `[${textOf(type)}]`
  })
}
