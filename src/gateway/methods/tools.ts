// Tools of the surface. What is listed can be called, and what is called goes through the middlewares as every call does.

import { randomUUID } from 'node:crypto'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { CallOutcome, Failure, Refusal } from '../../runtime/tool-call.ts'
import { callTool, callToolName, listedTool } from '../listed-tool.ts'
import type { Scope } from '../scope.ts'
import { WireError } from '../service.ts'
import type { Method } from './method.ts'

export const listTools: Method = {
  method: 'tools/list',
  serve: async (_params, _context, scope) => ({ tools: [...(await shown(scope))] }),
}

/** In 2026-07-28 a list is the same for whoever may have it, so what a thread has loaded is called by `call_tool`. */
async function shown({ calls, client, view, isFitted }: Scope): Promise<readonly JsonObject[]> {
  const { tools } = await calls.visible()
  const fixed = client.era === 'modern'
  const { extras, surface } = view.current().run
  const listed = tools
    .filter(({ outcome }) => outcome === 'eager' || !fixed)
    .map((tool) => listedTool(tool, { isFitted, extras: extras.get(tool.candidate.id) }))
  return surface.totals.deferred > 0 ? [...listed, callTool] : listed
}

export const callTools: Method = {
  method: 'tools/call',
  serve: async (params, context, scope) => {
    const { name, args } = asked(params, scope)
    const callId = randomUUID()
    scope.requests.set(callId, context)
    const server = serverOf(scope.view.current().run.surface.find(name))
    const made = () =>
      scope.calls.call({
        name,
        args,
        signal: context.signal,
        onProgress: (sign) => context.progress({ ...sign } as JsonObject),
        callId,
        ...(isJsonObject(params._meta) ? { meta: params._meta } : {}),
      })
    try {
      const outcome = await (server === undefined ? made() : scope.during(server, context, made))
      return resultOf(outcome)
    } finally {
      scope.requests.delete(callId)
    }
  },
}

const serverOf = (decision: Decision | undefined): string | undefined => decision?.candidate.server

/** `call_tool` is ours where the surface has no tool of that name. */
function asked(params: JsonObject, { view }: Scope): { readonly name: string; readonly args: unknown } {
  const { name, arguments: args } = params
  if (typeof name !== 'string') throw nameless('tools/call')
  const isOurs = name === callToolName && view.current().run.surface.find(name) === undefined
  if (!isOurs) return { name, args }
  const inner: JsonObject = isJsonObject(args) ? args : {}
  if (typeof inner.name !== 'string') throw nameless(callToolName)
  return { name: inner.name, args: inner.arguments }
}

const nameless = (what: string): WireError =>
  new WireError(-32602, `${what} needs the name of a tool`, { code: 'invalid-name' })

function resultOf(outcome: CallOutcome): JsonObject {
  if (outcome.kind !== 'result') return refusedResult(outcome)
  const { content, structuredContent, isError, meta } = outcome
  return {
    content: [...content],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
    ...(meta === undefined ? {} : { _meta: meta }),
  }
}

/** A server's own error stays one; what we refuse is told to the model, with the code that `why` gives and the next step. */
function refusedResult(outcome: Refusal | Failure): JsonObject {
  const { code, message, action } = outcome
  if (outcome.kind === 'failed' && outcome.rpc !== undefined)
    throw new WireError(outcome.rpc.code, outcome.rpc.message, outcome.rpc.data)
  if (code === 'unknown-tool') throw new WireError(-32602, `${message}; ${action}`, { code, action })
  return {
    content: [{ type: 'text', text: `${code}: ${message}. ${action}` }],
    isError: true,
    _meta: { 'toolgate/refusal': { code, action } },
  }
}
