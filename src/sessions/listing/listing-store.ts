// The last good listing of each server, on disk: so that a run can list without starting anything, and can say which
// tools are missing when a server is not there. One file a server, written whole or not at all; beside it, when the
// last attempt failed, a mark that says when. The mark is a file of its own, so that one run that fails never puts an
// older listing in the place of one that another run has just stored.
//
//   <state>/listings/<server>-<first 16 digits of its identity>.json
//                                                              .failed

import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { finding } from '../../errors.ts'
import { type Introduction, readIntroduction } from './listing.ts'
import { readRegular, saidBy, writeWhole } from './listing-file.ts'
import type { LaunchStamp } from './listing-launch.ts'
import { listingBytesMax, listingProblemsMax } from './listing-limits.ts'

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
  /** Absent: it was stored by an earlier version. */
  readonly introduction?: Introduction
  /** ISO 8601. */
  readonly listedAt: string
  /** As received. */
  readonly tools: readonly unknown[]
  /** False: tools that cannot be written are missing, so it explains and is not served. */
  readonly whole: boolean
  /** SHA-256 over the tools; see `listingFingerprint`. Absent: it was stored by an earlier version. */
  readonly fingerprint?: string
  /** What was started. Absent: nobody knows, so it is not served. */
  readonly launch?: LaunchStamp
  /** How long the server says that it may be kept, milliseconds. Absent: it said nothing. */
  readonly ttlMs?: number
  /** What was wrong with the list as such, one sentence each. */
  readonly problems: readonly string[]
  /** Newest first; kept only to explain where a tool has gone. */
  readonly gone: readonly GoneTool[]
  /** When the last attempt failed, ISO 8601, if one ever did. */
  readonly failedAt?: string
}

export interface ListingStore {
  /** The listing of this identity, if there is one. A file that is no such listing is moved aside, and the finding names where. */
  readonly read: (
    server: string,
    identity: string,
  ) => Promise<{ readonly listing?: StoredListing; readonly findings: readonly Finding[] }>
  /** Replaces it at once. A store that cannot be written costs a finding, never the run. */
  readonly write: (listing: Omit<StoredListing, 'failedAt'>) => Promise<readonly Finding[]>
  /** Notes that the server could not be listed at that time (ISO 8601). The listing itself stays as it is. Never rejects. */
  readonly markFailed: (server: string, identity: string, at: string) => Promise<void>
}

const schema = 'toolgate.listing/1'
const goneMax = 100
/** A listing and what was added to it. */
const fileBytesMax = 2 * listingBytesMax
const markBytesMax = 100

/** The store in a state folder (absolute); the folder is made when something is written. */
export function listingStore(stateFolder: string): ListingStore {
  const folder = join(stateFolder, 'listings')
  // A server's name has passed the rule [A-Za-z0-9_-]{1,64}; whatever has not is kept out of file names.
  const pathOf = (server: string, identity: string, ending: '.json' | '.failed'): string =>
    join(folder, `${/^[A-Za-z0-9_-]{1,64}$/.test(server) ? server : 'server'}-${identity.slice(0, 16)}${ending}`)
  return {
    read: async (server, identity) => {
      const path = pathOf(server, identity, '.json')
      try {
        const text = await readRegular(path, fileBytesMax)
        if (text === undefined) return { findings: [] }
        const listing = parsed(text)
        if (typeof listing !== 'string' && listing.identity === identity) {
          const failedAt = await markIn(pathOf(server, identity, '.failed'))
          return { listing: failedAt === undefined ? listing : { ...listing, failedAt }, findings: [] }
        }
        return {
          findings: [
            await setAside(path, server, typeof listing === 'string' ? listing : 'it belongs to another server'),
          ],
        }
      } catch (error) {
        return { findings: [await setAside(path, server, saidBy(error))] }
      }
    },
    write: async (listing) => {
      const { server, identity, gone } = listing
      try {
        const text = JSON.stringify({ schema, ...listing, gone: gone.slice(0, goneMax) })
        await writeWhole(pathOf(server, identity, '.json'), text)
        await rm(pathOf(server, identity, '.failed'), { force: true }).catch(() => {})
        return []
      } catch (error) {
        const message = `the listing of server "${printable(server, 64)}" could not be stored: ${saidBy(error)}`
        return [finding('state-file', 'warning', message, { subject: server })]
      }
    },
    // A mark that cannot be written costs no more than one run that lists what it listed before.
    markFailed: (server, identity, at) => writeWhole(pathOf(server, identity, '.failed'), at).catch(() => {}),
  }
}

/** The time in a mark; one that cannot be read counts as a failure at the end of time, so that the server is asked. */
async function markIn(path: string): Promise<string | undefined> {
  const text = await readRegular(path, markBytesMax).catch(() => '')
  return text === undefined || isTime(text) ? text : unreadableMark
}

const unreadableMark = '9999-12-31T23:59:59.999Z'

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
  const { server, identity, era, protocolVersion, listedAt, tools, fingerprint, launch, ttlMs, gone } = from
  const introduction = readIntroduction(from.introduction)
  if (from.schema !== schema) return `it does not say "${schema}"`
  if (typeof server !== 'string' || typeof identity !== 'string' || !isTime(listedAt) || !Array.isArray(tools))
    return 'it is no listing'
  return {
    server,
    identity,
    era: era === 'modern' ? 'modern' : 'legacy',
    ...(typeof protocolVersion === 'string' ? { protocolVersion } : {}),
    ...(introduction === undefined ? {} : { introduction }),
    listedAt,
    tools,
    whole: from.whole === true,
    ...(typeof fingerprint === 'string' ? { fingerprint } : {}),
    ...(isLaunchStamp(launch) ? { launch } : {}),
    ...(typeof ttlMs === 'number' && ttlMs >= 0 ? { ttlMs } : {}),
    problems: (Array.isArray(from.problems) ? from.problems : [])
      .filter((problem) => typeof problem === 'string')
      .slice(0, listingProblemsMax),
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

function isLaunchStamp(value: unknown): value is LaunchStamp {
  if (value === null || typeof value !== 'object') return false
  const { files, salt, values } = value as { readonly [key: string]: unknown }
  return typeof files === 'string' && typeof salt === 'string' && typeof values === 'string'
}

/** The file keeps its bytes under another name, for whoever wants to know what happened. */
async function setAside(path: string, server: string, why: string): Promise<Finding> {
  const aside = `${path}.bad`
  const moved = await rename(path, aside).then(
    () => `it was set aside as ${printable(aside, 200)}`,
    (error: unknown) => `and could not be set aside: ${saidBy(error)}`,
  )
  const message = `the stored listing of server "${printable(server, 64)}" is not used, for ${why}; ${moved}`
  return finding('state-file', 'warning', message, { subject: server })
}
