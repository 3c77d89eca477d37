// What present_files answers: which files the person gets, and which of those that were named are none.

import type { JsonObject } from '../../core/json.ts'
import { ToolgateError } from '../../errors.ts'
import { openFile, readInto } from '../open-file.ts'
import { pathError, shownPath } from '../path-error.ts'
import { pathIn } from '../path-in.ts'
import { wrong } from '../tool-arguments.ts'
import { workspaceOf } from '../tool-workspace.ts'
import type { Workspace } from '../workspace.ts'
import { countOf } from './answer-text.ts'
import { fileKind, kindHeadBytes } from './file-kind.ts'
import type { FileToolContext } from './file-tools.ts'

/** Where what is presented lies. */
export const outputsRoot = '/mnt/user-data/outputs'

/** Key in `_meta` of the result: the artifacts once more, for whoever keeps the state of the thread. */
export const artifactsKey = 'toolgate/artifacts'

/** A file that is handed to the person. */
export interface Artifact {
  /** The canonical virtual path. */
  readonly path: string
  readonly bytes: number
  /** By content; of texts by the end of the name. */
  readonly mime: string
}

/**
 * Presents files: each that is there now, is a regular file and lies under the outputs; a file that is named twice
 * counts once. One that is none of this is named with the reason and a code, and the others go on. It is a failure
 * when none is left. Throws a ToolgateError `arguments-invalid`, `tool-not-executable`.
 */
export async function presentFilesTool(args: JsonObject, context: FileToolContext): Promise<JsonObject> {
  const workspace = workspaceOf(context)
  const { paths } = args
  if (!Array.isArray(paths) || paths.length === 0) throw wrong('paths', 'is no list of paths')
  const artifacts = new Map<string, Artifact>()
  const refused: { readonly code: string; readonly message: string }[] = []
  for (const given of paths.slice(0, pathsMax) as readonly unknown[]) {
    try {
      const artifact = await artifactAt(workspace, given)
      artifacts.set(artifact.path, artifact)
    } catch (error) {
      if (!(error instanceof ToolgateError)) throw error
      const { code, message, hint } = error.finding
      refused.push({ code, message: hint === undefined ? message : `${message} (${hint})` })
    }
  }
  const list = [...artifacts.values()].map((artifact): JsonObject => ({ ...artifact }))
  const lines = [
    ...[...artifacts.values()].map(
      ({ path, bytes, mime }) => `presented: ${shownPath(path)} (${mime}, ${countOf(bytes, 'byte')})`,
    ),
    ...refused.map(({ message }) => `not presented: ${message}`),
    ...(paths.length > pathsMax ? [`not looked at: ${paths.length - pathsMax} more; name at most ${pathsMax}`] : []),
  ]
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { artifacts: list, refused },
    _meta: { [artifactsKey]: list },
    ...(list.length === 0 ? { isError: true } : {}),
  }
}

const pathsMax = 100

async function artifactAt(workspace: Workspace, given: unknown): Promise<Artifact> {
  const path = pathIn(workspace, given)
  if (path.root?.virtual !== outputsRoot)
    throw pathError('path-outside', path.canonical, `does not lie under ${outputsRoot}`, 'write or copy it there first')
  const file = openFile(path)
  try {
    const head = Buffer.alloc(Math.min(kindHeadBytes, file.size))
    const read = head.subarray(0, await readInto(file, head, 0))
    return { path: file.virtual, bytes: file.size, mime: fileKind(file.virtual, read, read.length >= file.size) }
  } finally {
    file.close()
  }
}
