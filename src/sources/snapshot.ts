// A stored inventory in place of the living sources: nothing is started or imported. Two forms are read: our own
// (`toolgate.snapshot/1`), and the list of {name, source_hint, responsibility} that claw-code keeps of its tools.

import { open } from 'node:fs/promises'
import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import { isObject, oversize } from './bounded-json.ts'
import { clawCandidate, isClawEntry } from './claw-inventory.ts'
import { readCandidate } from './snapshot-candidate.ts'
import type { ServerReport } from './source.ts'

const snapshotSchema = 'toolgate.snapshot/1'

export interface ReadSnapshot {
  readonly form: 'toolgate' | 'claw-code'
  readonly takenAt?: string
  /** The order of gates it was taken with, as stored; absent where none is. */
  readonly preset?: string
  readonly candidates: readonly Candidate[]
  readonly servers: readonly ServerReport[]
  /** The facts it was taken under, bounded in size and depth and otherwise as stored: whoever uses them checks them. */
  readonly facts?: Json
  /** One for each entry that could not be read; the others are not affected. */
  readonly findings: readonly Finding[]
}

const bytesMax = 64 * 1024 * 1024
const entriesMax = 100_000
const entryNodesMax = 50_000
/** Ten thousand rules with their origins, and a parent with as many tools. */
const factsNodesMax = 500_000
const serversMax = 1000
const findingsMax = 100

/** Reads an inventory file. Throws a ToolgateError `snapshot-format` when it cannot be read as a whole. */
export async function readSnapshot(path: string): Promise<ReadSnapshot> {
  const refuse = (why: string): never => {
    throw new ToolgateError(finding('snapshot-format', 'error', why, { origin: { in: printable(path, 200) } }))
  }
  const text = await textOf(path).catch((error: unknown) => refuse(whyUnread(error)))
  const value = parsed(text)
  if (Array.isArray(value)) return fromClaw(value, path) ?? refuse('no entry of the list has a name and a source_hint')
  if (!isObject(value) || value.schema !== snapshotSchema)
    return refuse(`it is neither a list nor does it say "schema": "${snapshotSchema}"`)
  if (!Array.isArray(value.candidates)) return refuse('its candidates are no list')
  if (value.candidates.length > entriesMax) return refuse(`it holds more than ${entriesMax} candidates`)
  const over = oversize(value.facts, factsNodesMax)
  if (over !== undefined) return refuse(`its facts are ${over}`)
  return fromOwn(value, path)
}

function whyUnread(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be read'
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : printable(error.message, 200)
}

async function textOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Error('it is no regular file')
    if (about.size > bytesMax) throw new Error(`it is over ${bytesMax} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

function fromOwn(value: JsonObject, path: string): ReadSnapshot {
  const entries = Array.isArray(value.candidates) ? value.candidates : []
  const servers = Array.isArray(value.servers) ? value.servers.slice(0, serversMax).filter(isServerReport) : []
  return {
    form: 'toolgate',
    ...(typeof value.takenAt === 'string' ? { takenAt: printable(value.takenAt, 40) } : {}),
    ...(typeof value.preset === 'string' ? { preset: printable(value.preset, 40) } : {}),
    ...eachOnce(entries, path, 'candidates', (entry) => readCandidate(entry)),
    servers,
    ...(value.facts === undefined ? {} : { facts: value.facts }),
  }
}

function fromClaw(entries: readonly Json[], path: string): ReadSnapshot | undefined {
  if (entries.length > entriesMax || (entries.length > 0 && !entries.some(isClawEntry))) return undefined
  const seen = new Map<string, number>()
  const read = (entry: Json, index: number) => {
    if (!isClawEntry(entry)) return 'it has no name and source_hint'
    const plain = `${entry.name}@${entry.source_hint}`
    const times = (seen.get(plain) ?? 0) + 1
    seen.set(plain, times)
    return clawCandidate(entry, {
      id: times === 1 ? `snapshot:${plain}` : `snapshot:${plain}#${times}`,
      origin: { in: path, key: `[${index}]` },
    })
  }
  return { form: 'claw-code', servers: [], ...eachOnce(entries, path, '', read) }
}

/** Each entry on its own: a candidate, or a finding that says what is wrong with it. An identity counts once. */
function eachOnce(
  entries: readonly Json[],
  path: string,
  key: string,
  read: (entry: Json, index: number) => Candidate | string,
): Pick<ReadSnapshot, 'candidates' | 'findings'> {
  const candidates = new Map<string, Candidate>()
  const findings: Finding[] = []
  for (const [index, entry] of entries.entries()) {
    const over = oversize(entry, entryNodesMax)
    const result = over === undefined ? read(entry, index) : `it is ${over}`
    const fault =
      typeof result === 'string'
        ? result
        : candidates.has(result.id)
          ? `its id "${printable(result.id, 80)}" occurs before`
          : undefined
    if (typeof result !== 'string' && fault === undefined) candidates.set(result.id, result)
    if (fault !== undefined)
      findings.push(
        finding('snapshot-format', 'error', `entry ${index + 1} was left out: ${fault}`, {
          origin: { in: printable(path, 200), key: `${key}[${index}]` },
        }),
      )
  }
  const rest = findings.length - findingsMax
  const more =
    rest > 0
      ? [
          finding('snapshot-format', 'error', `${rest} more entries were left out`, {
            origin: { in: printable(path, 200) },
          }),
        ]
      : []
  return { candidates: [...candidates.values()], findings: [...findings.slice(0, findingsMax), ...more] }
}

function isServerReport(value: Json): value is Json & ServerReport {
  if (!isObject(value) || oversize(value, 100) !== undefined) return false
  const { name, transport, state, required, tools, origin } = value
  const known = transport === undefined || transport === 'stdio' || transport === 'http' || transport === 'sse'
  return (
    typeof name === 'string' &&
    known &&
    typeof state === 'string' &&
    typeof required === 'boolean' &&
    typeof tools === 'number' &&
    isObject(origin)
  )
}
