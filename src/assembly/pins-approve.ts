// Approving: what a person has read becomes what later runs are held to.

import { join } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { foldName } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { spellings } from '../core/surface.ts'
import { finding, ToolgateError } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { type PinnedLaunch, type PinnedTool, type PinsReport, pinsReport, type StoredPin } from '../report/pins.ts'
import { isShared, launchOf } from '../sources/mcp-launch.ts'
import { pinsFile, readPinsFile, type StoredPins, writePinsFile } from './pins-file.ts'
import { stateFolderOf } from './prepare-run.ts'
import type { PreparedRun } from './run-input.ts'

export interface PinsOptions {
  /** Absent: that of the configuration. */
  readonly stateFolder?: string
  /** Absent: that of the process. */
  readonly environment?: { readonly [name: string]: string | undefined }
}

export interface Approved {
  /** What is approved now, and what still waits. */
  readonly report: PinsReport
  /** What was approved by this: it waited, or was new. */
  readonly tools: readonly PinnedTool[]
  readonly launches: readonly PinnedLaunch[]
  /** Absolute path of the file. */
  readonly file: string
  /** Approvals in it now. */
  readonly stored: StoredPins
  readonly findings: readonly Finding[]
}

/** The state of all approvals of a run that has a configuration. Never writes. A file that cannot be read is a finding. */
export async function pinsOf(
  run: PreparedRun,
  options: PinsOptions = {},
): Promise<{ readonly report: PinsReport; readonly stored: StoredPins; readonly findings: readonly Finding[] }> {
  const { folder, config } = placeOf(run, options)
  const read = await readPinsFile(folder)
  const stored = read.kind === 'read' ? read : { pins: [], launches: [] }
  const findings = read.kind === 'unreadable' ? [finding('state-file', 'error', read.why, { subject: pinsFile })] : []
  const environment = options.environment ?? process.env
  const current = config.mcpServers
    .filter((server) => isShared(server) && server.enabled && server.approved)
    .map((server) => launchOf(server, config, environment))
  const { pins, launches } = stored
  const report = pinsReport(run, { enabled: config.pins.enabled, pins, launches, current })
  return { report, stored: { pins, launches }, findings }
}

/**
 * Approves what waits: all of it, or what the words name (a tool in any of its spellings; a server: what it runs, and
 * all its tools). With all of it, approvals of what is gone are dropped. Throws a ToolgateError `unknown-name` for a
 * word that names nothing, and `state-file` when nothing could be stored.
 */
export async function approve(
  run: PreparedRun,
  words: readonly string[] | 'all',
  options: PinsOptions = {},
): Promise<Approved> {
  const { folder } = placeOf(run, options)
  const before = await pinsOf(run, options)
  const named = words === 'all' ? undefined : meantBy(words, run, before.report)
  const isMeant = (entry: PinnedTool | PinnedLaunch): boolean =>
    waits(entry) && (named === undefined || named.has('id' in entry ? entry.id : launchKey(entry.server)))
  const tools = before.report.tools.filter(isMeant)
  const launches = before.report.launches.filter(isMeant)
  const stored = merged(run, before, { tools, launches, all: words === 'all' })
  const findings = await writePinsFile(folder, stored)
  const { report } = await pinsOf(run, options)
  return { report, tools, launches, file: join(folder, pinsFile), stored, findings }
}

const waits = ({ state }: PinnedTool | PinnedLaunch): boolean => state === 'changed' || state === 'new'

function placeOf({ config }: PreparedRun, { stateFolder }: PinsOptions) {
  if (config === undefined) throw new TypeError('approvals need a configuration')
  return { config, folder: stateFolder ?? stateFolderOf(config) }
}

interface Meant {
  readonly tools: readonly PinnedTool[]
  readonly launches: readonly PinnedLaunch[]
  readonly all: boolean
}

/** Old approvals and new ones; an old one without its definition gets it, for the hash is the same. */
function merged(
  run: PreparedRun,
  { report, stored }: { readonly report: PinsReport; readonly stored: StoredPins },
  { tools, launches, all }: Meant,
): StoredPins {
  const approvedAt = new Date().toISOString()
  const states = new Map(report.tools.map((tool) => [tool.id, tool.state]))
  const candidates = new Map(run.candidates.map((candidate) => [candidate.id, candidate]))
  const withDefinition = (pin: StoredPin): StoredPin => {
    const candidate = candidates.get(pin.id)
    if (candidate === undefined || candidate.definitionHash !== pin.definitionHash) return pin
    const { server, definition } = candidate
    return { ...pin, ...(server === undefined ? {} : { server }), definition }
  }
  const replaced = new Set(tools.map(({ id }) => id))
  const kept = stored.pins.filter(({ id }) => !replaced.has(id) && !(all && states.get(id) === 'gone'))
  const added = tools.flatMap(({ id, definitionHash }) =>
    definitionHash === undefined ? [] : [{ id, definitionHash, approvedAt }],
  )
  const gone = new Set(report.launches.filter(({ state }) => all && state === 'gone').map(({ server }) => server))
  const renewed = new Set(launches.map(({ server }) => server))
  return {
    pins: [...kept, ...added].map(withDefinition),
    launches: [
      ...stored.launches.filter(({ server }) => !renewed.has(server) && !gone.has(server)),
      ...launches.flatMap(({ server, launchHash, shown }) =>
        launchHash === undefined || shown === undefined ? [] : [{ server, launchHash, shown, approvedAt }],
      ),
    ],
  }
}

const launchKey = (server: string): string => `launch ${server}`

/** Identities of tools and keys of launches that the words name. */
function meantBy(words: readonly string[], run: PreparedRun, report: PinsReport): ReadonlySet<string> {
  const meant = new Set<string>()
  const servers = new Map([
    ...run.servers.map(({ name }) => [foldName(name), name] as const),
    ...report.launches.map(({ server }) => [foldName(server), server] as const),
  ])
  for (const word of words) {
    const server = servers.get(foldName(word))
    const decisions = run.surface.decisions.filter(
      ({ candidate }) => server !== undefined && candidate.server === server,
    )
    const found = [...run.surface.named(word), ...decisions]
    if (server === undefined && found.length === 0) throw unknownName(word, run, [...servers.values()])
    for (const { candidate } of found) meant.add(candidate.id)
    if (server !== undefined) meant.add(launchKey(server))
  }
  return meant
}

function unknownName(word: string, run: PreparedRun, servers: readonly string[]): ToolgateError {
  const known = [...run.surface.decisions.flatMap(spellings), ...servers]
  const near = nearest(word.slice(0, 200), known, 2).map((name) => `"${printable(name, 80)}"`)
  return new ToolgateError(
    finding('unknown-name', 'error', `no tool and no server is called "${printable(word, 120)}"`, {
      subject: word,
      hint: near.length > 0 ? `did you mean ${near.join(' or ')}` : 'run `toolgate pin --all` to see what there is',
      origin: { in: 'command line', key: word },
    }),
  )
}
