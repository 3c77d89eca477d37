// Files that an external agent asks us to read or write: those of its one folder, opened step by step as every file of
// a thread. The agent names them by host paths, or by the virtual ones that stand in its prompt.

import { ToolgateError } from '../errors.ts'
import { writeText } from '../workspace/files/write-file.ts'
import { type OpenFile, openFile, readWhole } from '../workspace/open-file.ts'
import { pathError } from '../workspace/path-error.ts'
import { pathIn } from '../workspace/path-in.ts'
import type { VirtualPath } from '../workspace/virtual-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type AgentPlace, acpRoot } from './agent-place.ts'

export interface AgentFiles {
  /**
   * The text of a file as it is, or so many lines of it; lines are counted from 1. A file that is not there is empty, as
   * an editor opens one: agents read a file before they make it, and some take every error for a reason not to. Rejects
   * with a ToolgateError: a `path-` code, `symlink-escape`, `hardlink`, `special-file`, `is-a-folder`, `file-too-big`,
   * `file-not-text`, `file-io`.
   */
  readonly read: (path: string, lines?: { readonly first: number; readonly count: number }) => Promise<string>
  /** Writes a file and the folders on its way. Rejects with a ToolgateError, and leaves what was there as it was. */
  readonly write: (path: string, text: string) => Promise<void>
}

/** Bytes of a file that is read, as many as one that is written may have. */
const readBytesMax = 10 * 1024 * 1024

export function agentFiles(workspace: Workspace, place: AgentPlace): AgentFiles {
  const view: Workspace = { ...workspace, roots: [place.root] }
  return {
    read: async (path, lines) => {
      const file = fileAt(pathIn(view, virtualName(path, place)))
      if (file === undefined) return ''
      try {
        const text = textOf(await readWhole(file, readBytesMax), file.virtual)
        return lines === undefined ? text : linesOf(text, lines.first, lines.count)
      } finally {
        file.close()
      }
    },
    write: async (path, text) => {
      await writeText(view, virtualName(path, place), text)
    },
  }
}

/** The virtual path that a host path in the folder means; what lies elsewhere stays, and is refused as it stands. */
function virtualName(path: string, { root, names }: AgentPlace): string {
  const windows = process.platform === 'win32'
  const given = windows ? path.replaceAll('\\', '/') : path
  for (const name of [acpRoot, ...names]) {
    const folder = windows ? name.replaceAll('\\', '/') : name
    if (given === folder || given.startsWith(`${folder}/`)) return root.virtual + given.slice(folder.length)
  }
  return path
}

function fileAt(path: VirtualPath): OpenFile | undefined {
  try {
    return openFile(path)
  } catch (error) {
    if (error instanceof ToolgateError && error.finding.code === 'path-not-found') return undefined
    throw error
  }
}

function textOf(bytes: Buffer, virtual: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw pathError('file-not-text', virtual, 'is no UTF-8 text')
  }
}

const linesOf = (text: string, first: number, count: number): string =>
  text
    .split(/(?<=\n)/)
    .slice(first - 1, first - 1 + count)
    .join('')
