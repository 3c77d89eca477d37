// One turn of an external agent: its process is started, given one prompt, listened to, and ended with all that it has
// started, whatever comes. Nothing of it outlives the call.
//
//   start ── initialize ── session/new ── prompt ── updates, permissions, files … ── stop ── end
//   └──── start_timeout_ms ────────────┘  └──────────── turn_timeout_ms ─────────┘

import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServer } from '@agentclientprotocol/sdk'
import type { AcpAgentConfig } from '../config/config.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { type Deadline, deadlineOf } from '../sessions/open-deadline.ts'
import { type ServerProcess, StartFailure, startProcess } from '../sessions/processes/server-process.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type AcpWire, acpWire } from './acp-wire.ts'
import { agentClient } from './agent-client.ts'
import { agentFiles } from './agent-files.ts'
import { type AgentPlace, agentPlace } from './agent-place.ts'
import { acpError, authRequired, errorWords, openAgentSession } from './open-agent-session.ts'
import { type AskAcp, permissionAnswer } from './permission-answer.ts'
import { type AcpProgress, turnRecord } from './turn-record.ts'
import { type AcpStatus, type TurnEnd, turnResult } from './turn-result.ts'

export interface RunAcpAgentOptions {
  readonly agent: AcpAgentConfig
  readonly prompt: string
  /** The thread: the agent starts in its /mnt/acp-workspace, unless its entry says where. */
  readonly workspace: Workspace
  /** Folder of the configuration, absolute: where `./` in arguments begins. Absent: the folder of this process. */
  readonly configFolder?: string
  /** The environment of this process, of which a safe base is handed on. Absent: that of this process. */
  readonly environment?: { readonly [name: string]: string | undefined }
  /** Aborted: the agent is told, and ended two seconds later at the latest. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: AcpProgress) => void
  /** Asks a person, where the entry says `permissions: ask`. Absent: nobody is there, and it is denied. */
  readonly ask?: AskAcp
  /**
   * MCP servers that the agent is given to use. Absent or `[]`: none, for the agent calls them itself: what is named here
   * must enforce the rules of the run.
   */
  readonly mcpServers?: readonly McpServer[]
  /** Bytes of one message of the agent. Absent: 10 MiB. */
  readonly messageBytesMax?: number
}

const messageBytes = 10 * 1024 * 1024
/** Time for an agent that was told to stop. */
const graceMs = 2000

/**
 * Gives a task to an agent and resolves with a result in the form of MCP, whatever became of the turn; see `turnResult`.
 * Rejects only when the agent was given nothing to do: with a ToolgateError `acp-start-failed`, `acp-auth-needed` or
 * `acp-protocol`, or with a CallFailure `call-cancelled`. Once settled, nothing of the agent runs.
 */
export async function runAcpAgent(options: RunAcpAgentOptions): Promise<JsonObject> {
  const { agent, workspace, configFolder = process.cwd(), environment = process.env } = options
  const place = agentPlace(agent, { workspace, configFolder, environment })
  // Loading it takes a third of a second, which only a call pays.
  const loading = import('@agentclientprotocol/sdk')
  loading.catch(() => {})
  const deadline = deadlineOf(agent.startTimeoutMs, options.signal)
  try {
    const started = await startedAgent(agent, place)
    try {
      return await turnOf({ options, place, deadline, started, sdk: await loading })
    } finally {
      await started.end()
    }
  } finally {
    deadline.clear()
  }
}

async function startedAgent(agent: AcpAgentConfig, { command, args, env, cwd }: AgentPlace): Promise<ServerProcess> {
  try {
    return await startProcess({ command, args, env, cwd })
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    throw acpError('acp-start-failed', agent, `could not be started: ${error.message}`)
  }
}

interface Turn {
  readonly options: RunAcpAgentOptions
  readonly place: AgentPlace
  readonly deadline: Deadline
  readonly started: ServerProcess
  readonly sdk: typeof import('@agentclientprotocol/sdk')
}

