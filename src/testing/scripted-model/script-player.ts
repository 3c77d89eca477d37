// A script while it is played: which step answers a request, what was not as it is written, what nobody asked for so
// far. The same over a wire and inside of a process.

import { answerOf } from './answer-of.ts'
import { conversationsOf } from './conversation.ts'
import { judge, type ProviderRules } from './judge.ts'
import { pathText, scriptFrom } from './read-script.ts'
import type { ModelRequest } from './recorded-request.ts'
import type { Script, ScriptFailure, ScriptStep } from './script.ts'
import type { ModelAnswer } from './wires/wire.ts'

export interface ScriptPlayer {
  /** Which step answers, and how. What the script does not have stands among the faults from then on. */
  readonly answer: (request: ModelRequest, rules: ProviderRules, tag?: string) => PlayedRequest
  /** Notes what went wrong before there was a request. */
  readonly fault: (what: string) => void
  /** What the script did not have, and expectations that did not hold, in order. Empty: all went as it is written. */
  readonly faults: () => readonly string[]
  /** Steps that nobody asked for so far, as `turns[0].steps[2]`. */
  readonly unplayed: () => readonly string[]
}

export type PlayedRequest = PlayedStep | UnansweredRequest

interface RequestPlace {
  /** `main`, or the name of a child. */
  readonly conversation: string
  readonly position: number
}

export interface PlayedStep extends RequestPlace {
  /** As `turns[0].steps[2]`. */
  readonly place: string
  readonly step: ScriptStep
  readonly answer: ModelAnswer
  /** Absent: this time the step answers. */
  readonly failure?: ScriptFailure
}

export interface UnansweredRequest extends RequestPlace {
  /** Absent: the script has no step for it. */
  readonly place?: string
  /** One sentence: which step, what was expected, what came. */
  readonly objection: string
}

/** Throws a ToolgateError `script-invalid`. */
export function scriptPlayer(script: Script): ScriptPlayer {
  const conversations = conversationsOf(scriptFrom(script))
  const faults: string[] = []
  const failed = new Map<string, number>()
  const played = new Set<string>()

  /** The failure of a step, unless it failed as often as it should. */
  const dueFailure = (place: string, failure: ScriptFailure | undefined): ScriptFailure | undefined => {
    if (failure?.times === undefined) return failure
    const before = failed.get(place) ?? 0
    failed.set(place, before + 1)
    return before < failure.times ? failure : undefined
  }

  return {
    answer: (request, rules, tag) => {
      const { conversation, position, placed, objection } = judge(rules, conversations, request, tag)
      const at = { conversation: conversation.name, position }
      const place = placed === undefined ? undefined : pathText(placed.path)
      if (placed === undefined || place === undefined || objection !== undefined) {
        const why = objection ?? 'there is no such step'
        faults.push(why)
        return { ...at, ...(place === undefined ? {} : { place }), objection: why }
      }
      played.add(place)
      const { step } = placed
      const failure = dueFailure(place, step.fail)
      const answer = answerOf(conversation, placed, position, request)
      return { ...at, place, step, answer, ...(failure === undefined ? {} : { failure }) }
    },
    fault: (what) => void faults.push(what),
    faults: () => [...faults],
    unplayed: () =>
      conversations.flatMap(({ steps }) => steps.map(({ path }) => pathText(path)).filter((step) => !played.has(step))),
  }
}
