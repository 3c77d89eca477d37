// From a process that was started to a session that takes a prompt: the handshake and session/new, within one deadline.
// Whatever fails here fails before the agent was given anything to do.

import type { ClientContext, McpServer } from '@agentclientprotocol/sdk'
import type { AcpAgentConfig } from '../config/config.ts'
import { isJsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding, ToolgateError } from '../errors.ts'
import { CallFailure } from '../sessions/call-failure.ts'
import type { Deadline } from '../sessions/open-deadline.ts'
import { DeadlinePassed } from '../sessions/open-deadline.ts'
import type { ServerProcess } from '../sessions/processes/server-process.ts'
import type { AcpWire } from './acp-wire.ts'
import { capabilities, type Sdk } from './agent-client.ts'

export interface Opening {
  readonly agent: AcpAgentConfig
  readonly sdk: Sdk
  readonly started: ServerProcess
  readonly wire: AcpWire
  readonly context: ClientContext
  readonly deadline: Deadline
  /** Aborted: the call is called off. */
  readonly signal: AbortSignal | undefined
  readonly cwd: string
  readonly mcpServers: readonly McpServer[]
}

/**
 * The id of a new session. Rejects with a ToolgateError `acp-start-failed`, `acp-auth-needed` or `acp-protocol`, and with
 * a CallFailure `call-cancelled` that was not sent.
 */
export async function openAgentSession(opening: Opening): Promise<string> {
  const { agent, sdk, context, cwd, mcpServers } = opening
  const { initialize, session } = sdk.methods.agent
  const hello = await step(opening, initialize, () =>
    context.request(initialize, {
      protocolVersion: sdk.PROTOCOL_VERSION,
      clientCapabilities: capabilities,
      clientInfo: { name: 'toolgate', version: '1' },
    }),
  )
  const version: unknown = isJsonObject(hello) ? hello.protocolVersion : undefined
  if (version !== sdk.PROTOCOL_VERSION)
    throw acpError(
      'acp-protocol',
      agent,
      `speaks version ${shown(version)} of the protocol, and not ${sdk.PROTOCOL_VERSION}`,
    )
  const made = await step(
    opening,
    session.new,
    () => context.request(session.new, { cwd, mcpServers: [...mcpServers] }),
    loginsOf(hello),
  )
  const id: unknown = isJsonObject(made) ? made.sessionId : undefined
  if (typeof id !== 'string' || id === '') throw acpError('acp-protocol', agent, 'opened a session without an id')
  return id
}

/** One request, or why there was no answer to it. What is received was not looked at. */
async function step(
  opening: Opening,
  method: string,
  request: () => Promise<unknown>,
  logins: readonly string[] = [],
): Promise<unknown> {
  const { agent, sdk, wire, started, deadline, signal } = opening
  const gone = wire.over.then(() => {
    throw new Error('gone')
  })
  gone.catch(() => {})
  try {
    return await deadline.orPassed(Promise.race([request(), gone]))
  } catch (error) {
    if (signal?.aborted === true)
      throw new CallFailure('call-cancelled', `the call of agent "${agent.name}" was called off before it was sent`, {
        sent: false,
      })
    const printed = wire.firstNoise() === '' ? '' : `; it printed: ${wire.firstNoise()}`
    if (error instanceof DeadlinePassed) {
      const what = `did not answer "${method}" within ${agent.startTimeoutMs} ms of its start${printed}`
      throw acpError('acp-start-failed', agent, what)
    }
    const how = wire.ended()
    if (how !== undefined) {
      const said = started.lastWords() === '' ? printed : `; it said: ${started.lastWords()}`
      throw acpError('acp-start-failed', agent, `${how} before it had opened a session${said}`)
    }
    if (!(error instanceof sdk.RequestError)) throw error
    if (error.code === authRequired) throw loginError(agent, logins)
    const isForeign = method === sdk.methods.agent.initialize
    throw acpError(isForeign ? 'acp-protocol' : 'acp-start-failed', agent, `refused "${method}": ${errorWords(error)}`)
  }
}

/** What an agent answers while nobody is logged in. */
export const authRequired = -32_000

/** What an error of an agent says; many put the reason into its data. */
export function errorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  const details = isJsonObject(data) ? (data.details ?? data.message) : data
  return printable(typeof details === 'string' && details !== message ? `${message}: ${details}` : message, 300)
}

export function acpError(code: ErrorCode, agent: AcpAgentConfig, what: string, hint?: string): ToolgateError {
  const subject = printable(agent.name, 64)
  return new ToolgateError(
    finding(code, 'error', printable(`the agent "${subject}" ${what}`, 600), {
      subject,
      hint: hint ?? hints.get(code) ?? '',
      origin: agent.origin,
    }),
  )
}

const hints: ReadonlyMap<ErrorCode, string> = new Map([
  [
    'acp-start-failed',
    'check command and args of the agent, and raise start_timeout_ms if it is meant to take that long',
  ],
  ['acp-protocol', 'check args of the agent: most programs need one, such as --acp'],
])

function loginError(agent: AcpAgentConfig, logins: readonly string[]): ToolgateError {
  const ways = logins.length === 0 ? '' : `; it offers: ${logins.join(', ')}`
  const hint = `log in with its own program as the user that runs this one, or set its key under acp_agents.${agent.name}.env`
  return acpError('acp-auth-needed', agent, `wants a login first${ways}`, hint)
}

/** The names of the logins that the handshake offers. */
function loginsOf(hello: unknown): readonly string[] {
  const methods = isJsonObject(hello) ? hello.authMethods : undefined
  if (!Array.isArray(methods)) return []
  return methods.slice(0, 8).flatMap((method: unknown) => {
    const name = isJsonObject(method) ? method.name : undefined
    return typeof name === 'string' ? [printable(name, 60)] : []
  })
}

const shown = (value: unknown): string => printable(JSON.stringify(value) ?? 'none', 40)
