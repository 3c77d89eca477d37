// The calls of one thread: each through the generation of its moment, the middlewares, and what stands behind the tool.

import type { AskAcp } from '../acp/permission-answer.ts'
import type { Config } from '../config/config.ts'
import { printable } from '../core/printable.ts'
import { ToolgateError } from '../errors.ts'
import type { SessionPool } from '../sessions/pool/pool.ts'
import { openThread } from '../sessions/processes/thread-place.ts'
import type { CatalogAccess, ChildAccess } from '../tools/tool.ts'
import type { ThreadOwner, Workspace } from '../workspace/workspace.ts'
import { composed } from './compose.ts'
import { redactorOf } from './config-redactor.ts'
import type { Generation } from './generation.ts'
import { invoke } from './invoke.ts'
import { knownTool } from './known-tool.ts'
import { mappedTexts } from './mapped-texts.ts'
import type { CallApprovals, CallContext } from './middleware.ts'
import { entryOfRefusal } from './records/call-entry.ts'
import { failed } from './refusal.ts'
import type { ThreadCatalog } from './thread-catalog.ts'
import { threadShell } from './thread-shell.ts'
import { pathViews } from './threads.ts'
import type { CallOutcome, ToolCall, ToolRequest } from './tool-call.ts'

export interface CallerOptions {
  /** Asks a person before a call that a rule asks for. Absent: nobody is there. */
  readonly approve?: CallContext['approve']
  /** True: somebody may answer later, so what nobody answers now is kept as a question. Absent: it is refused. */
  readonly asksLater?: boolean
  /** True: results are given whole, whatever their size. Absent: within `limits.result_bytes`, the rest in a file. */
  readonly wholeResults?: boolean
  /** True: results are handed on as they came, to a program with a model and a budget of its own. Absent: as a model takes them. */
  readonly asSent?: true
  /** Asks a person what an external agent wants to do, in the middle of its turn. Absent: nobody is there. */
  readonly askAcp?: AskAcp
  /** Runs helper agents for a call: this is what runs an agent itself. Absent: nothing here does. */
  readonly children?: (call: ToolCall) => ChildAccess
}

export interface CallerInput extends CallerOptions {
  readonly generation: () => Generation
  readonly isClosed: () => boolean
  /** Aborted when the program ends: what runs for a call then is ended. */
  readonly closing?: AbortSignal
  readonly pool: SessionPool
  readonly owner: ThreadOwner
  readonly stateFolder: string
  readonly catalog: ThreadCatalog
  /** Told of every call, whatever came of it. */
  readonly record?: CallContext['record']
  readonly approvalsOf?: (agent: string) => CallApprovals
  /** Told of each call that was made. */
  readonly onCall?: (generation: Generation, call: ToolCall) => void
}

/** The folders of a thread under one configuration, and what its servers may show of the host. */
interface Place {
  readonly workspace: Workspace
  readonly viewOf: CallContext['viewOf']
}

/** Opens the folders of the thread. Throws a ToolgateError `invalid-id`. */
export async function caller(input: CallerInput): Promise<{ call: (request: ToolRequest) => Promise<CallOutcome> }> {
  const { generation, stateFolder, owner } = input
  const places = new WeakMap<Config, Promise<Place>>()
  const placeIn = (config: Config): Promise<Place> => {
    const known = places.get(config)
    if (known !== undefined) return known
    const made = openThread(config, stateFolder, owner).then((workspace) => ({
      workspace,
      viewOf: pathViews(config, stateFolder, workspace),
    }))
    places.set(config, made)
    // A folder that could not be made may be made the next time.
    made.catch(() => places.delete(config))
    return made
  }
  await placeIn(generation().config)
  return { call: (request) => called(request, input, placeIn) }
}

async function called(
  request: ToolRequest,
  input: CallerInput,
  placeIn: (config: Config) => Promise<Place>,
): Promise<CallOutcome> {
  const { generation, isClosed, pool, owner, approve, catalog, onCall, record, approvalsOf, children } = input
  if (isClosed()) return failed('pool-closed', 'the program is ending, and starts no calls any more', false)
  let redacted = (text: string): string => text
  let reached = false
  try {
    // From here on it is one generation: what is decided by it is carried out with its servers.
    const own = generation()
    const { config, run } = own
    redacted = redactorOf(config)
    const { workspace, viewOf } = await placeIn(config)
    const context: CallContext = {
      surface: run.surface,
      gates: run.gates,
      viewOf,
      isPromoted: catalog.isPromoted,
      redacted,
      limits: { totalMs: config.limits.callTotalMs },
      ...(input.asSent === true ? { asSent: true } : {}),
      ...(approve === undefined ? {} : { approve }),
      ...(input.wholeResults === true ? {} : { results: { bytesMax: config.limits.resultBytes, workspace } }),
      ...(record === undefined ? {} : { record }),
      ...(approvalsOf === undefined || input.asksLater !== true
        ? {}
        : { approvals: approvalsOf(run.surface.facts.agent.name) }),
    }
    const known = knownTool(request, context)
    if ('kind' in known) {
      record?.(entryOfRefusal(request, known, context))
      return mappedTexts(known, redacted)
    }
    const servers = new Map(config.mcpServers.map((server) => [server.name, server]))
    const search: CatalogAccess = { search: (asked) => catalog.search(asked, own) }
    const shell = threadShell(run.surface.facts.sandbox, config.sandbox, workspace)
    const common = {
      modules: run.invokers,
      servers,
      pool,
      owner,
      workspace,
      catalog: search,
      acpAgents: new Map(config.acpAgents.map((agent) => [agent.name, agent])),
      configFolder: config.folder,
      ...(input.closing === undefined ? {} : { closing: input.closing }),
      ...(input.askAcp === undefined ? {} : { askAcp: input.askAcp }),
    }
    const invokers = shell === undefined ? common : { ...common, shell }
    const innermost = composed((call) => {
      reached = true
      onCall?.(own, call)
      return invoke(call, children === undefined ? invokers : { ...invokers, children: children(call) })
    }, context)
    return await innermost(known)
  } catch (error) {
    if (error instanceof ToolgateError) {
      const { code, message, hint } = error.finding
      return { kind: 'failed', code, message: redacted(message), action: hint ?? 'mend what it names', sent: reached }
    }
    const said = redacted(error instanceof Error ? error.message : String(error))
    const what = `the call of "${printable(String(request.name), 64)}" failed where it should not: ${said}`
    return failed('internal-error', what, reached)
  }
}
