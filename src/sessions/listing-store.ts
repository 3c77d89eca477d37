// The last good listing of each server, on disk: so that a run can say which tools are missing when a server is
// not there, and when they were last seen. One file a server, written whole or not at all.
//
//   <state>/listings/<server>-<first 16 digits of its identity>.json

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { listingBytesMax } from './listing-limits.ts'

/** A tool that the server listed once and does not list now. */
export interface GoneTool {
  readonly tool: unknown
  /** ISO 8601. */
  readonly lastListedAt: string
}

export interface StoredListing {
  readonly server: string
  readonly identity: string
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion?: string
  /** ISO 8601. */
  readonly listedAt: string
  /** As received. */
  readonly tools: readonly unknown[]
  /** Newest first; kept only to explain where a tool has gone. */
  readonly gone: readonly GoneTool[]
}

export interface ListingStore {
  /** The listing of this identity, if there is one. A file that is no such listing is moved aside, and the finding names where. */
  readonly read: (
    server: string,
    identity: string,
  ) => Promise<{ readonly listing?: StoredListing; readonly findings: readonly Finding[] }>
  /** Replaces it at once. A store that cannot be written costs a finding, never the run. */
  readonly write: (listing: StoredListing) => Promise<readonly Finding[]>
}

const schema = 'toolgate.listing/1'
const goneMax = 100
/** A listing and what was added to it. */
const fileBytesMax = 2 * listingBytesMax

/** The store in a state folder (absolute); the folder is made when something is written. */
export function listingStore(stateFolder: string): ListingStore {
  const folder = join(stateFolder, 'listings')
  // A server's name has passed the rule [A-Za-z0-9_-]{1,64}; whatever has not is kept out of file names.
  const pathOf = (server: string, identity: string): string =>
    join(folder, `${/^[A-Za-z0-9_-]{1,64}$/.test(server) ? server : 'server'}-${identity.slice(0, 16)}.json`)
  return {
    read: async (server, identity) => {
      const path = pathOf(server, identity)
      try {
        const text = await readRegular(path)
        if (text === undefined) return { findings: [] }
        const listing = parsed(text)
        if (typeof listing !== 'string' && listing.identity === identity) return { listing, findings: [] }
        return {
          findings: [
            await setAside(path, server, typeof listing === 'string' ? listing : 'it belongs to another server'),
          ],
        }
      } catch (error) {
        return { findings: [await setAside(path, server, said(error))] }
      }
    },
    write: async (listing) => {
      const path = pathOf(listing.server, listing.identity)
      const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(temporary, 'wx', 0o600)
        try {
          await file.writeFile(JSON.stringify({ schema, ...listing, gone: listing.gone.slice(0, goneMax) }))
        } finally {
          await file.close()
        }
        await rename(temporary, path)
        return []
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {})
        const message = `the listing of server "${printable(listing.server, 64)}" could not be stored: ${said(error)}`
        return [finding('state-file', 'warning', message, { subject: listing.server })]
      }
    },
  }
}

/** The text of a regular file; links are not followed, and a pipe is not waited for. */
async function readRegular(path: string): Promise<string | undefined> {
  const noFollow = constants.O_NOFOLLOW ?? 0
  const file = await open(path, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (file === undefined) return undefined
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Error('it is no regular file')
    if (about.size > fileBytesMax) throw new Error('it is too big')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** A stored listing, or what is wrong with the text. */
function parsed(text: string): StoredListing | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is torn'
  }
  if (value === null || typeof value !== 'object') return 'it is no listing'
  const from = value as { readonly [key: string]: unknown }
  const { server, identity, era, protocolVersion, listedAt, tools, gone } = from
  if (from.schema !== schema) return `it does not say "${schema}"`
  if (typeof server !== 'string' || typeof identity !== 'string' || !isTime(listedAt) || !Array.isArray(tools))
    return 'it is no listing'
  return {
    server,
    identity,
    era: era === 'modern' ? 'modern' : 'legacy',
    ...(typeof protocolVersion === 'string' ? { protocolVersion } : {}),
    listedAt,
    tools,
    gone: (Array.isArray(gone) ? gone : []).filter(isGone).slice(0, goneMax),
  }
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 30 && !Number.isNaN(Date.parse(value))

const isGone = (value: unknown): value is GoneTool =>
  value !== null &&
  typeof value === 'object' &&
  'tool' in value &&
  'lastListedAt' in value &&
  isTime(value.lastListedAt)

/** The file keeps its bytes under another name, for whoever wants to know what happened. */
async function setAside(path: string, server: string, why: string): Promise<Finding> {
  const aside = `${path}.bad`
  const moved = await rename(path, aside).then(
    () => `it was set aside as ${printable(aside, 200)}`,
    (error: unknown) => `and could not be set aside: ${said(error)}`,
  )
  const message = `the stored listing of server "${printable(server, 64)}" is not used, for ${why}; ${moved}`
  return finding('state-file', 'warning', message, { subject: server })
}

const said = (error: unknown): string => printable(error instanceof Error ? error.message : String(error), 200)
