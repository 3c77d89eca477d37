// A service behind the wires, written for their tests: it says what a wire might lose, and remembers what came through.

import type { JsonObject } from '../../src/core/json.ts'
import {
  type ClientSession,
  type GatewayClient,
  type GatewayService,
  type RequestContext,
  WireError,
} from '../../src/gateway/service.ts'

export interface FakeService {
  readonly service: GatewayService
  /** Every client that came in, in order, with what it asked. */
  readonly clients: FakeClient[]
  /** Tools that were carried out. */
  readonly called: string[]
  readonly notified: { readonly method: string; readonly params: JsonObject }[]
  /** Resolves when the condition holds; looked at whenever something happens here. */
  readonly until: (condition: () => boolean) => Promise<void>
  state: 'starting' | 'ready' | 'ending'
}

export interface FakeClient {
  readonly client: GatewayClient
  readonly requests: { readonly method: string; readonly params: JsonObject }[]
  isClosed: boolean
  /** Requests of it that were called off. */
  cancelled: number
}

export const listedTool = {
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', 'x-kept': [1, 2] },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, 'x-own': 'kept' },
  icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
  _meta: { 'vendor/key': { deep: [null, true] } },
  'x-unknown': 'kept',
} as const

export const echoed = (text: string): JsonObject => ({
  'x-first': 1,
  content: [{ type: 'text', text, annotations: { audience: ['user'] }, _meta: { part: 1 } }],
  structuredContent: { text, list: [1, { two: 2 }] },
  isError: false,
  _meta: { 'vendor/result': 'kept' },
  'x-unknown': { kept: true },
})

export const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
} as const

export function fakeService(): OpenedFake {
  const clients: FakeClient[] = []
  const called: string[] = []
  const notified: FakeService['notified'] = []
  let waiting: (() => void)[] = []
  const changed = () => {
    const now = waiting
    waiting = []
    for (const look of now) look()
  }

  const call = async (own: FakeClient, params: JsonObject, context: RequestContext): Promise<JsonObject> => {
    const name = String(params.name)
    const args = (params.arguments ?? {}) as JsonObject
    if (name === 'bash') throw new WireError(-32602, 'denied: bash is not on this surface', { reason: 'denied' })
    called.push(name)
    changed()
    switch (name) {
      case 'echo':
      case 'read_file':
        return echoed(String(args.text ?? 'said'))
      case 'who': {
        const { thread, user, view } = own.client
        return { content: [], structuredContent: { thread: thread ?? null, user, view } }
      }
      case 'progress':
        for (const progress of [1, 2, 3]) context.progress({ progress, total: 3, message: `step ${progress}` })
        return echoed('done')
      case 'log':
        for (const level of ['debug', 'warning']) context.notify('notifications/message', { level, data: level })
        return echoed('logged')
      case 'ask':
        return {
          content: [],
          structuredContent: { answer: await context.ask(String(args.method), args.params as JsonObject) },
        }
      case 'ask-two': {
        const asked = { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } }
        const both = [context.ask('elicitation/create', asked), context.ask('roots/list', {})]
        return { content: [], structuredContent: { answers: await Promise.all(both) } }
      }
      case 'fail':
        throw new WireError(-32050, 'upstream says no', { why: ['kept', 1] })
      case 'not-found':
        throw new WireError(-32002, 'no such resource', { uri: 'x:y' })
      case 'boom':
        throw new Error('CANARY of the inside')
      case 'hang':
        return new Promise((_resolve, reject) => {
          context.signal.addEventListener('abort', () => {
            own.cancelled += 1
            changed()
            reject(new WireError(-32603, 'called off'))
          })
        })
      case 'gate':
        // Says something at once, and the rest when the test lets it.
        context.progress({ progress: 1 })
        await until(() => gates.has(String(args.gate)))
        context.progress({ progress: 2 })
        return echoed('through')
    }
    throw new WireError(-32602, `unknown-tool: ${name}`)
  }

  const open = async (client: GatewayClient): Promise<ClientSession> => {
    if (client.view === 'nowhere') throw new WireError(-32602, 'there is no view "nowhere"')
    const own: FakeClient = { client, requests: [], isClosed: false, cancelled: 0 }
    clients.push(own)
    changed()
    return {
      capabilities,
      serverInfo: { name: 'fake', version: '7', title: 'Fake' },
      instructions: 'Use echo.',
      request: async (method, params, context) => {
        own.requests.push({ method, params })
        changed()
        switch (method) {
          case 'tools/list':
            return { tools: [listedTool], nextCursor: 'more', _meta: { page: 1 }, 'x-unknown': 'kept' }
          case 'tools/call':
            return call(own, params, context)
          case 'resources/read':
            return { contents: [{ uri: String(params.uri), text: 'read' }] }
        }
        return {}
      },
      notified: (method, params) => {
        notified.push({ method, params })
        changed()
      },
      cacheHint: () => ({ ttlMs: 1234, scope: 'private' }),
      close: async () => {
        own.isClosed = true
        changed()
      },
    }
  }
  const gates = new Set<string>()
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (condition()) resolve()
        else waiting.push(look)
      }
      look()
    })
  const fake: OpenedFake = {
    clients,
    called,
    notified,
    until,
    state: 'ready',
    openGate: (gate) => {
      gates.add(gate)
      changed()
    },
    service: { open, health: () => ({ state: fake.state, servers: [{ name: 'files', state: 'ready' }] }) },
  }
  return fake
}

export type OpenedFake = FakeService & { readonly openGate: (gate: string) => void }
