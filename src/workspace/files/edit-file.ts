import { type HoldOptions, holdFolder } from '../held-folder.ts'
import { openEntry, placeOf, readWhole } from '../open-file.ts'
import { pathError } from '../path-error.ts'
import { writablePathIn } from '../path-in.ts'
import { hostPathOf } from '../virtual-path.ts'
import type { Workspace } from '../workspace.ts'
import { type EditOutcome, editText, type TextEdit } from './edit-text.ts'
import { inTurn } from './in-turn.ts'
import { fileLimits } from './limits.ts'
import { replaceEntry } from './write-file.ts'

export interface Edited {
  /** The canonical virtual path. */
  readonly path: string
  /** How often it was replaced. */
  readonly count: number
  /** Lines where it was replaced, as they were counted before; the first ones. */
  readonly lines: readonly number[]
}

/**
 * Replaces a piece of a text file. Throws a ToolgateError: those of `writeText`, `path-not-found`, `edit-not-found`
 * (with the place that was probably meant), `edit-ambiguous` (with the lines); the file is as it was then.
 */
export async function editFile(
  workspace: Workspace,
  given: unknown,
  edit: TextEdit & Pick<HoldOptions, 'reach'>,
): Promise<Edited> {
  const path = writablePathIn(workspace, given)
  const { root, parts, name } = placeOf(path)
  return inTurn(hostPathOf(root, path.parts), async () => {
    const held = holdFolder(root, parts, edit)
    try {
      const file = openEntry(held, name)
      const bytes = await readWhole(file, fileLimits.writeBytes).finally(file.close)
      const outcome = editText(textOf(bytes, path.canonical), edit, fileLimits.writeBytes)
      if (outcome.kind !== 'done') throw notEdited(outcome, path.canonical)
      await replaceEntry(held, name, Buffer.from(outcome.text))
      return { path: path.canonical, count: outcome.count, lines: outcome.lines }
    } finally {
      held.close()
    }
  })
}

/** A byte order mark is a part of the text here, so that it is still there afterwards. */
function textOf(bytes: Buffer, virtual: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw pathError('file-not-text', virtual, 'is no UTF-8 text', 'only text can be replaced')
  }
}

function notEdited(outcome: Exclude<EditOutcome, { kind: 'done' }>, virtual: string): Error {
  if (outcome.kind === 'ambiguous') {
    const { count, lines } = outcome
    const where = `on lines ${lines.join(', ')}${count > lines.length ? ' and more' : ''}`
    const hint = 'add lines around old_str until it is unique, or set replace_all'
    return pathError('edit-ambiguous', virtual, `holds old_str ${count} times, ${where}`, hint)
  }
  if (outcome.kind === 'too-big')
    return pathError('file-too-big', virtual, 'would become too big by so many replacements', 'replace less at once')
  const near = outcome.near === undefined ? '' : `; ${outcome.near}`
  return pathError(
    'edit-not-found',
    virtual,
    `does not hold old_str${near}`,
    'read the file, and copy the text exactly',
  )
}
