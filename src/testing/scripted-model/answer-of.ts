// From a step of the script to what the model answers.

import type { JsonObject } from '../../core/json.ts'
import type { Conversation, PlacedStep } from './conversation.ts'
import type { ModelRequest } from './recorded-request.ts'
import type { ScriptCall } from './script.ts'
import type { ModelAnswer } from './wires/wire.ts'

/** The same place and the same request give the same answer, ids included. */
export function answerOf(
  { name }: Pick<Conversation, 'name'>,
  { step }: PlacedStep,
  position: number,
  request: ModelRequest,
): ModelAnswer {
  const say = step.say ?? ''
  const calls = (step.call ?? []).map((call, index) => ({
    id: callId(name, position, index, call),
    tool: call.tool,
    args: argsText(call),
  }))
  const given = say.length + calls.reduce((sum, { tool, args }) => sum + tool.length + args.length, 0)
  return {
    id: `script_${name}_${position}`,
    say,
    calls,
    usage: step.usage ?? { input: tokens(requestChars(request)), output: tokens(given) },
  }
}

/** Of letters, digits, `_` and `-`, at most 40: what every provider gives and takes. */
export const callId = (conversation: string, position: number, index: number, { as }: ScriptCall): string =>
  as ?? `call_${conversation}_${position}_${index}`

const argsText = ({ args = {}, raw_args: raw }: ScriptCall): string => raw ?? JSON.stringify(args satisfies JsonObject)

const tokens = (chars: number): number => Math.ceil(chars / 4)

const requestChars = ({ system, messages, toolsText = '' }: ModelRequest): number =>
  messages.reduce((sum, { text }) => sum + text.length, system.length + toolsText.length)
