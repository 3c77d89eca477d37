// From a path to clean text. Nothing that is not a regular file of bounded size in strict UTF-8 gets past here, so
// that every later reader may rely on it.

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { bounds } from './bounds.ts'
import { permissionFault } from './file-permissions.ts'

export interface ReadTextOptions {
  /** What it says is acted upon, so nobody else may be able to write it. Absent: it is only read. */
  readonly trusted?: boolean
}

export type TextReading = { readonly text: string } | { readonly fault: Finding }

/**
 * Reads a file as text. `file` is how findings name it. Findings: `config-not-found`, `config-unreadable` (no
 * permission, a folder, a pipe or a device), `config-permissions` (with `trusted`), and those of `decodeText`. Never
 * throws, never waits for a pipe.
 */
export async function readText(path: string, file: string = path, options: ReadTextOptions = {}): Promise<TextReading> {
  let handle: FileHandle | undefined
  try {
    // Non-blocking, because opening a pipe would wait for its writer.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const info = await handle.stat()
    if (!info.isFile()) return refused('config-unreadable', file, 'is not a regular file')
    const fault = options.trusted === true ? await permissionFault(info, path, file) : undefined
    if (fault !== undefined) return { fault }
    if (info.size > bounds.fileBytes) return tooBig(file)
    // One byte more than allowed, so that a file that grows meanwhile is noticed and never read to its end.
    const bytes = Buffer.allocUnsafe(bounds.fileBytes + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return decodeText(bytes.subarray(0, length), file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused('config-not-found', file, 'is not there')
    return refused('config-unreadable', file, `cannot be read (${printable(code, 40)})`)
  } finally {
    await handle?.close().catch(() => undefined)
  }
}

/**
 * Bytes to text. A UTF-8 byte order mark is dropped. Findings: `config-too-big`, `config-encoding` (not UTF-8, or a
 * control character other than tab and line end), `config-empty` (nothing but blanks).
 */
export function decodeText(bytes: Uint8Array, file: string): TextReading {
  if (bytes.length > bounds.fileBytes) return tooBig(file)
  if (isUtf16(bytes)) return refused('config-encoding', file, 'is UTF-16 and not UTF-8')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refused('config-encoding', file, 'is not valid UTF-8')
  }
  const control = text.search(controlCharacter)
  if (control !== -1) {
    const point = text.charCodeAt(control)
    const name = point === 0 ? 'NUL, ' : ''
    const line = lineOf(text, control)
    const what = `holds a control character (${name}U+${point.toString(16).toUpperCase().padStart(4, '0')}) on line ${line}`
    return refused('config-encoding', file, what, line)
  }
  if (text.trim() === '') return refused('config-empty', file, 'is empty')
  return { text }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** By its byte order mark, or by a zero byte beside an ASCII letter at the very start. */
function isUtf16(bytes: Uint8Array): boolean {
  const [a, b, c, d] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true
  return bytes.length >= 4 && ((a !== 0 && b === 0 && c !== 0 && d === 0) || (a === 0 && b !== 0 && c === 0 && d !== 0))
}

function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function tooBig(file: string): TextReading {
  return refused('config-too-big', file, `is larger than ${bounds.fileBytes} bytes`)
}

function refused(code: ErrorCode, file: string, what: string, line?: number): TextReading {
  const name = printable(file, 200)
  const origin = line === undefined ? { in: name } : { in: name, line }
  return { fault: finding(code, 'error', `the file ${what}`, { subject: name, origin }) }
}
