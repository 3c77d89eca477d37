/** A message as any framework has it. */
export interface RoutingMessage {
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly text: string
  /** What the person wrote, where `text` is that with something put around it. */
  readonly originalText?: string
  /** True for what stands in the place of a person and is not one: a result of a tool, a reminder, a hidden message. */
  readonly synthetic?: boolean
}

/** What the person last wrote, as it was written; undefined when no person wrote anything. */
export function latestUserMessage(messages: readonly RoutingMessage[]): string | undefined {
  const latest = messages.findLast(({ role, synthetic }) => role === 'user' && synthetic !== true)
  return latest?.originalText ?? latest?.text
}
