// What a request said, in one form for all protocols.

import type { Json, JsonObject } from '../../core/json.ts'

export type ScriptedProtocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

export interface RecordedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  /** The whole definition as it was sent, letter by letter. */
  readonly text: string
}

export type RecordedMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RecordedCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string; readonly isError: boolean }

export interface RecordedCall {
  readonly id: string
  readonly tool: string
  /** As JSON: exactly as it was sent where the protocol sends text, written anew where it sends a value. */
  readonly args: string
}

/** What a wire reads out of a body. */
export interface ModelRequest {
  readonly model: string
  /** All system and developer texts, a blank line between them. Empty: none was sent. */
  readonly system: string
  /** In order, without the system's. */
  readonly messages: readonly RecordedMessage[]
  /** In the order in which they were sent. Empty: none was sent. */
  readonly tools: readonly RecordedTool[]
  /** The value of `tools` as it was sent, letter by letter. Absent: the key was not sent. */
  readonly toolsText?: string
  readonly toolChoice?: Json
  readonly stream: boolean
}

export interface RecordedRequest extends ModelRequest {
  readonly protocol: ScriptedProtocol
  /** `main`, or the name of the child whose conversation answered. */
  readonly conversation: string
  /** How many messages of the model it holds: 0 for the first request of a conversation. */
  readonly position: number
  /** The step that answered, as `turns[0].steps[2]`. Absent: the script has none for it. */
  readonly step?: string
  /**
   * `answered` as a whole; `failed` as the script wants it; `refused`, because the script has no answer, or what it
   * expects does not hold; `left`, because the client went before the end; `open` so far.
   */
  readonly outcome: 'open' | 'answered' | 'failed' | 'refused' | 'left'
  /** The body as it was parsed. */
  readonly body: JsonObject
}

/** What came since the model's last message: results, and what the person said. */
export function newMessages(messages: readonly RecordedMessage[]): readonly RecordedMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
}
