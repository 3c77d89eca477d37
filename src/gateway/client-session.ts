// One client of the gateway: its view of the toolbox, its thread, and what changes for it while it is there.

import { randomUUID } from 'node:crypto'
import { viewedRun } from '../assembly/derived-run.ts'
import type { GatewayView } from '../config/config.ts'
import type { JsonObject } from '../core/json.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../runtime/middleware.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { approvalForm, approvalOf } from './approval-form.ts'
import type { ClientDesk } from './client-desk.ts'
import { introduction } from './introduction.ts'
import { methods } from './methods/order.ts'
import { type Scope, usableServers } from './scope.ts'
import { type ClientSession, type GatewayClient, WireError } from './service.ts'
import { viewPolicy } from './view-policy.ts'

export interface ClientSessionInput {
  readonly toolbox: Toolbox
  readonly desk: ClientDesk
  readonly client: GatewayClient
  readonly config: GatewayView
  readonly serverInfo: JsonObject
}

/** How long a list of 2026-07-28 may be kept; a change is told before. */
const listTtlMs = 60_000

export async function openClientSession(input: ClientSessionInput): Promise<ClientSession> {
  const { toolbox, desk, client, config, serverInfo } = input
  const policy = viewPolicy(config, client.info)
  const view = toolbox.derived((run) => viewedRun(run, policy))
  const owner: ThreadOwner = { user: config.user ?? client.user, thread: client.thread ?? randomUUID() }
  const requests: Scope['requests'] = new Map()
  const canAnswer = client.capabilities.elicitation !== undefined
  const calls = await view.callsOf(owner, {
    asksLater: true,
    // A client knows what its model can see, and has a budget of its own.
    asSent: true,
    ...(canAnswer ? { approve: (request) => approved(request, requests) } : {}),
  })
  const isOwn = client.thread === undefined
  const place = desk.sit(owner, client, (server, method, params) => {
    // What belongs to a request that runs is told with it: a client may listen to nothing else.
    const context = desk.requestOf(server, owner)
    if (method === 'notifications/message' && context !== undefined) context.notify(method, params)
    else client.notify(method, params)
  })
  const scope: Scope = {
    client,
    owner,
    view,
    calls,
    toolbox,
    isFitted: policy.target !== undefined,
    requests,
    servers: () => usableServers(view),
    during: place.during,
    level: undefined,
    levelled: new WeakSet(),
  }
  const names = async (): Promise<string> => {
    const { tools } = await calls.visible()
    const listed = tools.filter(({ outcome }) => outcome === 'eager' || client.era === 'legacy')
    return JSON.stringify(listed.map(({ name, candidate }) => [name, candidate.definitionHash]))
  }
  let shown = await names()
  const compare = async (): Promise<void> => {
    const now = await names()
    if (now === shown) return
    shown = now
    client.notify('notifications/tools/list_changed', {})
  }
  const unfollow = toolbox.onGeneration(() => void compare().catch(() => {}))
  const said = introduction(view.current(), await scope.servers())
  return {
    ...said,
    serverInfo,
    request: async (method, params, context) => {
      const served = methods.get(method)
      if (served === undefined) throw new WireError(-32601, `there is no method ${method}`)
      const result = await served.serve(params, context, scope)
      // What a call has loaded is in the list when the client hears of the result.
      if (method === 'tools/call' && client.era === 'legacy') await compare().catch(() => {})
      return result
    },
    notified: (method, params) => void tellServers(scope, method, params).catch(() => {}),
    cacheHint: () => ({ ttlMs: listTtlMs, scope: 'private' }),
    close: async () => {
      unfollow()
      place.leave()
      // A thread of a client's own ends with it; one that it has named may be somebody else's as well.
      if (isOwn) await toolbox.endThread(owner)
    },
  }
}

async function approved(request: ApprovalRequest, requests: Scope['requests']): Promise<ApprovalAnswer> {
  const context = requests.get(request.call.callId ?? '')
  if (context === undefined) return 'later'
  return approvalOf(await context.ask('elicitation/create', approvalForm(request), context.signal))
}

/** `roots/list_changed` concerns every server of the thread; none is started for it. */
async function tellServers({ toolbox, owner, servers }: Scope, method: string, params: JsonObject): Promise<void> {
  if (method !== 'notifications/roots/list_changed') return
  const open = new Set(
    toolbox
      .sessions()
      .filter((state) => state.owner.user === owner.user && state.owner.thread === owner.thread)
      .map(({ server }) => server),
  )
  for (const server of await servers())
    if (open.has(server.name))
      await toolbox.withSession({ server, owner }, (session) => session.notify(method, params)).catch(() => {})
}
