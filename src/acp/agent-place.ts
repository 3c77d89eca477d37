// Where an external agent starts, and the one folder that it may reach through us. The rules of servers hold: what its
// command line names beside the configuration is named in full, and no program is looked up where the agent works.

import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { AcpAgentConfig, McpServerConfig } from '../config/config.ts'
import { sessionPlace } from '../sessions/processes/session-place.ts'
import type { VirtualRoot, Workspace } from '../workspace/workspace.ts'

/** The virtual folder of all external agents of a thread. */
export const acpRoot = '/mnt/acp-workspace'

export interface AgentPlace {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** Absolute. */
  readonly cwd: string
  /** The folder whose files are read and written for it. */
  readonly root: VirtualRoot
  /** Absolute host paths by which the agent may name that folder. */
  readonly names: readonly string[]
}

export interface AgentPlaceOptions {
  readonly workspace: Workspace
  /** Folder of the configuration, absolute. */
  readonly configFolder: string
  /** The environment of this process. */
  readonly environment: { readonly [name: string]: string | undefined }
}

/** The place of an agent in a thread; that of its entry when it sets `cwd`. */
export function agentPlace(agent: AcpAgentConfig, options: AgentPlaceOptions): AgentPlace {
  const { workspace, configFolder, environment } = options
  const folder = agent.cwd ?? folderOf(workspace).host
  const { server, env } = sessionPlace(asServer(agent), {
    workspace: { cwd: folder, temp: tmpdir() },
    configFolder,
    environment,
  })
  const real = realPathOf(folder)
  return {
    command: server.command ?? agent.command,
    args: server.args,
    env,
    cwd: folder,
    root: agent.cwd === undefined ? { ...folderOf(workspace), writable: true } : ownRoot(real),
    names: [...new Set([folder, real])],
  }
}

/** The folder of external agents in a thread. Every open workspace has it. */
export function folderOf({ roots }: Workspace): VirtualRoot {
  const found = roots.find(({ virtual }) => virtual === acpRoot)
  if (found === undefined) throw new Error(`the workspace has no ${acpRoot}`)
  return found
}

/** A folder of the operator; links above it are theirs. */
const ownRoot = (host: string): VirtualRoot => ({
  virtual: process.platform === 'win32' ? acpRoot : host,
  host,
  writable: true,
})

const asServer = ({ name, command, args, env, cwd, origin }: AcpAgentConfig): McpServerConfig => ({
  name,
  transport: 'stdio',
  command,
  args,
  env,
  ...(cwd === undefined ? {} : { cwd }),
  headers: {},
  enabled: true,
  approved: true,
  required: false,
  prefix: true,
  trustAnnotations: false,
  excludeTools: [],
  tools: [],
  startTimeoutMs: 0,
  callTimeoutMs: 0,
  callTotalMs: 0,
  origin,
  origins: {},
})

/** A folder that is not there is told where the process is started. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
