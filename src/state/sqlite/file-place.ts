// The place of a store's file: what stands there, and how it is told in findings.

import { type BigIntStats, closeSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'

/** Endings of the files that SQLite keeps beside a file. */
export const besides = ['-journal', '-wal', '-shm'] as const

/** The file, or nothing. Throws where it or one of those beside it is no regular file: SQLite would follow a link. */
export function stands(path: string): BigIntStats | undefined {
  for (const beside of besides) regular(`${path}${beside}`)
  return regular(path)
}

/** The regular file at a path, or nothing. */
export function regular(path: string): BigIntStats | undefined {
  const file = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (file === undefined || file.isFile()) return file
  const hint = 'name the real file in `state.url`'
  throw refused('state-foreign', path, `${printable(path, 300)} is no regular file, and links are not followed`, hint)
}

/** Another file stands there now, or none. */
export const isMoved = (path: string, before: BigIntStats): boolean => {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return now === undefined || now.ino !== before.ino || now.dev !== before.dev
}

/** Nobody has written anything yet. What is empty while changes lie beside it is damaged. */
export function isAbsent(path: string): boolean {
  const file = stands(path)
  return file === undefined || (file.size === 0n && (regular(`${path}-wal`)?.size ?? 0n) === 0n)
}

/** Made for its owner alone, with its folder; nothing where it is there. Throws errors of the system. */
export function make(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** What is told of a file, about its name and from its place. */
export const about = (path: string, severity: Finding['severity'], message: string, hint: string): Finding =>
  finding('state-file', severity, message, {
    subject: printable(basename(path)),
    hint,
    origin: { in: printable(path, 300) },
  })

export function refused(
  code: 'state-newer' | 'state-foreign' | 'state-file',
  path: string,
  message: string,
  hint: string,
): ToolgateError {
  return new ToolgateError({ ...about(path, 'error', message, hint), code })
}
