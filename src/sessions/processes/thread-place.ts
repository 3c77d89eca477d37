// The place of a server in a thread, from the configuration and the owner: its folder, its temporary files, and what
// the virtual paths in its entry mean there. So that one entry serves every thread:
//
//   args: ["@modelcontextprotocol/server-filesystem", /mnt/user-data/workspace]     each thread's own files

import { join } from 'node:path'
import type { Config, McpServerConfig } from '../../config/config.ts'
import { hostArguments } from '../../workspace/mapping/map-arguments.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import { openServerFolder } from '../../workspace/server-folder.ts'
import type { ThreadOwner, Workspace } from '../../workspace/workspace.ts'
import type { ThreadPlace } from './session-place.ts'

/** Folder of all threads, absolute. */
export const threadsFolderOf = (config: Config, stateFolder: string): string =>
  config.workspace?.folder ?? join(stateFolder, 'threads')

/** The folders of a thread, made where they are missing. Throws a ToolgateError `invalid-id`. */
export const openThread = (config: Config, stateFolder: string, owner: ThreadOwner): Promise<Workspace> =>
  openWorkspace({ threadsFolder: threadsFolderOf(config, stateFolder), owner, skillsFolders: config.skills.paths })

/** Where a server starts in an open thread. Throws a ToolgateError when its folder cannot be had. */
export function threadPlace(workspace: Workspace, server: string): ThreadPlace {
  const { temp, tempName = temp } = workspace
  const folder = openServerFolder(workspace, server)
  const view = { workspace, openRoots: [], privateRoots: [], base: { ...folder, has: () => false } }
  return {
    cwd: folder.host,
    temp: tempName,
    hostOf: (text) => String(hostArguments({ text }, view).text),
  }
}

/** True when an entry speaks of files of a thread: then it cannot be started, nor listed, without one. */
export function speaksOfThread({ args, env, cwd }: McpServerConfig): boolean {
  return [...args, ...Object.values(env), cwd ?? ''].some((text) => threadPath.test(text))
}

const threadPath = /(?<![A-Za-z0-9_.~%-])\/mnt\/user-data(?![A-Za-z0-9_.~%-])/
