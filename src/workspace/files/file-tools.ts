// What the file tools answer: text for a model. It says what was left out, and how to get it.

import type { JsonObject } from '../../core/json.ts'
import { shownPath } from '../path-error.ts'
import { flagOf, optionalCountOf, optionalTextOf, textOf, wrong } from '../tool-arguments.ts'
import { workspaceOf } from '../tool-workspace.ts'
import type { Workspace } from '../workspace.ts'
import { bounded, countOf, linesOf, listingText, partNote, walkNotes } from './answer-text.ts'
import { editFile } from './edit-file.ts'
import { findFiles } from './find-files.ts'
import { fileLimits } from './limits.ts'
import { listFolder } from './list-folder.ts'
import { readText } from './read-text.ts'
import { searchFiles } from './search-files.ts'
import { writeText } from './write-file.ts'

/** What a call brings beside its arguments. */
export interface FileToolContext {
  readonly signal?: AbortSignal
  /** Absent: the caller has no thread, and the call fails with `tool-not-executable`. */
  readonly workspace?: Workspace
}

type FileTool = (args: JsonObject, context: FileToolContext) => Promise<string>

export const readFileTool: FileTool = async (args, context) => {
  const startLine = optionalCountOf(args, 'start_line')
  const endLine = optionalCountOf(args, 'end_line')
  if (endLine !== undefined && endLine < (startLine ?? 1)) throw wrong('end_line', 'comes before start_line')
  const range = { ...(startLine === undefined ? {} : { startLine }), ...(endLine === undefined ? {} : { endLine }) }
  const part = await readText(workspaceOf(context), args.path, range)
  const note = partNote(part, startLine !== undefined || endLine !== undefined)
  if (note === undefined) return part.text
  return `${part.text}${part.text === '' || part.text.endsWith('\n') ? '' : '\n'}[${note}]`
}

export const writeFileTool: FileTool = async (args, context) => {
  const append = flagOf(args, 'append')
  const { path, bytes, created } = await writeText(workspaceOf(context), args.path, textOf(args, 'content'), { append })
  const done = created ? 'made' : append ? 'continued' : 'replaced'
  return `${done} ${shownPath(path)} (${countOf(bytes, 'byte')} written)`
}

export const strReplaceTool: FileTool = async (args, context) => {
  const [oldText, newText] = [textOf(args, 'old_str'), textOf(args, 'new_str')]
  if (oldText === '') throw wrong('old_str', 'is empty')
  if (oldText === newText) throw wrong('new_str', 'is the same as old_str')
  const edit = { oldText, newText, all: flagOf(args, 'replace_all') }
  const { path, count, lines } = await editFile(workspaceOf(context), args.path, edit)
  return `replaced ${countOf(count, 'occurrence')} in ${shownPath(path)}, on ${linesOf(lines, count)}`
}

export const lsTool: FileTool = async (args, context) => listingText(await listFolder(workspaceOf(context), args.path))

export const globTool: FileTool = async (args, context) => {
  const max = Math.min(optionalCountOf(args, 'max_results') ?? 200, 1000)
  const options = { pattern: textOf(args, 'pattern'), folders: flagOf(args, 'include_dirs'), max, ...signalOf(context) }
  const found = await findFiles(workspaceOf(context), args.path, options)
  const { shown, lines } = bounded(found.paths.map((path) => shownPath(path)))
  const notes = [
    ...(found.total === 0 ? ['nothing fits the pattern'] : []),
    ...(shown < found.total ? [`${shown} of ${found.total} are shown; name a smaller folder or pattern`] : []),
    ...walkNotes(found),
  ]
  return [...lines, ...notes.map((note) => `[${note}]`)].join('\n')
}

export const grepTool: FileTool = async (args, context) => {
  const max = Math.min(optionalCountOf(args, 'max_results') ?? 100, 500)
  const glob = optionalTextOf(args, 'glob')
  const found = await searchFiles(workspaceOf(context), args.path, {
    pattern: textOf(args, 'pattern'),
    literal: flagOf(args, 'literal'),
    caseSensitive: flagOf(args, 'case_sensitive'),
    ...(glob === undefined ? {} : { glob }),
    max,
    ...signalOf(context),
  })
  const { matches, tooBig, notText, refused, cutLines } = found
  const { shown, lines } = bounded(matches.map(({ path, line, text }) => `${shownPath(path)}:${line}: ${text}`))
  const more = found.more || shown < matches.length
  const notSearched = [
    ...(tooBig > 0 ? [`${countOf(tooBig, 'file')} over ${fileLimits.searchedBytes} bytes`] : []),
    ...(notText > 0 ? [`${countOf(notText, 'file')} of another kind than text`] : []),
    ...(refused > 0 ? [`${countOf(refused, 'file')} that cannot be opened`] : []),
  ]
  const notes = [
    ...(matches.length === 0 ? [`no line matches in ${countOf(found.searched, 'file')}`] : []),
    ...(more ? [`there are more than these ${shown}; name a smaller folder, a glob, or a narrower pattern`] : []),
    ...(notSearched.length > 0 ? [`not searched: ${notSearched.join(', ')}`] : []),
    ...(cutLines > 0 ? [`only the beginning of ${countOf(cutLines, 'very long line')} was searched`] : []),
    ...walkNotes(found),
  ]
  return [...lines, ...notes.map((note) => `[${note}]`)].join('\n')
}

const signalOf = ({ signal }: FileToolContext) => (signal === undefined ? {} : { signal })
