// What an agent is answered when it asks for permission. INVARIANT: a person says yes to this one call; a permission
// for good is given by nobody but the operator, with `permissions: allow`.

import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { AcpAgentConfig } from '../config/config.ts'
import { printable } from '../core/printable.ts'

/** A question to a person. Titles and names are the agent's words, printable and short. */
export interface AcpQuestion {
  readonly agent: string
  readonly title: string
  /** Of the protocol, such as `edit` or `execute`. */
  readonly kind: string
  readonly options: readonly { readonly name: string; readonly kind: string }[]
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Asks a person whether an agent may do what it asks for, this once. */
export type AskAcp = (question: AcpQuestion) => Promise<boolean>

export interface PermissionOptions {
  readonly agent: AcpAgentConfig
  /** Absent: nobody is there. */
  readonly ask?: AskAcp
  /** Aborted when the turn is over or called off: then every question is answered with `cancelled`. */
  readonly signal: AbortSignal
  readonly titleOf: (toolCallId: string) => string | undefined
  readonly deny: (title: string) => void
}

const optionsShown = 16

/** The answer to a request for permission. Never rejects. */
export async function permissionAnswer(
  { toolCall, options }: RequestPermissionRequest,
  { agent, ask, signal, titleOf, deny }: PermissionOptions,
): Promise<RequestPermissionResponse> {
  const given = toolCall.title?.trim()
  const title =
    given === undefined || given === ''
      ? (titleOf(toolCall.toolCallId) ?? 'a tool without a title')
      : printable(given, 200)
  const question: AcpQuestion = {
    agent: agent.name,
    title,
    kind: printable(toolCall.kind ?? 'other', 40),
    options: options.slice(0, optionsShown).map(({ name, kind }) => ({ name: printable(name, 100), kind })),
    signal,
  }
  const asked = agent.permissions === 'ask'
  const agreed = asked ? await answered(question, ask) : agent.permissions === 'allow'
  if (agreed === 'cancelled' || signal.aborted) return { outcome: { outcome: 'cancelled' } }
  const wanted = agreed ? (asked ? onceOnly : allowing) : rejecting
  const chosen = firstOf(options, wanted) ?? (agreed ? firstOf(options, rejecting) : undefined)
  if (!agreed || chosen === undefined || !wanted.includes(chosen.kind)) deny(title)
  return {
    outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
  }
}

type Kinds = readonly PermissionOption['kind'][]
const onceOnly: Kinds = ['allow_once']
const allowing: Kinds = ['allow_once', 'allow_always']
const rejecting: Kinds = ['reject_once', 'reject_always']

const firstOf = (options: readonly PermissionOption[], kinds: Kinds): PermissionOption | undefined =>
  kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0]

/** What the person says; a question that fails is no yes. */
async function answered(question: AcpQuestion, ask: AskAcp | undefined): Promise<boolean | 'cancelled'> {
  const { signal } = question
  if (ask === undefined) return false
  if (signal.aborted) return 'cancelled'
  let callOff = () => {}
  const calledOff = new Promise<'cancelled'>((resolve) => {
    callOff = () => resolve('cancelled')
    signal.addEventListener('abort', callOff, { once: true })
  })
  try {
    return await Promise.race([ask(question).then((said) => said === true), calledOff])
  } catch {
    return false
  } finally {
    signal.removeEventListener('abort', callOff)
  }
}
