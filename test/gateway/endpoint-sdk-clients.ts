// The clients that people use, over the wire: SDK 1, and SDK 2 as it speaks each revision.

import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../../src/core/json.ts'

export const kindsOfClient = ['sdk 1', 'sdk 2 legacy', 'sdk 2 auto', 'sdk 2 pinned'] as const
export type KindOfClient = (typeof kindsOfClient)[number]

export interface AskedOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void
}

export interface SdkClient {
  readonly ask: (method: string, params: JsonObject, options?: AskedOptions) => Promise<JsonObject>
  /** Notifications of the server, in order. */
  readonly heard: { readonly method: string; readonly params: JsonObject }[]
  readonly sdk2: Client2 | undefined
  readonly close: () => Promise<void>
}

type Transport2 = Parameters<Client2['connect']>[0]
type Transport1 = Parameters<Client1['connect']>[0]

/** What every client answers when it is asked. */
export const answers = {
  'elicitation/create': { action: 'accept', content: { choice: 'blue' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'none' },
  'roots/list': { roots: [{ uri: 'file:///mine', name: 'mine' }] },
} as const

const info = { name: 'a client', version: '1' }
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } }

export function httpClient(
  kind: KindOfClient,
  url: string,
  headers: { readonly [name: string]: string } = {},
): Promise<SdkClient> {
  const requestInit = { headers: { ...headers } }
  return kind === 'sdk 1'
    ? oldClient(new Http1(new URL(url), { requestInit }) as Transport1)
    : newClient(kind, new Http2(new URL(url), { requestInit }))
}

const asItIs = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: value as JsonObject }) },
} as const

export async function newClient(kind: Exclude<KindOfClient, 'sdk 1'>, transport: Transport2): Promise<SdkClient> {
  const mode = kind === 'sdk 2 legacy' ? 'legacy' : kind === 'sdk 2 auto' ? 'auto' : ({ pin: '2026-07-28' } as const)
  const client = new Client2(info, { capabilities, versionNegotiation: { mode } })
  const heard: SdkClient['heard'] = []
  for (const [method, answer] of Object.entries(answers))
    client.setRequestHandler(method as 'roots/list', async () => answer as never)
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push({ method, params: (params ?? {}) as JsonObject })
  }
  await client.connect(transport)
  return {
    ask: (method, params, options = {}) =>
      client.request(
        { method, params: params as { [key: string]: unknown } },
        asItIs,
        options as object,
      ) as Promise<JsonObject>,
    heard,
    sdk2: client,
    close: () => client.close(),
  }
}

export async function oldClient(transport: Transport1): Promise<SdkClient> {
  const client = new Client1(info, { capabilities })
  const heard: SdkClient['heard'] = []
  client.setRequestHandler(ElicitRequestSchema, async () => answers['elicitation/create'] as never)
  client.setRequestHandler(CreateMessageRequestSchema, async () => answers['sampling/createMessage'] as never)
  client.setRequestHandler(ListRootsRequestSchema, async () => answers['roots/list'] as never)
  client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push({ method, params: (params ?? {}) as JsonObject })
  }
  await client.connect(transport)
  return {
    ask: async (method, params, options = {}) =>
      (await client.request({ method, params } as never, ResultSchema, options as object)) as JsonObject,
    heard,
    sdk2: undefined,
    close: () => client.close(),
  }
}
