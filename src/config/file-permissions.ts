// Who may change a configuration may start programs as us, so a file that others may write is not read. What counts
// is who can write the file, or put another in its place: its mode, the mode of its folders, and its owner.

import { constants, type Stats } from 'node:fs'
import { access, realpath, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'

const worldWrite = 0o002
const sticky = 0o1000

/**
 * Nothing when the opened file may be believed; else a `config-permissions` that says what to run. `info` is of the
 * opened file, `path` leads to it, `file` is how findings name it, `us` the user that this program runs as. A group may write: a umask of 002 is usual. Windows,
 * file systems without modes of their own, and disks that are mounted read-only have nothing to be judged.
 */
export async function permissionFault(
  info: Stats,
  path: string,
  file: string,
  us: number | undefined = process.geteuid?.(),
): Promise<Finding | undefined> {
  if (us === undefined) return undefined
  const fault = (await faultOf(info, path, us)) ?? (await faultOfFolders(path, us))
  if (fault === undefined) return undefined
  const subject = printable(file, 200)
  return finding('config-permissions', 'error', `the file ${subject} is not read: ${fault.what}`, {
    subject,
    hint: `look at what it says, then ${fault.remedy}`,
    origin: { in: subject },
  })
}

interface Fault {
  readonly what: string
  readonly remedy: string
}

async function faultOf(info: Stats, path: string, us: number): Promise<Fault | undefined> {
  const open = (info.mode & worldWrite) !== 0
  const foreign = isForeign(info, us)
  if ((!open && !foreign) || (await isBeyondModes(path))) return undefined
  const shown = printable(path, 200)
  if (open) return { what: 'everybody on this machine may write it', remedy: `run: chmod o-w ${shown}` }
  return { what: `it belongs to ${foreigner(info, us)}`, remedy: asThatUser(us, shown) }
}

/** The folder that the path names, and the one where the file really is when the path leads through a link. */
async function faultOfFolders(path: string, us: number): Promise<Fault | undefined> {
  const folders = new Set([dirname(resolve(path)), dirname(await realpath(path).catch(() => resolve(path)))])
  for (const folder of folders) {
    const info = await stat(folder).catch(() => undefined)
    if (info === undefined) continue
    const shown = printable(folder, 200)
    // In a sticky folder, such as /tmp, only the owner of a file can put another in its place.
    const open = (info.mode & worldWrite) !== 0 && (info.mode & sticky) === 0
    const foreign = isForeign(info, us)
    if ((!open && !foreign) || (await isBeyondModes(folder))) continue
    if (open)
      return { what: 'everybody on this machine may put another in its place', remedy: `run: chmod o-w ${shown}` }
    return { what: `its folder belongs to ${foreigner(info, us)}`, remedy: asThatUser(us, shown) }
  }
  return undefined
}

/** In a container the folder of a project usually belongs to a user outside of it, and everything runs as root. */
const isForeign = ({ uid }: Stats, us: number): boolean => us !== 0 && uid !== us && uid !== 0

const foreigner = ({ uid }: Stats, us: number): string => `another user (${uid}), and this program runs as ${us}`
const asThatUser = (us: number, path: string): string => `run this program as that user, or run: chown ${us} ${path}`

/** True where the mode says nothing of who can write: a foreign file system, or a disk that nobody can write to. */
async function isBeyondModes(path: string): Promise<boolean> {
  const type =
    process.platform === 'linux'
      ? await statfs(path).then(
          (found) => found.type,
          () => 0,
        )
      : 0
  if (withoutModes.has(type)) return true
  return access(path, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EROFS',
  )
}

/** Linux, statfs(2) and linux/magic.h: drives of another system, which show one mode for all their files. */
const withoutModes: ReadonlySet<number> = new Set([
  0x01021997, // 9p: drives of Windows under WSL, folders of a host
  0x4d44, // vfat
  0x2011bab0, // exfat
  0x5346544e, // ntfs
  0x7366746e, // ntfs3
  0x65735546, // fuse
])
