// From what a model wrote to one virtual path. Pure: no disk is asked. Every file has one canonical path; nothing is
// decoded, folded, expanded or trimmed, so what was judged is what is opened.
//
//   "/mnt//user-data/./workspace/a/"  →  /mnt/user-data/workspace/a  in the root /mnt/user-data/workspace

import { join } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { isDeviceName } from './folder-name.ts'
import { shownPath } from './path-error.ts'
import type { VirtualRoot } from './workspace.ts'

export interface VirtualPath {
  /** Absolute, without double slashes, single dots and a slash at its end. */
  readonly canonical: string
  /** Absent: a folder above the roots, such as `/mnt/user-data`. It exists as a name only and holds what is below it. */
  readonly root?: VirtualRoot
  /** The parts below the root. `[]`: the root itself. */
  readonly parts: readonly string[]
}

/** Bytes of a whole path and of one part of it (Linux: PATH_MAX, NAME_MAX), and parts of a path. */
export const pathBytesMax = 4095
export const partBytesMax = 255
export const partsMax = 128

/**
 * The virtual path that a value means, or a fault with one of the `path-` codes. `roots` as in a Workspace, longest
 * first. Names that the system would take for another file (Windows) are refused by `platform`.
 */
export function parseVirtualPath(
  given: unknown,
  roots: readonly VirtualRoot[],
  platform: NodeJS.Platform = process.platform,
): VirtualPath | { readonly fault: Finding } {
  if (typeof given !== 'string') return fault('path-type', 'a path', `is a ${kindOf(given)} and no text`)
  if (given === '') return fault('path-empty', 'a path', 'is empty')
  const shown = shownPath(given)
  if (/\p{Cs}/u.test(given)) return fault('path-encoding', shown, 'is not well-formed Unicode')
  if (/\p{Cc}/u.test(given)) return fault('path-control-char', shown, 'holds a control character')
  if (Buffer.byteLength(given) > pathBytesMax) return fault('path-too-long', shown, `is over ${pathBytesMax} bytes`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return fault('path-scheme', shown, 'is a URL')
  if (given.includes('\\')) return fault('path-separator', shown, 'holds a backslash')
  if (!given.startsWith('/')) return fault('path-relative', shown, `is not absolute; ${listOf(roots)}`)
  const parts = given.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return fault('path-traversal', shown, 'holds a step upwards')
  if (parts.length > partsMax) return fault('path-too-long', shown, `has over ${partsMax} parts`)
  const long = parts.find((part) => Buffer.byteLength(part) > partBytesMax)
  if (long !== undefined) return fault('path-too-long', shown, `has a part of over ${partBytesMax} bytes`)
  const odd = platform === 'win32' ? parts.find(isNoWindowsName) : undefined
  if (odd !== undefined) return fault('path-name', shown, `holds "${shownPath(odd)}", which is no file name on Windows`)
  return placed(parts, roots) ?? fault('path-outside', shown, `leads to no folder of this thread; ${listOf(roots)}`)
}

/** Host path of a path in a root: where the file is, for whoever opens it by other means than this room's. */
export const hostPathOf = (root: VirtualRoot, parts: readonly string[]): string => join(root.host, ...parts)

/** The roots at or below a folder that exists as a name only, in code unit order. */
export const rootsBelow = (canonical: string, roots: readonly VirtualRoot[]): readonly VirtualRoot[] =>
  roots
    .filter(({ virtual }) => canonical === '/' || virtual.startsWith(`${canonical}/`))
    .sort((a, b) => (a.virtual < b.virtual ? -1 : 1))

function placed(parts: readonly string[], roots: readonly VirtualRoot[]): VirtualPath | undefined {
  const canonical = `/${parts.join('/')}`
  for (const root of roots) {
    const at = root.virtual.split('/').slice(1)
    // Part by part: /mnt/user-data/workspace-old begins like a root and is none.
    if (at.length <= parts.length && at.every((part, index) => part === parts[index]))
      return { canonical, root, parts: parts.slice(at.length) }
  }
  return rootsBelow(canonical, roots).length > 0 ? { canonical, parts: [] } : undefined
}

/** Characters that Windows allows in no name, ends that it drops, devices, and `:` of a second stream of a file. */
const isNoWindowsName = (part: string): boolean => /[<>:"|?*]|[. ]$/.test(part) || isDeviceName(part)

function fault(code: ErrorCode, subject: string, what: string): { readonly fault: Finding } {
  const hint = hints.get(code)
  return { fault: finding(code, 'error', `${subject} ${what}`, { subject, ...(hint === undefined ? {} : { hint }) }) }
}

const hints: ReadonlyMap<string, string> = new Map([
  ['path-separator', 'use / between the parts'],
  ['path-traversal', 'name the file without ".."'],
  ['path-scheme', 'write a path that begins with /mnt/'],
])

const rootsShown = 8

function listOf(roots: readonly VirtualRoot[]): string {
  const names = rootsBelow('/', roots).map(({ virtual }) => shownPath(virtual))
  const more = names.length > rootsShown ? ` and ${names.length - rootsShown} more` : ''
  return `there are ${names.slice(0, rootsShown).join(', ')}${more}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value === 'undefined' ? 'missing value' : typeof value
}
