// The client that the suite starts for its client scenarios: the session layer and the login of Toolgate, and a person
// who says yes to everything. The suite gives it the address of a server as last argument:
//
//   MCP_CONFORMANCE_SCENARIO=tools_call tsx scripts/conformance/client.ts URL

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { listTools } from '../../src/sessions/listing/list-tools.ts'
import { loginTo } from '../../src/sessions/login/oauth-login.ts'
import { sessionAuth } from '../../src/sessions/login/oauth-session.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { OpenSession, SessionPeer } from '../../src/sessions/session.ts'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import { judgedSchema } from '../../src/sources/schema/schema-faults.ts'
import { bareEntry } from '../../test/sources/server-entry.ts'

const limits = { idleTimeoutMs: 15_000, totalTimeoutMs: 15_000 }
/** One login for a stranger, one for a token that does not reach. More would be a loop. */
const loginsMax = 2

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  /** Calls that the scenario wants, with these very arguments. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const server = bareEntry('suite', {
  transport: 'http',
  url: process.argv.at(-1) ?? '',
  ...(context.client_id === undefined
    ? {}
    : {
        oauth: {
          clientId: context.client_id,
          ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
        },
      }),
})
const stateFolder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-client-'))

/** Takes what a form suggests; where it suggests nothing, something of the type. */
const peer: SessionPeer = {
  capabilities: { elicitation: {} },
  ask: async (_method, { requestedSchema }) => ({ action: 'accept', content: valueFor(requestedSchema) }),
}

async function withLogins(left: number): Promise<void> {
  try {
    const auth = sessionAuth(server, stateFolder)
    const session = await openSession(server, {
      env: {},
      cwd: stateFolder,
      timeoutMs: 15_000,
      peer,
      ...(auth === undefined ? {} : { auth }),
    })
    try {
      await useEverything(session)
    } finally {
      await session.end()
    }
  } catch (error) {
    if (left === 0 || !wantsLogin(error)) throw error
    await loginTo(server, { stateFolder, deadlineMs: 10_000, show: ({ url }) => void fetch(url).catch(() => {}) })
    await withLogins(left - 1)
  }
}

/** A call that was refused for want of a login says so in its words; an opening and a list have a state for it. */
const wantsLogin = (error: unknown): boolean =>
  error instanceof Unavailable ? error.state === 'login-needed' : error instanceof Error && /login/.test(error.message)

async function useEverything(session: OpenSession): Promise<void> {
  const { tools } = await listTools(session)
  for (const tool of tools) {
    if (!isJsonObject(tool) || typeof tool.name !== 'string' || !isJsonObject(tool.inputSchema)) continue
    const { name, inputSchema } = tool
    if (judgedSchema(inputSchema, { name: 'inputSchema', headersSent: true }).fault !== undefined) continue
    const wanted = context.toolCalls?.filter((call) => call.name === name).map((call) => call.arguments)
    for (const args of wanted ?? [valueFor(inputSchema)])
      await session.call(name, args, { ...limits, definition: { description: '', inputSchema } })
  }
  const { resources, prompts } = session.capabilities
  if (resources !== undefined)
    await readEach(session, { list: 'resources/list', holds: 'resources', read: 'resources/read', by: 'uri' })
  if (prompts !== undefined)
    await readEach(session, { list: 'prompts/list', holds: 'prompts', read: 'prompts/get', by: 'name' })
}

interface Readable {
  readonly list: string
  readonly holds: string
  readonly read: string
  readonly by: string
}

async function readEach(session: OpenSession, { list, holds, read, by }: Readable): Promise<void> {
  const { [holds]: entries } = await session.request(list, {}, limits)
  for (const entry of Array.isArray(entries) ? entries : []) await session.request(read, { [by]: entry[by] }, limits)
}

/** A value for the required arguments of a schema, and for whatever it has a default. */
function valueFor(schema: Json | undefined): JsonObject {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return {}
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : []
  const entries = Object.entries(schema.properties).flatMap(([name, property]): [string, Json][] => {
    if (!isJsonObject(property)) return []
    if (property.default !== undefined) return [[name, property.default]]
    return required.includes(name) || required.length === 0 ? [[name, someOf(property.type)]] : []
  })
  return Object.fromEntries(entries)
}

function someOf(type: Json | undefined): Json {
  if (type === 'number' || type === 'integer') return 2
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : 'words'
}

try {
  await withLogins(loginsMax)
} finally {
  rmSync(stateFolder, { recursive: true, force: true })
}
