// The logins of this user of the machine, on disk: tokens and the client they were given to. INVARIANT: a login is
// found by server and URL, and names the one issuer that it belongs to; nothing of it is ever sent to another.
//
//   <state>/credentials/<server>-<16 digits of a hash over server, URL and issuer>.json    0600, in a folder 0700
//
// On Windows the modes mean nothing: there the folder is as private as the one that the state folder lies in.

import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../../core/finding.ts'
import { canonicalJson } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { finding } from '../../errors.ts'
import { readRegular, saidBy, writeWhole } from '../listing/listing-file.ts'
import { type Credential, type CredentialPlace, credentialText, parsedCredential } from './oauth-credential.ts'

export interface CredentialStore {
  /** The newest login of a server at a URL. A file that is no login is set aside, and the finding names where. */
  readonly find: (
    server: Pick<CredentialPlace, 'server' | 'url'>,
  ) => Promise<{ readonly credential?: Credential; readonly findings: readonly Finding[] }>
  /** The login at exactly this place as it is stored now. */
  readonly read: (place: CredentialPlace) => Promise<Credential | undefined>
  /** Replaces the login of its place at once. Rejects when that fails, for a login that is lost asks for another one. */
  readonly write: (credential: Credential) => Promise<void>
  /** Makes the folder. Rejects when it cannot be had, so that nobody logs in for nothing. */
  readonly prepare: () => Promise<void>
  /** Removes whatever is stored of a server, at any URL and of any issuer. Gives the number of logins. */
  readonly forget: (server: string) => Promise<number>
  /** A path beside the file of a place, for whoever must be the only one to renew it. */
  readonly lockOf: (place: CredentialPlace) => string
}

/** A token may be a few kilobytes; nothing else in the file is long. */
const fileBytesMax = 256 * 1024

/** The store in a state folder (absolute); its folder is made when something is written. */
export function credentialStore(stateFolder: string): CredentialStore {
  const folder = join(stateFolder, 'credentials')
  const pathOf = (place: CredentialPlace): string => join(folder, fileOf(place))
  const prepare = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // It may have been there before, made by somebody with other habits.
    await chmod(folder, 0o700)
    // A state folder often lies in a repository, and a token that was committed is a token that was published.
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(unlessThere)
  }
  return {
    prepare,
    find: async ({ server, url }) => {
      const findings: Finding[] = []
      let newest: Credential | undefined
      for (const file of await filesOf(folder, server, '')) {
        const path = join(folder, file)
        const credential = await readOrSetAside(path, file, server, findings)
        if (credential === undefined || credential.url !== url) continue
        if (newest === undefined || credential.loggedInAt > newest.loggedInAt) newest = credential
      }
      return { findings, ...(newest === undefined ? {} : { credential: newest }) }
    },
    read: async (place) => {
      const text = await readRegular(pathOf(place), fileBytesMax)
      const credential = text === undefined ? undefined : parsedCredential(text)
      return typeof credential === 'object' && fileOf(credential) === fileOf(place) ? credential : undefined
    },
    write: async (credential) => {
      await prepare()
      // A renewed token has made the one before it worthless, so it must not be lost with the power.
      await writeWhole(pathOf(credential), credentialText(credential), { durable: true })
    },
    forget: async (server) => {
      const files = await filesOf(folder, server, '(?:\\..+)?')
      await Promise.all(files.map((file) => rm(join(folder, file), { force: true })))
      return files.filter((file) => file.endsWith('.json')).length
    },
    lockOf: (place) => `${pathOf(place)}.lock`,
  }
}

/** A server's name has passed the rule [A-Za-z0-9_-]{1,64}; whatever has not is kept out of file names. */
const nameOf = (server: string): string => (/^[A-Za-z0-9_-]{1,64}$/.test(server) ? server : 'server')

function fileOf({ server, url, issuer }: CredentialPlace): string {
  const key = createHash('sha256').update(canonicalJson({ server, url, issuer }))
  return `${nameOf(server)}-${key.digest('hex').slice(0, 16)}.json`
}

async function filesOf(folder: string, server: string, more: string): Promise<readonly string[]> {
  const pattern = new RegExp(`^${nameOf(server)}-[0-9a-f]{16}\\.json${more}$`)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => pattern.test(name)).sort()
}

async function readOrSetAside(
  path: string,
  file: string,
  server: string,
  findings: Finding[],
): Promise<Credential | undefined> {
  try {
    await closedToOthers(path)
    const text = await readRegular(path, fileBytesMax)
    if (text === undefined) return undefined
    const credential = parsedCredential(text)
    if (typeof credential === 'string') throw new Error(credential)
    if (fileOf(credential) !== file) throw new Error('it belongs to another server or issuer')
    return credential
  } catch (error) {
    findings.push(await setAside(path, server, saidBy(error)))
    return undefined
  }
}

/** A folder that was copied or unpacked may have come with the modes of somebody's habits. */
async function closedToOthers(path: string): Promise<void> {
  const about = await lstat(path)
  if (about.isFile() && (about.mode & 0o077) !== 0 && process.platform !== 'win32') await chmod(path, 0o600)
}

/** The file keeps its bytes under another name, for whoever wants to know what happened. */
async function setAside(path: string, server: string, why: string): Promise<Finding> {
  const aside = `${path}.bad`
  const moved = await rename(path, aside).then(
    () => `it was set aside as ${printable(aside, 200)}`,
    (error: unknown) => `and could not be set aside: ${saidBy(error)}`,
  )
  const message = `the stored login of server "${printable(server, 64)}" is not used, for ${why}; ${moved}`
  return finding('state-file', 'warning', message, { subject: server })
}

const unlessThere = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EEXIST') throw error
}
