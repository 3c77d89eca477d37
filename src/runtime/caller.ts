// The calls of one thread: each through the generation of its moment, the middlewares, and what stands behind the tool.

import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Config } from '../config/config.ts'
import { redactor } from '../config/redact.ts'
import type { SessionPool } from '../sessions/pool/pool.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { composed } from './compose.ts'
import type { Generation } from './generation.ts'
import { invoke } from './invoke.ts'
import { knownTool } from './known-tool.ts'
import type { CallContext } from './middleware.ts'
import { failed } from './refusal.ts'
import { openThread, pathViews } from './threads.ts'
import type { CallOutcome, ToolRequest } from './tool-call.ts'

export interface CallerOptions {
  /** Asks a person before a call that a rule asks for. Absent: nobody is there. */
  readonly approve?: CallContext['approve']
}

export interface CallerInput extends CallerOptions {
  readonly generation: () => Generation
  readonly pool: SessionPool
  readonly owner: ThreadOwner
  readonly stateFolder: string
}

/** Opens the folders of the thread. Throws a ToolgateError `invalid-id`. */
export async function caller(input: CallerInput): Promise<{ call: (request: ToolRequest) => Promise<CallOutcome> }> {
  const { generation, pool, owner, stateFolder, approve } = input
  const workspace = await openThread(generation().config, stateFolder, owner)
  return {
    call: async (request) => {
      const { config, run } = generation()
      const context: CallContext = {
        surface: run.surface,
        gates: run.gates,
        viewOf: pathViews(config, stateFolder, workspace),
        redacted: redactorOf(config),
        ...(approve === undefined ? {} : { approve }),
      }
      const known = knownTool(request, context)
      if ('kind' in known) return known
      const servers = new Map(config.mcpServers.map((server) => [server.name, server]))
      const invokers = { modules: run.invokers, servers, pool, owner, workspace }
      try {
        return await composed((call) => invoke(call, invokers), context)(known)
      } catch (error) {
        const said = context.redacted(error instanceof Error ? error.message : String(error))
        return failed(
          'internal-error',
          `the call of "${known.decision.name}" failed where it should not: ${said}`,
          false,
        )
      }
    },
  }
}

const redactors = new WeakMap<Config, (text: string) => string>()

/** A path that came from a variable is no secret: without it, no file of that folder could be named. */
function redactorOf(config: Config): (text: string) => string {
  const known = redactors.get(config)
  if (known !== undefined) return known
  const made = redactor(config.secrets.filter((value) => !(isAbsolute(value) && existsSync(value))))
  redactors.set(config, made)
  return made
}
