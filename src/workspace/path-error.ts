// Errors about files, for models and people. INVARIANT: they show virtual paths and never a path of the host.

import { printable } from '../core/printable.ts'
import { type ErrorCode, finding, ToolgateError } from '../errors.ts'

/** A path in a message: whole where that is possible, for it is to be used again. */
export const shownPath = (path: string): string => printable(path, 300)

/** The error `<virtual path> <what>`, such as `/mnt/user-data/workspace/a is a link`. */
export function pathError(code: ErrorCode, virtual: string, what: string, hint?: string): ToolgateError {
  const shown = shownPath(virtual)
  return new ToolgateError(
    finding(code, 'error', `${shown} ${what}`, { subject: shown, ...(hint === undefined ? {} : { hint }) }),
  )
}

export const linkError = (virtual: string): ToolgateError =>
  pathError('symlink-escape', virtual, 'is a link; links are not followed', 'name the real file or folder')

export const specialFileError = (virtual: string): ToolgateError =>
  pathError('special-file', virtual, 'is a pipe, socket or device', 'use a regular file')

export const isFolderError = (virtual: string): ToolgateError =>
  pathError('is-a-folder', virtual, 'is a folder', 'name a file in it; ls lists it')

export const notFolderError = (virtual: string): ToolgateError =>
  pathError('not-a-folder', virtual, 'is a file and no folder', 'check the path')

/** `near`: names of the same folder that may have been meant. */
export const notFoundError = (virtual: string, near: readonly string[] = []): ToolgateError => {
  const meant = near.map((name) => `"${shownPath(name)}"`).join(' or ')
  const hint = meant === '' ? 'list the folder to see what is there' : `did you mean ${meant}`
  return pathError('path-not-found', virtual, 'is not there', hint)
}

/** The word of the system for an error, such as `ENOENT`; `''` where it is no error of the system. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * The error for what a system call said of a virtual path. `doing` completes "cannot be", such as `read`. What is a
 * ToolgateError already stays as it is.
 */
export function systemError(error: unknown, virtual: string, doing: string): ToolgateError {
  if (error instanceof ToolgateError) return error
  const code = systemCode(error)
  const make = known.get(code)
  if (make !== undefined) return make(virtual)
  const reason = reasons.get(code) ?? 'the system refused it'
  return pathError('file-io', virtual, `cannot be ${doing}: ${reason}${code === '' ? '' : ` (${printable(code, 40)})`}`)
}

const known: ReadonlyMap<string, (virtual: string) => ToolgateError> = new Map([
  ['ENOENT', (virtual) => notFoundError(virtual)],
  ['ENOTDIR', notFolderError],
  ['EISDIR', isFolderError],
  ['ELOOP', linkError],
  ['ENXIO', specialFileError],
  ['EEXIST', (virtual) => pathError('path-exists', virtual, 'is there already', 'use another name')],
  ['ENAMETOOLONG', (virtual) => pathError('path-too-long', virtual, 'is too long for the system', 'shorten it')],
])

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'there is no space left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the system allows no file of that size'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'there is no permission'],
  ['EPERM', 'there is no permission'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the disk failed'],
])
