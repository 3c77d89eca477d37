// Whether the script has an answer to a request, and if not, one sentence that says which step it would have been,
// what was expected and what came.

import { printable } from '../../core/printable.ts'
import { type Conversation, conversationOf, otherWords, type PlacedStep, positionOf } from './conversation.ts'
import { pathText } from './read-script.ts'
import { type ModelRequest, newMessages } from './recorded-request.ts'
import { unmetBy } from './unmet.ts'
import type { Wire } from './wires/wire.ts'

/** What a provider would not take. */
export type ProviderRules = Pick<Wire, 'objection'>

export interface Judgement {
  readonly conversation: Conversation
  readonly position: number
  /** Absent: the conversation is over. */
  readonly placed?: PlacedStep
  /** Absent: the step answers. */
  readonly objection?: string
}

export function judge(
  rules: ProviderRules,
  conversations: readonly Conversation[],
  request: ModelRequest,
  tag: string | undefined,
): Judgement {
  const position = positionOf(request)
  const conversation = conversationOf(conversations, request, tag) ?? conversations.at(-1) ?? nobody
  const placed = conversation.steps[position]
  const where = `request ${position + 1} of the conversation "${conversation.name}"`
  const found = { conversation, position, ...(placed === undefined ? {} : { placed }) }
  const object = (what: string): Judgement => ({ ...found, objection: `scripted model, ${where}: ${what}` })

  const refused = rules.objection(request)
  if (refused !== undefined) return object(`a provider would refuse it: ${refused}`)
  if (placed === undefined) {
    const last = newMessages(request.messages).at(-1)
    const came = last === undefined ? 'nothing new' : `"${printable(last.text, 200)}" (${last.role})`
    return object(`the script ends after ${conversation.steps.length} answers; what came is ${came}`)
  }
  const { step, path, user } = placed
  const other = user === undefined ? undefined : otherWords(user, request)
  if (other !== undefined) {
    return object(`${pathText(path)} expects that the person says "${printable(user ?? '', 200)}"; ${other}`)
  }
  const unmet = step.expect === undefined ? [] : unmetBy(step.expect, request)
  return unmet.length === 0 ? found : object(`${pathText(path)}: ${unmet.join('; ')}`)
}

const nobody: Conversation = { name: 'main', steps: [] }
