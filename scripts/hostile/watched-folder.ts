import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, sep } from 'node:path'

export interface WatchedFolder {
  /** Misses: what is new, gone or changed since, links and modes as well. */
  readonly changes: () => string[]
}

/** Watches everything below a folder but what lies in or below the folders of `without`. */
export function watchedFolder(folder: string, without: readonly string[]): WatchedFolder {
  const before = stateOf(folder, without)
  return {
    changes: () => {
      const now = stateOf(folder, without)
      const names = [...new Set([...before.keys(), ...now.keys()])]
      return names
        .filter((name) => before.get(name) !== now.get(name))
        .map((name) => `${before.has(name) ? (now.has(name) ? 'changed' : 'removed') : 'made'} ${name}`)
    },
  }
}

function stateOf(folder: string, without: readonly string[]): ReadonlyMap<string, string> {
  const state = new Map<string, string>()
  const look = (path: string): void => {
    for (const name of readdirSync(path)) {
      const entry = join(path, name)
      if (without.some((kept) => entry === kept || entry.startsWith(kept + sep))) continue
      const found = lstatSync(entry)
      const mode = (found.mode & 0o7777).toString(8)
      if (found.isSymbolicLink()) state.set(entry, `link ${readlinkSync(entry)}`)
      else if (found.isFile()) state.set(entry, `file ${mode} ${readFileSync(entry, 'latin1')}`)
      else state.set(entry, `${found.isDirectory() ? 'folder' : 'special'} ${mode}`)
      if (found.isDirectory()) look(entry)
    }
  }
  look(folder)
  return state
}