async function turnOf({ options, place, deadline, started, sdk }: Turn): Promise<JsonObject> {
  const { agent, workspace, prompt, signal, ask, onProgress, mcpServers = [] } = options
  const record = turnRecord(onProgress)
  const calledOff = new AbortController()
  let session: string | undefined
  let isTurn = false
  const wire = acpWire(started, {
    messageBytesMax: options.messageBytesMax ?? messageBytes,
    onUpdate: (params) => {
      if (isTurn && isJsonObject(params) && params.sessionId === session) record.take(params.update)
    },
  })
  const app = agentClient(sdk, {
    session: () => session,
    files: agentFiles(workspace, place),
    permission: (request) => {
      record.pause()
      return permissionAnswer(request, {
        agent,
        ...(ask === undefined ? {} : { ask }),
        signal: calledOff.signal,
        titleOf: record.titleOf,
        deny: record.deny,
      })
    },
  })
  const connection = app.connect(wire.stream)
  try {
    const context = connection.agent
    session = await openAgentSession({
      agent,
      sdk,
      started,
      wire,
      context,
      deadline,
      signal,
      cwd: place.cwd,
      mcpServers,
    })
    deadline.clear()
    isTurn = true
    const { prompt: method, cancel } = sdk.methods.agent.session
    const answer = context.request(method, { sessionId: session, prompt: [{ type: 'text', text: prompt }] })
    const stop = stopper(agent.turnTimeoutMs, signal, async () => {
      // Who waits for an answer of a person waits no more: the protocol wants it told before the turn can end.
      calledOff.abort()
      await context.notify(cancel, { sessionId: session as string }).catch(() => {})
    })
    try {
      const end = await endOf({ answer, wire, started, over: stop.over })
      isTurn = false
      return turnResult(agent.name, interrupted(end, stop.why(), agent), record.finish())
    } finally {
      stop.clear()
    }
  } finally {
    calledOff.abort()
    connection.close()
  }
}

type Why = 'cancelled' | 'timed-out'

/** Stops the turn when its time is over or the call is called off; `over` settles when the grace after that has passed. */
function stopper(timeoutMs: number, signal: AbortSignal | undefined, tell: () => Promise<void>) {
  let why: Why | undefined
  let pass = () => {}
  const over = new Promise<void>((resolve) => {
    pass = resolve
  })
  const patience = new AbortController()
  const stop = (reason: Why) => {
    if (why !== undefined) return
    why = reason
    void tell()
    sleep(graceMs, undefined, { signal: patience.signal }).then(pass, () => {})
  }
  const timer = setTimeout(() => stop('timed-out'), timeoutMs)
  const cancel = () => stop('cancelled')
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted === true) cancel()
  return {
    over,
    why: () => why,
    clear: () => {
      clearTimeout(timer)
      patience.abort()
      signal?.removeEventListener('abort', cancel)
    },
  }
}

interface Ending {
  readonly answer: Promise<unknown>
  readonly wire: AcpWire
  readonly started: ServerProcess
  readonly over: Promise<void>
}

/** How the turn ended, by itself or after it was stopped. Never rejects. */
async function endOf({ answer, wire, started, over }: Ending): Promise<TurnEnd> {
  const gone = (how: string): TurnEnd => {
    const said = started.lastWords() === '' ? '' : `; it said: ${started.lastWords()}`
    return { status: 'failed', reason: `${how}${said}` }
  }
  return Promise.race([
    answer.then(stopped, (error: unknown): TurnEnd => {
      const how = wire.ended()
      if (how !== undefined) return gone(how)
      const isLogin = error instanceof Error && 'code' in error && error.code === authRequired
      const hint = isLogin ? ' (log in with its own program, or set its key under env)' : ''
      return { status: 'failed', reason: `gave an error: ${errorWords(error)}${hint}` }
    }),
    wire.over.then(gone),
    over.then((): TurnEnd => ({ status: 'failed', reason: 'did not stop when it was told to' })),
  ])
}

const statuses: ReadonlyMap<unknown, AcpStatus> = new Map<unknown, AcpStatus>([
  ['end_turn', 'answered'],
  ['max_tokens', 'limit'],
  ['max_turn_requests', 'limit'],
  ['refusal', 'refused'],
  ['cancelled', 'cancelled'],
])

function stopped(response: unknown): TurnEnd {
  const given: unknown = isJsonObject(response) ? response.stopReason : undefined
  const status = statuses.get(given)
  const stopReason = printable(typeof given === 'string' ? given : 'none', 60)
  if (status === undefined)
    return { status: 'failed', stopReason, reason: `ended its turn for a reason that is not known: ${stopReason}` }
  if (status === 'answered') return { status, stopReason }
  return { status, stopReason, reason: `stopped before the end: ${stopReason}` }
}

/** A turn that was stopped by us says so, whatever the agent made of it. */
function interrupted(end: TurnEnd, why: Why | undefined, agent: AcpAgentConfig): TurnEnd {
  if (why === undefined) return end
  const reason =
    why === 'cancelled'
      ? 'was called off'
      : `was stopped after ${agent.turnTimeoutMs} ms (turn_timeout_ms of its entry)`
  return { status: why, reason, ...(end.stopReason === undefined ? {} : { stopReason: end.stopReason }) }
}
