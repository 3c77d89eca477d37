// Which step of a script answers a request. It follows from the request alone, so nothing is remembered.

import { printable } from '../../core/printable.ts'
import { type ModelRequest, newMessages } from './recorded-request.ts'
import { mainConversation, type Script, type ScriptChildCondition, type ScriptStep, type ScriptTurn } from './script.ts'
import type { ScriptPath } from './script-shape.ts'

export interface Conversation {
  /** `main`, or the name of a child. */
  readonly name: string
  readonly when?: ScriptChildCondition
  /** Of all turns, in order: the step at 3 answers the request that holds three messages of the model. */
  readonly steps: readonly PlacedStep[]
}

export interface PlacedStep {
  readonly step: ScriptStep
  /** From the root of the script, as `children`, 0, `turns`, 1, `steps`, 0. */
  readonly path: ScriptPath
  /** What the person is expected to say; only where a turn begins. */
  readonly user?: string
}

/** The children in their order, then the main conversation. */
export function conversationsOf(script: Script): readonly Conversation[] {
  const children = (script.children ?? []).map(({ name, when, turns }, index) => ({
    name,
    when,
    steps: stepsOf(turns, ['children', index]),
  }))
  return [...children, { name: mainConversation, steps: stepsOf(script.turns, []) }]
}

const stepsOf = (turns: readonly ScriptTurn[], before: ScriptPath): readonly PlacedStep[] =>
  turns.flatMap(({ user, steps }, turn) =>
    steps.map((step, index) => ({
      step,
      path: [...before, 'turns', turn, 'steps', index],
      ...(index === 0 && user !== undefined ? { user } : {}),
    })),
  )

/** The first conversation whose condition holds; without one, it always does. */
export const conversationOf = (
  conversations: readonly Conversation[],
  request: ModelRequest,
  tag: string | undefined,
): Conversation | undefined =>
  conversations.find(({ when }) => {
    if (when === undefined) return true
    const task = request.messages.find(({ role }) => role === 'user')?.text ?? ''
    return (
      (when.system === undefined || request.system.includes(when.system)) &&
      (when.user === undefined || task.includes(when.user)) &&
      (when.model === undefined || request.model === when.model) &&
      (when.tag === undefined || tag === when.tag)
    )
  })

export const positionOf = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length

/** Whether the person said what the script has, and what was said if not. */
export function otherWords(user: string, request: ModelRequest): string | undefined {
  const news = newMessages(request.messages).map(({ text }) => text)
  const said = folded(news.join('\n'))
  const missing = (folded(user).match(words) ?? []).filter((word) => !said.includes(word))
  if (missing.length === 0) return undefined
  const last = news.at(-1)
  return last === undefined ? 'nothing new came' : `what came is "${printable(last, 200)}"`
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
const words = /[\p{L}\p{N}]+/gu
