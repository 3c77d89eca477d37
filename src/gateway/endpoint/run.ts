// One request of 2026-07-28 while it is carried out. The revision knows no requests of a server: a question to the client
// ends the exchange with `input_required`, the run goes on in memory, and the client's next request takes it up again.
//
//   exchange 1 ─▶ step ─▶ asks ─▶ input_required + requestState      (parked)
//   exchange 2 ─▶ answer ─▶ step ─▶ result

import type { JsonObject } from '../../core/json.ts'
import { isJsonObject } from '../../core/json.ts'
import { type ClientSession, WireError } from '../service.ts'
import { askingMethods, capabilityToAsk, logLevels } from './methods.ts'

/** Where what belongs to the request goes at this moment. */
export interface Sink {
  readonly notify: (method: string, params: JsonObject) => void
  readonly progressToken: unknown
}

export type Step =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** Questions by key. */
  | { readonly kind: 'asks'; readonly asks: JsonObject }

export interface Run {
  readonly session: ClientSession
  /** What comes next. Rejects with what the request rejects with. One step at a time. */
  readonly step: (sink: Sink) => Promise<Step>
  /** Answers of the client by key; a question without an answer is asked again. */
  readonly answer: (responses: JsonObject) => void
  readonly abort: (reason: string) => void
  /** Resolves when nothing of it is running. */
  readonly ended: Promise<void>
}

export interface RunSpec {
  readonly session: ClientSession
  readonly method: string
  readonly params: JsonObject
  /** Capabilities of the client, as this request tells them. */
  readonly capabilities: JsonObject
  readonly logLevel: string | undefined
}

/** Questions of one run that wait at the same time. */
const asksMax = 32

interface Ask {
  readonly method: string
  readonly params: JsonObject
  readonly resolve: (answer: JsonObject) => void
  readonly reject: (error: WireError) => void
}

export function startRun(spec: RunSpec): Run {
  const controller = new AbortController()
  const asks = new Map<string, Ask>()
  let sink: Sink | undefined
  let outcome: { readonly result: JsonObject } | { readonly error: unknown } | undefined
  let wake = () => {}
  let asked = 0

  const ask = (method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject> => {
    const fault = askFault(spec, method)
    if (fault !== undefined) return Promise.reject(fault)
    if (asks.size >= asksMax) return Promise.reject(new WireError(-32603, 'too many questions wait for the client'))
    if (controller.signal.aborted || signal?.aborted === true) return Promise.reject(calledOff())
    return new Promise((resolve, reject) => {
      asked += 1
      const key = `ask-${asked}`
      const drop = () => {
        asks.delete(key)
        reject(calledOff())
      }
      const settle = () => signal?.removeEventListener('abort', drop)
      signal?.addEventListener('abort', drop, { once: true })
      asks.set(key, {
        method,
        params,
        resolve: (answer) => {
          settle()
          resolve(answer)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
      // What is asked in the same breath goes out together.
      setImmediate(() => wake())
    })
  }

  const notify = (method: string, params: JsonObject) => {
    if (outcome !== undefined || sink === undefined) return
    if (method === 'notifications/message' && !loudEnough(params.level, spec.logLevel)) return
    sink.notify(method, params)
  }
  const ended = (async () => {
    // The first step is asked for in the same breath; what the service says at once has somewhere to go then.
    await undefined
    try {
      const result = await spec.session.request(spec.method, spec.params, {
        signal: controller.signal,
        progress: (params) => {
          if (outcome !== undefined || sink?.progressToken === undefined) return
          sink.notify('notifications/progress', { ...params, progressToken: sink.progressToken as string })
        },
        notify,
        ask,
        ...(spec.logLevel === undefined ? {} : { logLevel: spec.logLevel }),
      })
      outcome = { result }
    } catch (error) {
      outcome = { error }
    }
    wake()
    for (const one of asks.values()) one.reject(calledOff())
  })()

  return {
    session: spec.session,
    step: async (to) => {
      sink = to
      while (outcome === undefined && asks.size === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      sink = undefined
      if (outcome === undefined)
        return {
          kind: 'asks',
          asks: Object.fromEntries([...asks].map(([key, { method, params }]) => [key, { method, params }])),
        }
      if ('error' in outcome) throw outcome.error
      return { kind: 'result', result: outcome.result }
    },
    answer: (responses) => {
      for (const [key, one] of asks) {
        const given = Object.hasOwn(responses, key) ? responses[key] : undefined
        if (!isJsonObject(given)) continue
        asks.delete(key)
        one.resolve(given)
      }
    },
    abort: (reason) => {
      controller.abort(new Error(reason))
      for (const [key, one] of asks) {
        asks.delete(key)
        one.reject(calledOff())
      }
    },
    ended,
  }
}

const calledOff = () => new WireError(-32603, 'the request was called off while the client was asked')

function askFault({ capabilities, method: of }: RunSpec, method: string): WireError | undefined {
  if (!askingMethods.has(of)) return new WireError(-32601, 'a client cannot be asked as a part of this request')
  return capabilityFault(capabilities, method)
}

/** Why a client cannot be asked this. */
export function capabilityFault(capabilities: JsonObject, method: string): WireError | undefined {
  const needed = capabilityToAsk.get(method)
  if (needed === undefined) return new WireError(-32601, 'a client cannot be asked this')
  return isJsonObject(capabilities[needed]) ? undefined : new WireError(-32601, `the client does not offer ${needed}`)
}

/** True for a message of at least the level; without a level nothing is. A level that is not known is no reason to be quiet. */
function loudEnough(level: unknown, least: string | undefined): boolean {
  if (least === undefined) return false
  const levels: readonly unknown[] = logLevels
  const at = levels.indexOf(level)
  return at < 0 || at >= levels.indexOf(least)
}
