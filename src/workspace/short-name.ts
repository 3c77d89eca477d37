// A second, short name for a folder of temporary files. The path of a Unix socket has 104 bytes at most (108 on Linux),
// and programs put their sockets where TMPDIR says: in the folder of a thread, deep below a project, they would not
// start. The name is a link in a folder that only we may look into, so nobody else can put another in its place.
//
//   /tmp/toolgate-<user id>/<12 digits of its SHA-256>  ─▶  <threads>/<user>/<thread>/…/.tmp

import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** With a name that long, programs have some fifty bytes left for their own. */
const longNameBytes = 48

/**
 * The short name of a folder; the folder itself where its name is short enough, where the system has no such sockets,
 * and where no safe place for the name can be had.
 */
export function shortNameOf(folder: string): string {
  const user = process.getuid?.()
  if (process.platform === 'win32' || user === undefined || Buffer.byteLength(folder) <= longNameBytes) return folder
  const names = `/tmp/toolgate-${user}`
  const name = join(names, createHash('sha256').update(folder).digest('hex').slice(0, 12))
  try {
    makePrivate(names)
    const { uid, mode } = lstatSync(names)
    const isOurs = lstatSync(names).isDirectory() && uid === user && (mode & 0o077) === 0
    if (!isOurs) return folder
    return pointed(name, folder) ? name : folder
  } catch {
    return folder
  }
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** True when the link leads there afterwards. Others of us may make the same one at the same time. */
function pointed(link: string, folder: string): boolean {
  for (let tries = 0; tries < 3; tries += 1) {
    const found = targetOf(link)
    if (found === folder) return true
    try {
      if (found !== undefined) unlinkSync(link)
      symlinkSync(folder, link)
    } catch {
      // Somebody was quicker; the next look tells with what.
    }
  }
  return targetOf(link) === folder
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}
