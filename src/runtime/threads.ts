// Where the files of threads lie, and what of the host a thread may see.

import { statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config, McpServerConfig } from '../config/config.ts'
import type { Candidate } from '../core/candidate.ts'
import { openRootsOf, type PathView } from '../workspace/mapping/path-view.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { type ServerFolder, serverFolderOf } from '../workspace/server-folder.ts'
import type { ThreadOwner, Workspace } from '../workspace/workspace.ts'

/** Folder of all threads, absolute. */
export const threadsFolderOf = (config: Config, stateFolder: string): string =>
  config.workspace?.folder ?? join(stateFolder, 'threads')

/** The folders of a thread, made where they are missing. Throws a ToolgateError `invalid-id`. */
export const openThread = (config: Config, stateFolder: string, owner: ThreadOwner): Promise<Workspace> =>
  openWorkspace({ threadsFolder: threadsFolderOf(config, stateFolder), owner, skillsFolders: config.skills.paths })

/**
 * What the owner of a tool may show of the host. Nothing for tools of this process, which know virtual paths, and for
 * servers on other machines, whose paths are their own.
 */
export function pathViews(
  config: Config,
  stateFolder: string,
  workspace: Workspace,
): (candidate: Candidate) => PathView | undefined {
  const privateRoots = [threadsFolderOf(config, stateFolder), stateFolder, config.folder, homedir(), tmpdir()]
  const views = new Map<string, PathView>()
  for (const server of config.mcpServers) {
    if (!runsHere(server)) continue
    const ownFolder = server.transport === 'stdio' && server.cwd === undefined
    const base = ownFolder ? { base: baseOf(serverFolderOf(workspace, server.name)) } : {}
    views.set(server.name, { workspace, privateRoots, openRoots: openRootsOf(server, config.folder), ...base })
  }
  return ({ protocol, server }) => (protocol === 'mcp' && server !== undefined ? views.get(server) : undefined)
}

const baseOf = ({ host, virtual }: ServerFolder): NonNullable<PathView['base']> => ({
  host,
  virtual,
  has: (path) => statSync(join(host, path), { throwIfNoEntry: false })?.isFile() === true,
})

const runsHere = ({ transport, url }: McpServerConfig): boolean =>
  transport === 'stdio' || (url !== undefined && URL.canParse(url) && loopback.test(new URL(url).hostname))

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
