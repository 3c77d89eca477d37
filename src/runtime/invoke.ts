// What stands behind a tool, by the protocol that its source declared.

import type { AskAcp } from '../acp/permission-answer.ts'
import { runAcpAgent } from '../acp/run-acp-agent.ts'
import type { AcpAgentConfig, McpServerConfig } from '../config/config.ts'
import type { Protocol } from '../core/candidate.ts'
import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import { ToolgateError } from '../errors.ts'
import { CallFailure } from '../sessions/call-failure.ts'
import type { SessionPool } from '../sessions/pool/pool.ts'
import { oversize } from '../sources/bounded-json.ts'
import type { CatalogAccess, ChildAccess, Tool } from '../tools/tool.ts'
import type { Shell } from '../workspace/sandbox/shell.ts'
import type { ThreadOwner, Workspace } from '../workspace/workspace.ts'
import { failed } from './refusal.ts'
import type { CallOutcome, ToolCall } from './tool-call.ts'

export interface Invokers {
  /** Aborted when the program ends. Sessions end by themselves then; what else runs is told by this. */
  readonly closing?: AbortSignal
  /** Tools of this process, by candidate id. */
  readonly modules: ReadonlyMap<string, Tool>
  /** Servers by name. */
  readonly servers: ReadonlyMap<string, McpServerConfig>
  readonly pool: SessionPool
  readonly owner: ThreadOwner
  readonly workspace?: Workspace
  /** For tools of the role `tool-search`. */
  readonly catalog?: CatalogAccess
  /** For tools of the role `subagent`. Absent: nothing here runs agents. */
  readonly children?: ChildAccess
  /** For tools of the role `shell` that need `shell`, which the gate has judged. Absent: the run has none. */
  readonly shell?: Shell
  /** External agents by name. Absent: none can be called. */
  readonly acpAgents?: ReadonlyMap<string, AcpAgentConfig>
  /** Asks a person what an external agent asks for. Absent: nobody is there, and it is denied. */
  readonly askAcp?: AskAcp
  /** Folder of the configuration, absolute. Absent: the folder of this process. */
  readonly configFolder?: string
}

type Invoke = (call: ToolCall, invokers: Invokers) => Promise<CallOutcome>

const notHere: Invoke = async ({ decision }) =>
  failed('tool-not-executable', `"${decision.name}" needs an agent that runs; nothing here can carry it out`, false)

const throughModule: Invoke = async (call, invokers) => {
  const tool = invokers.modules.get(call.decision.candidate.id)
  if (tool?.execute === undefined) return notHere(call, invokers)
  const { args } = call
  const { workspace, catalog, children, shell, closing } = invokers
  const signal = either(call.signal, closing)
  const { role, needs } = call.decision.candidate
  const isSearch = role === 'tool-search'
  const runsCommands = role === 'shell' && needs.includes('shell')
  // A module may change what it was given; what was judged stays as it is.
  const own = structuredClone(args)
  const context = {
    ...(signal === undefined ? {} : { signal }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(role === 'subagent' && children !== undefined ? { children } : {}),
    ...(isSearch && catalog !== undefined ? { catalog } : {}),
    ...(runsCommands && shell !== undefined ? { shell } : {}),
  }
  return resultOf(await tool.execute(own, context), call)
}

const either = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other])

/** Signs of progress in a row that reach the caller one by one. */
const progressBurst = 100

const throughSession: Invoke = async (call, { servers, pool, owner }) => {
  const { candidate } = call.decision
  const server = candidate.server === undefined ? undefined : servers.get(candidate.server)
  if (server === undefined)
    return failed('tool-not-executable', `there is no server for "${call.decision.name}"`, false)
  const { signal, onProgress } = call
  const waiting = signal === undefined ? {} : { signal }
  const told = onProgress === undefined ? {} : { onProgress }
  const result = await pool.use(
    server,
    owner,
    (session) =>
      session.call(candidate.originalName, call.args, {
        ...waiting,
        ...told,
        definition: candidate.definition,
        progressBurst,
        ...(call.meta === undefined ? {} : { meta: call.meta }),
        idleTimeoutMs: server.callTimeoutMs,
        totalTimeoutMs: server.callTotalMs,
      }),
    waiting,
  )
  return resultOf(result, call)
}

