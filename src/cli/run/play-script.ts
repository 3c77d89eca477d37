// A script that says both sides: its own lines of the person are said turn by turn.

import type { TurnEnd } from '../../agent/agent-event.ts'
import { converse, type Talk } from './converse.ts'
import type { ScriptModel } from './script-model.ts'

/** Said where a turn of the script lets the person say anything. */
const anyWords = 'Go on.'

/** Plays the turns from the one at `from` on, and gives how the last one ended. Rejects as `converse` does. */
export async function playScript(talk: Talk, { script }: ScriptModel, from: number): Promise<TurnEnd> {
  let end: TurnEnd = 'answered'
  // Questions are answered by the script; calls are approved as everywhere.
  const { person, ...others } = talk
  const alone: Talk = person === undefined ? talk : { ...others, person: { ...person, answer: async () => undefined } }
  for (const { user = anyWords } of script.turns.slice(from)) {
    talk.view.asked(user)
    end = await converse(alone, { words: user })
    const goesOn = end === 'answered' || (end === 'waiting' && !(await waitsForApproval(talk)))
    if (!goesOn || talk.signal.aborted) break
  }
  return end
}

const waitsForApproval = async ({ agent }: Talk): Promise<boolean> =>
  (await agent.waiting()).some(({ kind }) => kind === 'approval')

/** Whether all went as it is written. `whole`: the script was played from its beginning to its last turn. */
export function scriptReport(
  { player }: ScriptModel,
  whole: boolean,
): { readonly good: boolean; readonly line?: string } {
  const faults = player.faults()
  if (faults.length > 0) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    return { good: false, line: `It did not go as it is written: ${faults[0]}${more}` }
  }
  if (!whole) return { good: true }
  const left = player.unplayed()
  if (left.length === 0) return { good: true, line: 'All of the script was played.' }
  const shown = left.slice(0, 5).join(', ')
  return { good: false, line: `Not all of the script was played: ${shown}${left.length > 5 ? ', …' : ''}` }
}
