// The file of approvals in the state folder: definitions with their hashes, and what servers of shared files run. It
// is the word of a person, so it is never replaced where it cannot be read: it is set aside and named.
//
//   <state>/pins.json   {"schema": "toolgate.pins/1", "pins": […], "launches": […]}   one entry a line

import { lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Definition } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Pin } from '../core/run-facts.ts'
import { finding, ToolgateError } from '../errors.ts'
import type { StoredLaunch, StoredPin } from '../report/pins.ts'
import { readRegular, saidBy, writeWhole } from '../sessions/listing/listing-file.ts'
import { isObject, oversize } from '../sources/bounded-json.ts'

export const pinsFile = 'pins.json'
const pinsSchema = 'toolgate.pins/1'

const bytesMax = 64 * 1024 * 1024
/** The longest definition that is kept for showing a difference, in characters of JSON; its hash is kept in any case. */
const definitionCharsMax = 64 * 1024
const definitionNodesMax = 20_000
const shownMax = 2000
const asideMax = 100

export interface StoredPins {
  readonly pins: readonly StoredPin[]
  readonly launches: readonly StoredLaunch[]
}

export type ReadPins =
  | { readonly kind: 'absent' }
  /** It is there and is no file of approvals: one sentence says why. */
  | { readonly kind: 'unreadable'; readonly why: string }
  | ({ readonly kind: 'read' } & StoredPins)

/** Reads the file. Never rejects; an entry that is no approval approves nothing. */
export async function readPinsFile(stateFolder: string): Promise<ReadPins> {
  const unreadable = (why: string): ReadPins => ({ kind: 'unreadable', why: `the file of approvals ${why}` })
  let text: string | undefined
  try {
    text = await readRegular(join(stateFolder, pinsFile), bytesMax)
  } catch (error) {
    return unreadable(`cannot be read: ${saidBy(error)}`)
  }
  if (text === undefined) return { kind: 'absent' }
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return unreadable('is not JSON')
  }
  if (!isObject(stored) || stored.schema !== pinsSchema || !Array.isArray(stored.pins))
    return unreadable(`does not say "${pinsSchema}", or has another form`)
  const launches = launchesOf(stored.launches)
  // A launch that is lost would let its server start by its name alone.
  if (launches === undefined) return unreadable('holds a launch that cannot be read')
  return { kind: 'read', pins: stored.pins.flatMap((entry) => pinOf(entry) ?? []), launches }
}

/**
 * Replaces the file as a whole. One that cannot be read is set aside first, and the finding names where; when that
 * cannot be done, nothing is written. Throws a ToolgateError `state-file`.
 */
export async function writePinsFile(stateFolder: string, { pins, launches }: StoredPins): Promise<readonly Finding[]> {
  const path = join(stateFolder, pinsFile)
  try {
    const before = await readPinsFile(stateFolder)
    const aside = before.kind === 'unreadable' ? [await setAside(path, before.why)] : []
    const text = [
      `{"schema": ${JSON.stringify(pinsSchema)},`,
      `"pins": [${linesOf(pins.map(storable))}],`,
      `"launches": [${linesOf(launches)}]}`,
      '',
    ].join('\n')
    await writeWhole(path, text, { durable: true })
    return aside
  } catch (error) {
    throw new ToolgateError(
      finding('state-file', 'error', `the approvals could not be stored: ${saidBy(error)}`, {
        subject: pinsFile,
        origin: { in: printable(path, 300) },
      }),
    )
  }
}

/** One line an entry, so that two versions of the file can be compared line by line. */
const linesOf = (entries: readonly object[]): string =>
  entries.length === 0 ? '' : `\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n`

/** Every key in one order, so that what did not change stays the same line. */
function storable({ id, server, definitionHash, approvedAt, definition }: StoredPin): StoredPin {
  const isKept =
    definition !== undefined &&
    oversize(definition, definitionNodesMax) === undefined &&
    canonicalJson(definition as unknown as Json).length <= definitionCharsMax
  return {
    id,
    ...(server === undefined ? {} : { server }),
    definitionHash,
    approvedAt,
    ...(isKept ? { definition } : {}),
  }
}

function pinOf(value: Json): StoredPin | undefined {
  if (!isObject(value)) return undefined
  const { id, server, definitionHash, approvedAt, definition } = value
  if (typeof id !== 'string' || typeof definitionHash !== 'string' || typeof approvedAt !== 'string') return undefined
  return {
    id,
    ...(typeof server === 'string' ? { server } : {}),
    definitionHash,
    approvedAt,
    ...(isDefinition(definition) ? { definition } : {}),
  }
}

/** Only shown to people; what is withheld is decided by the hash. */
function isDefinition(value: Json | undefined): value is Json & Definition {
  if (!isObject(value) || oversize(value, definitionNodesMax) !== undefined) return false
  return typeof value.description === 'string' && isObject(value.inputSchema)
}

/** Files of earlier versions have none. */
function launchesOf(value: Json | undefined): readonly StoredLaunch[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const launches = value.map((entry: Json) => launchOf(entry))
  return launches.every((launch) => launch !== undefined) ? launches : undefined
}

function launchOf(value: Json): StoredLaunch | undefined {
  if (!isObject(value)) return undefined
  const { server, launchHash, shown, approvedAt } = value
  if (typeof server !== 'string' || typeof launchHash !== 'string') return undefined
  if (typeof shown !== 'string' || typeof approvedAt !== 'string') return undefined
  return { server, launchHash, shown: printable(shown, shownMax), approvedAt }
}

/** An older one that was set aside stays as well. */
async function setAside(path: string, why: string): Promise<Finding> {
  for (let number = 1; number <= asideMax; number += 1) {
    const aside = number === 1 ? `${path}.bad` : `${path}.bad-${number}`
    const isFree = await lstat(aside).then(
      () => false,
      () => true,
    )
    if (!isFree) continue
    await rename(path, aside)
    return finding('state-file', 'warning', `${why}; it was set aside as ${printable(aside, 300)}`, {
      subject: pinsFile,
    })
  }
  throw new Error(`${why}, and ${asideMax} others that were set aside lie beside it`)
}

/** What the gates read of an approval. */
export const slimPin = ({ id, definitionHash, approvedAt }: StoredPin): Pin => ({ id, definitionHash, approvedAt })
