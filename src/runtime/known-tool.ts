// The first question of a call: is there such a tool on the surface. Exact bytes only; everything else is refused,
// with the reason that `why` gives or the nearest name.

import type { Decision } from '../core/decision.ts'
import { deepFreeze, isJsonObject, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { nearest } from '../names/nearest.ts'
import { settlingStep, stepWords } from '../report/words.ts'
import { plainCopy } from '../sources/bounded-json.ts'
import { virtualText } from '../workspace/mapping/rewrite-result.ts'
import type { CallContext } from './middleware.ts'
import { refused } from './refusal.ts'
import type { Refusal, ToolCall, ToolRequest } from './tool-call.ts'

/** The call with its decision, or why there is none. A name that a gate took away is told apart from one that never was. */
export function knownTool(request: ToolRequest, context: CallContext): ToolCall | Refusal {
  const { surface } = context
  const name = typeof request.name === 'string' ? request.name : ''
  const decision = surface.find(name)
  if (decision?.candidate.standIn === true)
    return refused('tool-not-executable', `"${printable(name, 64)}" stands for tools that are not known yet`)
  if (decision !== undefined) {
    const args = argumentsOf(request.args)
    if (args === undefined)
      return refused(
        'arguments-invalid',
        `the arguments of "${printable(name, 64)}" are no JSON object of bounded size`,
      )
    return { ...request, args, decision }
  }
  const excluded = surface.named(name).find(({ outcome }) => outcome === 'excluded')
  const exposed = surface.named(name).find(({ outcome }) => outcome !== 'excluded')
  if (exposed === undefined && excluded !== undefined) return notOnSurface(name, excluded, context)
  return unknown(name, exposed, context)
}

/** Values in the arguments of one call; a model writes some hundred. */
const valuesMax = 1_000_000

/**
 * Absent arguments are none; models write that as null as well. A copy that nobody can change: what was judged is what
 * is carried out, also when a person thinks it over for an hour.
 */
function argumentsOf(args: unknown): JsonObject | undefined {
  if (args === undefined || args === null) return {}
  const copy = isJsonObject(args) ? plainCopy(args, valuesMax) : undefined
  return isJsonObject(copy) ? deepFreeze(copy) : undefined
}

function notOnSurface(name: string, decision: Decision, { gates, viewOf }: CallContext): Refusal {
  const step = settlingStep(decision)
  const words = step === undefined ? undefined : stepWords(step, decision, gates, 'en')
  // Why a server is not there may be told with paths of the host.
  const view = viewOf(decision.candidate)
  const seen = (text: string): string => (view === undefined ? text : virtualText(text, view))
  return {
    kind: 'refused',
    code: decision.code,
    message: seen(printable(`"${name.slice(0, 128)}" is not on this run: ${words?.say ?? decision.code}`, 600)),
    action: seen(words?.hint ?? `see \`toolgate why ${printable(name, 64)}\``),
  }
}

function unknown(name: string, meant: Decision | undefined, { surface }: CallContext): Refusal {
  const exposed = surface.decisions.filter(({ outcome }) => outcome !== 'excluded').map((one) => one.name)
  const [near] = meant === undefined ? nearest(name, exposed) : [meant.name]
  return refused('unknown-tool', `there is no tool "${printable(name, 64)}"`, {
    action: near === undefined ? 'see `toolgate tools`' : `did you mean "${near}"`,
  })
}
