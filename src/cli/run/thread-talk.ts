// A run on one thread, from the first move to what is told at its end.

import type { TurnEnd } from '../../agent/agent-event.ts'
import { finding, ToolgateError } from '../../errors.ts'
import type { Toolbox } from '../../runtime/toolbox.ts'
import type { StateStore } from '../../state/state-store.ts'
import type { WaitingFor } from '../../state/thread-state.ts'
import { usage } from '../flags.ts'
import { converse, type Talk } from './converse.ts'
import { playScript } from './play-script.ts'
import type { RunRequest } from './run-request.ts'
import type { ScriptModel } from './script-model.ts'

export interface ThreadTalk {
  readonly talk: Talk
  readonly request: RunRequest
  readonly toolbox: Toolbox
  readonly state: StateStore
  /** Absent: a model of the configuration. */
  readonly script?: ScriptModel
}

export interface Ended {
  readonly because: TurnEnd
  /** What the thread waits for now. `[]`: nothing. */
  readonly waits: readonly WaitingFor[]
  /** The script was played from its first turn to its last. */
  readonly isWhole: boolean
}

/** Does what was asked for. Rejects with a ToolgateError where the thread has nothing to go on with. */
export async function carriedOn(thread: ThreadTalk): Promise<Ended> {
  const { talk, request } = thread
  const { words, resumes } = request
  let because = resumes ? await resumed(thread) : undefined
  if (words !== undefined && (because === undefined || because === 'answered' || because === 'waiting'))
    because = await converse(talk, { words })
  if (because !== undefined) return { because, waits: await waitsOf(talk, because), isWhole: false }
  return played(thread)
}

const waitsOf = async ({ agent }: Talk, because: TurnEnd): Promise<readonly WaitingFor[]> =>
  because === 'waiting' ? agent.waiting() : []

/** Goes on with a turn that waits or was broken off, after its calls were answered where an answer is given. */
async function resumed({ talk, request: { owner, approve }, toolbox, state }: ThreadTalk): Promise<TurnEnd> {
  if ((await state.threads.read({ ...owner, agent: agentNameOf(toolbox) })) === undefined)
    throw unknownThread(owner.thread, `the agent "${agentNameOf(toolbox)}"`)
  if (approve !== undefined) {
    const pending = await talk.board.pending(owner)
    for (const { id } of pending) await talk.board.answer(owner.user, id, approve)
    const isAsked = pending.length > 0 || (await talk.agent.waiting()).some(({ kind }) => kind === 'approval')
    if (!isAsked)
      throw usage(
        `nothing waits for approval in the thread "${owner.thread}"`,
        '--approve',
        `see \`toolgate threads ${owner.thread}\``,
      )
  }
  return converse(talk, {})
}

/** The script's own lines, from where the thread stands. */
async function played({ talk, request: { owner }, toolbox, state, script }: ThreadTalk): Promise<Ended> {
  if (script === undefined) throw new TypeError('without words there is a script')
  const from = (await state.threads.read({ ...owner, agent: agentNameOf(toolbox) }))?.turns ?? 0
  if (from >= script.script.turns.length)
    throw usage(`the thread "${owner.thread}" has all turns of the script`, '--thread', 'leave out --thread')
  const because = await playScript(talk, script, from)
  const waits = await waitsOf(talk, because)
  const isOver = because === 'answered' || (because === 'waiting' && !waits.some(({ kind }) => kind === 'approval'))
  return { because, waits, isWhole: from === 0 && isOver }
}

const agentNameOf = (toolbox: Toolbox): string => toolbox.current().run.surface.facts.agent.name

function unknownThread(thread: string, whose: string): ToolgateError {
  return new ToolgateError(
    finding('unknown-name', 'error', `there is no thread "${thread}" of ${whose}`, {
      subject: thread,
      hint: 'see `toolgate threads`',
      origin: { in: 'command line', key: '--thread' },
    }),
  )
}
