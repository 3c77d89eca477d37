import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import type { HeldFolder } from '../held-folder.ts'
import { systemError } from '../path-error.ts'
import { isTemporaryName } from '../temporary-name.ts'
import { fileLimits } from './limits.ts'
import { resultsFolder } from './results-folder.ts'

/** `other`: a pipe, socket or device. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other'

export interface Entry {
  readonly name: string
  readonly kind: EntryKind
}

export interface Names {
  /** In code unit order. */
  readonly entries: readonly Entry[]
  /** True when the folder holds more than are read; which ones are missing is chance then. */
  readonly tooMany: boolean
}

/** What a held folder holds, without what is temporary. Links are links, whatever they lead to. */
export async function listNames(held: HeldFolder): Promise<Names> {
  const entries: Entry[] = []
  let tooMany = false
  try {
    for await (const entry of await opendir(held.path, { bufferSize: 512 })) {
      if (isTemporaryName(entry.name)) continue
      tooMany = entries.length >= fileLimits.folderEntries
      if (tooMany) break
      entries.push({ name: entry.name, kind: kindOf(entry) })
    }
  } catch (error) {
    throw systemError(error, held.virtual, 'listed')
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { entries, tooMany }
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

/**
 * Folders that listings and searches do not enter by themselves: version control, dependencies, caches, results of
 * builds, and results of tools, which would be found once more. Named as the path itself, each of them is listed and searched.
 */
export const isLeftOut = (folderName: string): boolean => leftOut.has(folderName)

const leftOut: ReadonlySet<string> = new Set([
  resultsFolder,
  '.git',
  '.hg',
  '.svn',
  '.cache',
  '.gradle',
  '.idea',
  '.mypy_cache',
  '.next',
  '.nox',
  '.nuxt',
  '.parcel-cache',
  '.pytest_cache',
  '.ruff_cache',
  '.svelte-kit',
  '.terraform',
  '.tox',
  '.turbo',
  '.venv',
  '.vscode',
  '__pycache__',
  'bower_components',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'out',
  'target',
  'venv',
])
