// The inside of a sandbox as options of bubblewrap. It is built up from nothing: what is not named here is not there.
//
//   /usr, /bin, /lib …     programs of this machine, read-only
//   /etc                   a few files that programs ask for; users and names are made up
//   /mnt/user-data/…       the folders of the thread, as its file tools know them
//   /mnt/skills, /mnt/acp-workspace   read-only
//   /tmp, /dev/shm         in memory, bounded; everything else is read-only, else memory could be filled by files
//   /proc                  of its own processes alone
//
// Folders of the thread are handed over open, so that no name can come to mean another folder before they are mounted.

import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellLimits } from './shell.ts'

export interface SandboxSettings {
  /** True: the network of this machine, its own services included. */
  readonly network: boolean
  /** Host folders of programs, absolute: seen read-only where they lie, and looked up first. `[]`: those of the system. */
  readonly programs: readonly string[]
  readonly limits: ShellLimits
}

/** A folder that becomes one of the sandbox. */
export interface MountedFolder {
  readonly virtual: string
  readonly writable: boolean
  /** The number under which bubblewrap gets it open, or the path of one that is the operator's. */
  readonly from: number | string
}

/** A made-up file of the sandbox. */
export interface MadeFile {
  readonly path: string
  readonly text: string
}

const home = '/mnt/user-data/workspace'

/** Files below /etc that differ from machine to machine, or that would tell who uses it. */
export const madeFiles: readonly MadeFile[] = [
  { path: '/etc/passwd', text: `user:x:1000:1000:user:${home}:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n` },
  { path: '/etc/group', text: 'user:x:1000:\nnogroup:x:65534:\n' },
  { path: '/etc/hosts', text: '127.0.0.1 localhost sandbox\n::1 localhost\n' },
  { path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nhosts: files dns\n' },
]

/**
 * What programs read of /etc: where libraries and alternatives lie, the time zone, kinds of files, fonts. With root as
 * the user outside, files that only root may read could be read inside; none of these is such.
 */
const etc = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'magic', 'mime.types', 'fonts']
/** Of `ssl` only what is public: keys of this machine lie beside it. */
const etcOfNetwork = [
  'resolv.conf',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates.conf',
  'pki/tls/certs',
  'pki/ca-trust',
]

/** Bytes of shared memory that has a name; part of what Python and browsers need to work at all. */
const sharedBytes = 64 * 1024 * 1024

/** Options, without the program that is run. `fileDescriptors` are those of the made files, in their order. */
export function sandboxPlan(
  { network, programs, limits }: SandboxSettings,
  folders: readonly MountedFolder[],
  fileDescriptors: readonly number[],
): readonly string[] {
  const path = [...programs.flatMap((folder) => [join(folder, 'bin'), folder]), ...systemPath].join(':')
  const variables = {
    HOME: home,
    LANG: 'C.UTF-8',
    PATH: path,
    SHELL: '/bin/sh',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    USER: 'user',
  }
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ...(network ? [] : ['--unshare-net']),
    // No further namespaces: in one of its own a program has rights over parts of the kernel that few have tested.
    ...['--disable-userns', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
    ...['--new-session', '--die-with-parent', '--hostname', 'sandbox', '--clearenv'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', ...topFolders.flatMap(asOnHost)],
    ...[...etc, ...(network ? etcOfNetwork : [])].flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...madeFiles.flatMap(({ path }, index) => ['--perms', '0444', '--file', String(fileDescriptors[index]), path]),
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(sharedBytes), '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...['--size', String(limits.tempBytes), '--perms', '1777', '--tmpfs', '/tmp', '--symlink', '/tmp', '/var/tmp'],
    ...programs.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...folders.flatMap(mounted),
    ...['--chdir', home, '--remount-ro', '/dev', '--remount-ro', '/'],
  ]
}

function mounted({ virtual, writable, from }: MountedFolder): readonly string[] {
  if (typeof from === 'number') return [writable ? '--bind-fd' : '--ro-bind-fd', String(from), virtual]
  // One that is not there any more costs nothing but itself.
  return [writable ? '--bind-try' : '--ro-bind-try', from, virtual]
}

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
const topFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** A folder of the root as it is on the host: most systems have links into /usr, some have folders. */
function asOnHost(folder: string): readonly string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder]
}