const throughAcp: Invoke = async (call, invokers) => {
  const { acpAgents, askAcp, closing, configFolder, workspace } = invokers
  if (acpAgents === undefined || workspace === undefined) return notHere(call, invokers)
  const { onProgress, args } = call
  const signal = either(call.signal, closing)
  const name = String(args.agent)
  const agent = acpAgents.get(name)
  if (agent === undefined) {
    const known = [...acpAgents.keys()].join(', ')
    return failed('acp-agent-unknown', `there is no agent "${name}"; there are: ${known}`, false)
  }
  let signs = 0
  const result = await runAcpAgent({
    agent,
    prompt: String(args.prompt),
    workspace,
    ...(configFolder === undefined ? {} : { configFolder }),
    ...(signal === undefined ? {} : { signal }),
    ...(askAcp === undefined ? {} : { ask: askAcp }),
    ...(onProgress === undefined
      ? {}
      : {
          onProgress: ({ message, text = '' }) => {
            signs += 1
            onProgress({ progress: signs, message: message ?? text })
          },
        }),
  })
  return resultOf(result, call)
}

const byProtocol: { readonly [P in Protocol]: Invoke } = {
  module: throughModule,
  native: throughModule,
  mcp: throughSession,
  acp: throughAcp,
}

/** Carries out a call. Every error becomes an outcome here and nowhere else. */
export async function invoke(call: ToolCall, invokers: Invokers): Promise<CallOutcome> {
  const { candidate, name } = call.decision
  const isCalledOff = () => call.signal?.aborted === true
  if (isCalledOff()) return failed('call-cancelled', `the call of "${name}" was called off before it was sent`, false)
  try {
    return await byProtocol[candidate.protocol](call, invokers)
  } catch (error) {
    if (error instanceof CallFailure) {
      const outcome = failed(error.code, error.message, error.sent)
      return error.rpc === undefined ? outcome : { ...outcome, rpc: error.rpc }
    }
    if (error instanceof ToolgateError) {
      const { code, message, hint } = error.finding
      return { kind: 'failed', code, message, action: hint ?? 'mend the call', sent: false }
    }
    if (isCalledOff()) return failed('call-cancelled', `the call of "${name}" was called off`, true)
    const said = error instanceof Error ? error.message : String(error)
    return failed('tool-failed', `"${name}" failed: ${said}`, true)
  }
}

/** Values in one result that are worth going through; a message of ten megabytes holds fewer. */
const valuesMax = 5_000_000

/** Whatever a tool gave, as blocks. A text is a text; other values are their JSON; blocks stay as they are. */
function resultOf(value: unknown, { decision }: ToolCall): CallOutcome {
  // What walks through a result afterwards follows its nesting.
  const over = oversize(value, valuesMax)
  if (over === 'too deep') return failed('result-malformed', `the result of "${decision.name}" nests too deep`, true)
  if (over !== undefined) return failed('result-too-large', `the result of "${decision.name}" is too big`, true)
  if (!isJsonObject(value) || !isResult(value)) return { kind: 'result', content: [textBlock(value)], isError: false }
  const { content, structuredContent, isError, _meta } = value
  return {
    kind: 'result',
    // A result may say all it has to say as structure; whoever reads blocks alone gets that as a text.
    content: Array.isArray(content) ? content.filter(isJsonObject) : [textBlock(structuredContent)],
    ...(isJsonObject(structuredContent) ? { structuredContent } : {}),
    ...(isJsonObject(_meta) ? { meta: _meta } : {}),
    isError: isError === true,
  }
}

const isResult = ({ content, structuredContent }: JsonObject): boolean =>
  Array.isArray(content) || (content === undefined && isJsonObject(structuredContent))

const textBlock = (value: unknown): JsonObject => ({
  type: 'text',
  text: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
})
