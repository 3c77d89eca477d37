// Where a server of a thread starts. Not where the agent works: launchers and servers read the folder they start in
// (`npx` runs what lies in node_modules there, many read a `.env`), and an agent must not be able to put it there. So
// each server has a folder of its own that the agent can read and not write.

import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderNameOf } from './folder-name.ts'
import { linkError, notFolderError, systemCode, systemError } from './path-error.ts'
import type { Workspace } from './workspace.ts'

/** The virtual folder that holds those of the servers. */
export const serversRoot = '/mnt/user-data/servers'

export interface ServerFolder {
  readonly host: string
  readonly virtual: string
}

/** Where the folder of a server is, whether it was made or not. */
export function serverFolderOf({ servers }: Workspace, server: string): ServerFolder {
  const name = folderNameOf(server)
  return { host: join(servers, name), virtual: `${serversRoot}/${name}` }
}

/** The same, made where it was missing. Throws a ToolgateError `symlink-escape`, `not-a-folder` or `file-io`. */
export function openServerFolder(workspace: Workspace, server: string): ServerFolder {
  const folder = serverFolderOf(workspace, server)
  const { host, virtual } = folder
  try {
    mkdirSync(host, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw systemError(error, virtual, 'made')
    const found = lstatSync(host)
    if (found.isSymbolicLink()) throw linkError(virtual)
    if (!found.isDirectory()) throw notFolderError(virtual)
  }
  return folder
}
