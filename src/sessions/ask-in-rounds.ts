// One request in as many rounds as the server wants: since 2026-07-28 it asks its client by a result that says what is
// missing, and the client asks again with that. INVARIANT: a request is sent again only because the server answered it
// with the wish for more.

import type { ProtocolError } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { asksForInput } from './call-result.ts'
import type { Connection } from './open-connection.ts'
import type { RpcError } from './session.ts'
import { ask, type Outcome, type Question, rpcOf } from './session-ask.ts'

/** `declined`: what the server asked for was answered with an error. */
export type RoundsOutcome = Outcome | { readonly kind: 'declined'; readonly asked: string; readonly rpc: RpcError }

export interface RoundsReplied {
  readonly outcome: RoundsOutcome
  readonly sent: boolean
}

const roundsMax = 10
/** Questions in one round. */
const questionsMax = 64
/** Before the next round, when the server only wants to be asked once more. */
const paceMs = 250

/** Never rejects. Without a peer the first answer stands, whatever it is. */
export async function askInRounds(connection: Connection, question: Question): Promise<RoundsReplied> {
  let more: JsonObject = {}
  for (let round = 0; ; round += 1) {
    const replied = await ask(connection, { ...question, params: { ...question.params, ...more } })
    const { outcome } = replied
    if (outcome.kind !== 'result' || !asksForInput(outcome.value) || !mayBeAsked(connection)) return replied
    if (round === roundsMax)
      return { sent: true, outcome: malformed(`it asks for more input after ${roundsMax} rounds`) }
    const told = await answersTo(outcome.value as JsonObject, connection, question.signal)
    if ('kind' in told) return { sent: true, outcome: told }
    more = told.more
  }
}

type Answers = { readonly more: JsonObject } | Exclude<RoundsOutcome, { readonly kind: 'result' }>

async function answersTo(
  { inputRequests, requestState }: JsonObject,
  { desk }: Connection,
  signal: AbortSignal,
): Promise<Answers> {
  const questions = isJsonObject(inputRequests) ? Object.entries(inputRequests) : []
  const state = typeof requestState === 'string' ? { requestState } : {}
  if (questions.length === 0 && requestState === undefined)
    return malformed('it asks for more input, and does not say for what')
  if (questions.length > questionsMax) return malformed(`it asks ${questions.length} questions at one time`)
  if (questions.length === 0) await pause(paceMs, signal)
  /** Ends the other questions when one is answered with an error. */
  const round = new AbortController()
  const either = AbortSignal.any([signal, round.signal])
  let declined: Extract<RoundsOutcome, { readonly kind: 'declined' }> | undefined
  const answers = questions.map(async ([key, wanted]) => {
    const { method, params } = isJsonObject(wanted) ? wanted : {}
    const asked = typeof method === 'string' ? method : ''
    try {
      return [key, await desk.ask(asked, isJsonObject(params) ? params : {}, either)] as const
    } catch (error) {
      declined ??= { kind: 'declined', asked, rpc: rpcOf(error as ProtocolError) }
      round.abort()
      return [key, {}] as const
    }
  })
  const inputResponses = Object.fromEntries(await Promise.all(answers))
  if (signal.aborted) return { kind: 'stopped' }
  return declined ?? { more: { ...state, ...(questions.length === 0 ? {} : { inputResponses }) } }
}

const malformed = (why: string) => ({ kind: 'malformed', why }) as const

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const aborted = () => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })

/** Before 2026-07-28 a server asks by requests of its own. */
const mayBeAsked = ({ client, hasPeer }: Connection): boolean => hasPeer && client.getProtocolEra() === 'modern'
