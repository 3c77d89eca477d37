// A conversation as the command line carries it on: a turn, what it waits for answered where somebody can, the next
// turn. It ends where the model has answered, something went wrong, or nobody is there to answer.

import type { AgentEvent, TurnEnd } from '../../agent/agent-event.ts'
import type { Agent } from '../../agent/open-agent.ts'
import type { ApprovalBoard } from '../../runtime/approvals/approval-board.ts'
import type { WaitingFor } from '../../state/thread-state.ts'
import type { EventView } from './event-view.ts'
import type { Approval, RunPerson } from './run-person.ts'

export interface Talk {
  readonly agent: Agent
  readonly user: string
  readonly board: ApprovalBoard
  readonly view: EventView
  readonly signal: AbortSignal
  /** Every call that asks is approved, once. */
  readonly approvesAll: boolean
  /** Absent: nobody is there. */
  readonly person?: RunPerson
}

/** Absent words: the turn before goes on. */
export interface Move {
  readonly words?: string
}

/** Rounds without new words of anybody: a model that asks again and again is not approved for ever. */
const roundsMax = 100

/** Plays a move and all that follows from it. Rejects with a ToolgateError when what is stored cannot be had. */
export async function converse(talk: Talk, first: Move): Promise<TurnEnd> {
  let move: Move | undefined = first
  let end: TurnEnd = 'answered'
  for (let round = 0; move !== undefined && round < roundsMax; round += 1) {
    end = await played(talk, move)
    if (end !== 'waiting' || talk.signal.aborted) return end
    move = await nextMove(talk)
  }
  return end
}

async function played({ agent, view, signal }: Talk, { words }: Move): Promise<TurnEnd> {
  let end: TurnEnd = 'failed'
  const events: AsyncIterable<AgentEvent> = words === undefined ? agent.resume(signal) : agent.turn(words, signal)
  for await (const event of events) {
    view.show(event)
    if (event.type === 'end') end = event.because
  }
  view.settle()
  return end
}

/** Undefined: nobody answers now. Approvals come first, for the turn is not over before. */
async function nextMove(talk: Talk): Promise<Move | undefined> {
  const waits = await talk.agent.waiting()
  const approvals = waits.filter((wait) => wait.kind === 'approval')
  if (approvals.length > 0) return (await allAnswered(talk, approvals)) ? {} : undefined
  const question = waits.find((wait) => wait.kind === 'clarification')
  if (question === undefined || talk.person === undefined) return undefined
  const words = await talk.person.answer(question.question)
  return words === undefined ? undefined : { words }
}

type ApprovalWait = Extract<WaitingFor, { readonly kind: 'approval' }>

async function allAnswered({ board, user, approvesAll, person }: Talk, waits: readonly ApprovalWait[]) {
  for (const { approvalId, tool } of waits) {
    const answer: Approval | undefined = approvesAll ? 'once' : await person?.approve(tool)
    if (answer === undefined) return false
    await board.answer(user, approvalId, answer)
  }
  return true
}
