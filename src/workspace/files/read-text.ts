// Lines of a text file, as many as one answer holds. A file of any size can be read in parts: it is gone through in
// chunks, and only the lines that are wanted are kept.

import type { HoldOptions } from '../held-folder.ts'
import { chunkBytes, type OpenFile, openFile, readInto } from '../open-file.ts'
import { pathError } from '../path-error.ts'
import { pathIn } from '../path-in.ts'
import type { Workspace } from '../workspace.ts'
import { fileLimits } from './limits.ts'

export interface ReadOptions extends Pick<HoldOptions, 'reach'> {
  /** Counted from 1. Absent: the first. */
  readonly startLine?: number
  /** Itself included. Absent: the last. */
  readonly endLine?: number
}

export interface TextPart {
  /** The canonical virtual path. */
  readonly path: string
  /** The lines with their ends; Windows line ends and a byte order mark are taken out. */
  readonly text: string
  /** The first and the last line in `text`. `lastLine` is below `firstLine` when there is none. */
  readonly firstLine: number
  readonly lastLine: number
  /** `full`: more lines were asked for than an answer holds. `long-line`: so long is the one line that it is cut. */
  readonly cut?: 'full' | 'long-line'
  /** Absent: the file is too long to be counted. */
  readonly linesTotal?: number
  readonly bytesTotal: number
}

/**
 * Reads lines of a text file. Throws a ToolgateError: one of the `path-` codes, `symlink-escape`, `hardlink`,
 * `special-file`, `is-a-folder`, `not-a-folder`, `file-not-text`, `file-too-big` (the first line lies too far from
 * the beginning), `file-io`.
 */
export async function readText(workspace: Workspace, given: unknown, options: ReadOptions = {}): Promise<TextPart> {
  const path = pathIn(workspace, given)
  const file = openFile(path, options)
  try {
    const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = options
    return partOf(await linesOf(file, startLine, endLine), file, startLine)
  } finally {
    file.close()
  }
}

interface Lines {
  readonly bytes: Buffer
  readonly lastLine: number
  readonly cut: TextPart['cut']
  readonly linesTotal: number | undefined
}

async function linesOf(file: OpenFile, startLine: number, endLine: number): Promise<Lines> {
  const kept = keeper()
  // One byte more than is there, so that a short file is read and ended in one go.
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, file.size + 1))
  let line = 1
  let scanned = 0
  let lineHasBytes = false
  const counts = file.size <= fileLimits.countBytes
  for (;;) {
    const count = await readInto(file, chunk, scanned)
    if (scanned === 0 && chunk.subarray(0, Math.min(count, headBytes)).includes(0)) throw notText(file)
    scanned += count
    for (let at = 0; at < count; ) {
      const newline = chunk.indexOf(10, at)
      const end = newline === -1 || newline >= count ? count : newline + 1
      if (line >= startLine && line <= endLine) kept.add(chunk.subarray(at, end), line)
      lineHasBytes = newline === -1 || newline >= count
      if (!lineHasBytes) line += 1
      at = end
    }
    if (count < chunk.length) break
    const done = kept.cut() !== undefined || line > endLine
    if (done && !counts) return { ...kept.lines(), linesTotal: undefined }
    if (!done && line < startLine && scanned >= fileLimits.scanBytes) {
      const hint = 'look for it with grep, or split the file'
      throw pathError('file-too-big', file.virtual, `has line ${startLine} beyond the first ${scanned} bytes`, hint)
    }
  }
  return { ...kept.lines(), linesTotal: lineHasBytes ? line : line - 1 }
}

/** Looked at for a byte that no text has. */
const headBytes = 8192

/** Keeps whole lines while there is room. A first line that is longer than that is cut. */
function keeper() {
  const parts: Buffer[] = []
  let bytes = 0
  /** Bytes up to the end of the last whole line, and its number. */
  let whole = { bytes: 0, line: 0 }
  let lastLine = 0
  let cut: TextPart['cut']
  return {
    cut: () => cut,
    add: (part: Buffer, line: number): void => {
      if (cut !== undefined) return
      const room = fileLimits.answerBytes - bytes
      const fits = part.length <= room ? part : part.subarray(0, room)
      parts.push(Buffer.from(fits))
      bytes += fits.length
      lastLine = line
      if (fits.length < part.length) cut = whole.line > 0 ? 'full' : 'long-line'
      else if (part.at(-1) === 10) whole = { bytes, line }
    },
    lines: () => {
      const all = Buffer.concat(parts)
      return cut === 'full'
        ? { bytes: all.subarray(0, whole.bytes), lastLine: whole.line, cut }
        : { bytes: cut === undefined ? all : upToCharacter(all), lastLine, cut }
    },
  }
}

/** Without the beginning of a character that the cut left at the end. */
function upToCharacter(bytes: Buffer): Buffer {
  let end = bytes.length
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      end = bytes.length - back
      break
    }
  }
  return bytes.subarray(0, end)
}

function partOf({ bytes, lastLine, cut, linesTotal }: Lines, file: OpenFile, startLine: number): TextPart {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: startLine > 1 }).decode(bytes)
  } catch {
    throw notText(file)
  }
  return {
    path: file.virtual,
    text: text.replaceAll('\r\n', '\n'),
    firstLine: startLine,
    lastLine: Math.max(lastLine, startLine - 1),
    ...(cut === undefined ? {} : { cut }),
    ...(linesTotal === undefined ? {} : { linesTotal }),
    bytesTotal: file.size,
  }
}

const notText = (file: OpenFile): Error =>
  pathError('file-not-text', file.virtual, 'is no UTF-8 text', 'use a tool for its kind; view_image opens pictures')
