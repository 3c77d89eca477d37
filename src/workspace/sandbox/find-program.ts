// Programs of this machine by name, looked up before they are started: what is started gets no variables, so that none
// of ours can be read out of it.

import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** The program of that name in the folders of PATH; relative ones are left out. Undefined: there is none. */
export function findProgram(name: string, folders: readonly string[] = pathFolders()): string | undefined {
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

const pathFolders = (): readonly string[] => (process.env.PATH ?? '').split(':')

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
