// What every provider asks of a history, and what an agent that loses or invents a message gets wrong: each call of
// the model has one result, right after it, and each result a call.

import { printable } from '../../../core/printable.ts'
import type { ModelRequest } from '../recorded-request.ts'

/** How a protocol calls the two. */
export interface HistoryWords {
  readonly call: string
  readonly result: string
}

/** One sentence on the first call without a result, or the first result without a call; undefined: there is none. */
export function historyObjection({ messages }: ModelRequest, words: HistoryWords): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required'
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const known = open.delete(message.id)
      if (!known) return `messages: the ${words.result} ${named(message.id)} answers no ${words.call} right before it`
      continue
    }
    if (open.size > 0) return unanswered(open, words)
    open = new Set(message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])
    if (message.role === 'assistant' && open.size !== message.calls.length) {
      return `messages: two ${words.call}s of message ${index} have one id`
    }
  }
  return open.size > 0 ? unanswered(open, words) : undefined
}

const named = (id: string): string => `"${printable(id, 60)}"`

const unanswered = (ids: ReadonlySet<string>, { call, result }: HistoryWords): string =>
  `messages: each ${call} must be followed by its ${result}; without one: ${[...ids].map(named).join(', ')}`

/** One sentence on the first tool whose name a provider does not take; undefined: it takes them all. */
export function toolsObjection({ tools }: ModelRequest, nameMax: number): string | undefined {
  const seen = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (name.length > nameMax || !wordDash.test(name)) {
      return `tools[${index}]: the name ${named(name)} is not of letters, digits, _ and -, at most ${nameMax}`
    }
    if (seen.has(name)) return `tools[${index}]: the name ${named(name)} occurs twice`
    seen.add(name)
  }
  return undefined
}

/** What all of them ask, of a request that goes over no wire. */
export const everyProvider = {
  objection: (request: ModelRequest): string | undefined =>
    toolsObjection(request, 64) ?? historyObjection(request, { call: 'call', result: 'result' }),
}

const wordDash = /^[a-zA-Z0-9_-]+$/
