// Where the files of threads lie, and what of the host a thread may see.

import { realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { agentView } from '../acp/agent-view.ts'
import type { Config, McpServerConfig } from '../config/config.ts'
import type { Candidate } from '../core/candidate.ts'
import { threadsFolderOf } from '../sessions/processes/thread-place.ts'
import { openRootsOf, type PathView } from '../workspace/mapping/path-view.ts'
import { type ServerFolder, serverFolderOf } from '../workspace/server-folder.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * What the owner of a tool may show of the host. Nothing for tools of this process, which know virtual paths, and for
 * servers on other machines, whose paths are their own.
 */
export function pathViews(
  config: Config,
  stateFolder: string,
  workspace: Workspace,
): (candidate: Candidate) => PathView | undefined {
  const threads = threadsFolderOf(config, stateFolder)
  // Short names of folders of temporary files, those of other threads included.
  const shortNames = workspace.tempName === undefined ? [] : [dirname(workspace.tempName)]
  const privateRoots = withRealPaths([threads, stateFolder, config.folder, homedir(), tmpdir(), ...shortNames])
  const real = realPathOf(threads)
  const realName = real === threads ? {} : { realName: { of: threads, is: real } }
  const views = new Map<string, PathView>()
  for (const server of config.mcpServers) {
    if (!runsHere(server)) continue
    const openRoots = withRealPaths(openRootsOf(server, config.folder))
    views.set(server.name, { workspace, privateRoots, openRoots, ...realName, ...startOf(server, workspace) })
  }
  const openRoots = withRealPaths(config.acpAgents.flatMap((agent) => openRootsOf(agent, config.folder)))
  const agents =
    config.acpAgents.length === 0 ? undefined : agentView({ workspace, privateRoots, openRoots, ...realName })
  return ({ protocol, server }) => {
    if (protocol === 'acp') return agents
    return protocol === 'mcp' && server !== undefined ? views.get(server) : undefined
  }
}

/** Where relative paths of a server stand, as far as that is known. */
function startOf(server: McpServerConfig, workspace: Workspace): Pick<PathView, 'base' | 'folder'> {
  if (server.transport !== 'stdio') return {}
  return server.cwd === undefined ? { base: baseOf(serverFolderOf(workspace, server.name)) } : { folder: server.cwd }
}

/** Programs tell where they are by the real name of a folder, whatever links lead to it. */
const withRealPaths = (paths: readonly string[]): readonly string[] => [
  // A variable may name the home folder as it likes; what is no absolute path is no folder of anybody.
  ...new Set(paths.filter(isAbsolute).flatMap((path) => [resolve(path), realPathOf(resolve(path))])),
]

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const baseOf = ({ host, virtual }: ServerFolder): NonNullable<PathView['base']> => ({
  host,
  virtual,
  has: (path) => statSync(join(host, path), { throwIfNoEntry: false })?.isFile() === true,
})

const runsHere = ({ transport, url }: McpServerConfig): boolean =>
  transport === 'stdio' || (url !== undefined && URL.canParse(url) && loopback.test(new URL(url).hostname))

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
