// The tools of a server that may be started: from the stored listing where that is fresh, else from the server itself.
// Which of the two it is changes nothing but what the report says of it: the same tools give the same candidates.

import type { McpServerConfig } from '../config/config.ts'
import { redactor } from '../config/redact.ts'
import type { Availability, Candidate } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import type { Listing, NoListing } from '../sessions/listing/listing.ts'
import { listingFingerprint } from '../sessions/listing/listing-fingerprint.ts'
import { isFresh } from '../sessions/listing/listing-freshness.ts'
import { type LaunchStamp, launchStamp } from '../sessions/listing/listing-launch.ts'
import { listingProblemsMax } from '../sessions/listing/listing-limits.ts'
import type { GoneTool, ListingStore, StoredListing } from '../sessions/listing/listing-store.ts'
import { oversize } from './bounded-json.ts'
import { mcpCandidates } from './mcp-candidates.ts'
import { absentPart, type Part, reportOf } from './mcp-part.ts'
import type { ServerReport, SourceInput } from './source.ts'

/** Values in one tool that are worth keeping on disk. */
const storedNodesMax = 100_000
/** How many tools that are gone are explained. */
const goneMax = 100

export interface Asking {
  readonly input: SourceInput
  readonly store: ListingStore
  /** The last good listing of this server. */
  readonly last: StoredListing | undefined
}

/** The part of a server that nothing keeps from being started. */
export async function currentPart(server: McpServerConfig, asking: Asking): Promise<Part> {
  const { input, last } = asking
  const { config, environment } = input
  // Taken before the server is started: a file that is edited meanwhile must not pass for the one that was run.
  const launch = await launchStamp(server, { folder: config.folder, environment }, last?.launch?.salt)
  const now = Date.now()
  const may = !mustBeAsked(server, input) && last !== undefined
  if (may && isFresh(last, { now, maxAgeMs: config.listings.maxAgeMs, launch })) {
    return storedPart(server, last, now, input)
  }
  return askedPart(server, asking, launch)
}

/** A run without a required server is no run, so whether it is there is never taken from the disk. */
function mustBeAsked(server: McpServerConfig, { listings }: SourceInput): boolean {
  const refresh = listings?.refresh
  return server.required || refresh === true || refresh?.has(server.name) === true
}

async function storedPart(
  server: McpServerConfig,
  last: StoredListing,
  now: number,
  input: SourceInput,
): Promise<Part> {
  const part = await offeredPart(server, last, last.problems, last)
  const listedAgoMs = now - Date.parse(last.listedAt)
  input.progress?.(`${server.name}: ${counted(part.server.tools)}, from its stored listing`)
  const fresh = freshFor(last.ttlMs, listedAgoMs, input)
  return { ...part, server: { ...part.server, lastListedAt: last.listedAt, cached: true, listedAgoMs, ...fresh } }
}

/**
 * How long a listing of that age may stand in for its server. The server's hint counts beside the configuration's time;
 * a hint of 0 is none (`isFresh`).
 */
function freshFor(ttlMs: number | undefined, ageMs: number, { config }: SourceInput): Pick<ServerReport, 'freshForMs'> {
  const times = [ttlMs ?? 0, config.listings.maxAgeMs].filter((ms) => ms > 0)
  return times.length === 0 ? {} : { freshForMs: Math.max(0, Math.min(...times) - ageMs) }
}

async function askedPart(server: McpServerConfig, asking: Asking, launch: LaunchStamp): Promise<Part> {
  const { input, store, last } = asking
  const { progress = () => {} } = input
  progress(`${server.name}: starting`)
  const result = await ask(server, input, last)
  if ('state' in result) {
    const part = await unavailablePart(server, last, result, input)
    // A server that is still starting may answer yet.
    if (result.state === 'starting') return part
    const failedAt = new Date().toISOString()
    // Whoever broke the run off says nothing of the server.
    if (last !== undefined && input.signal?.aborted !== true)
      await store.markFailed(server.name, last.identity, failedAt)
    return { ...part, server: { ...part.server, failedAt } }
  }
  const part = await listedPart(server, asking, result, launch)
  progress(`${server.name}: ${counted(part.server.tools)} in ${(result.tookMs / 1000).toFixed(1)} s`)
  return part
}

const counted = (tools: number): string => `${tools} ${tools === 1 ? 'tool' : 'tools'}`

async function ask(
  server: McpServerConfig,
  input: SourceInput,
  last: StoredListing | undefined,
): Promise<Listing | NoListing> {
  const { config, environment, signal, listings, stateFolder } = input
  try {
    if (listings?.list !== undefined) return await listings.list(server, signal)
    // The SDK takes a third of a second to load: only a run that starts a server pays for it.
    const { listServer } = await import('../sessions/listing/list-server.ts')
    const auth = await loginFor(server, stateFolder)
    const thread = await threadFor(server, input)
    return await listServer(server, {
      folder: config.folder,
      environment,
      era: last?.era,
      signal,
      messageBytesMax: config.limits.messageBytes,
      ...(auth === undefined ? {} : { auth }),
      ...(thread === undefined ? {} : { thread }),
    })
  } catch (error) {
    const said = printable(error instanceof Error ? error.message : String(error), 240)
    return { state: 'listing-failed', message: `asking it failed: ${said}` }
  }
}

/** Who lists for all threads. */
const lister = { user: 'local', thread: 'listing' }

/** An entry that speaks of a thread's files is listed in a thread of its own. */
async function threadFor(server: McpServerConfig, { config, stateFolder }: SourceInput) {
  const { openThread, speaksOfThread, threadPlace } = await import('../sessions/processes/thread-place.ts')
  if (server.transport !== 'stdio' || !speaksOfThread(server)) return undefined
  return threadPlace(await openThread(config, stateFolder, lister), server.name)
}

/** Only what is called over HTTP has a login. */
async function loginFor(server: McpServerConfig, stateFolder: string) {
  if (server.transport === 'stdio') return undefined
  const { sessionAuth } = await import('../sessions/login/oauth-session.ts')
  return sessionAuth(server, stateFolder)
}

async function unavailablePart(
  server: McpServerConfig,
  last: StoredListing | undefined,
  why: NoListing,
  input: SourceInput,
): Promise<Part> {
  // Servers print their surroundings when they fail.
  const detail = redactor(input.config.secrets)(why.message)
  const origin = server.origins.command ?? server.origins.url ?? server.origin
  const availability: Availability = {
    state: why.state,
    detail,
    origin,
    ...(last === undefined ? {} : { lastListedAt: last.listedAt }),
  }
  input.progress?.(`${server.name}: ${why.state.replaceAll('-', ' ')} (${detail})`)
  const part = await absentPart(server, last, availability)
  if (server.required) return part
  const severity = why.state === 'listed-nothing' || why.state === 'starting' ? 'info' : 'warning'
  const found = finding('server-unavailable', severity, `${server.name}: ${detail}`, { subject: server.name, origin })
  return { ...part, findings: [found, ...part.findings] }
}

async function listedPart(
  server: McpServerConfig,
  { input, store, last }: Asking,
  listing: Listing,
  launch: LaunchStamp,
): Promise<Part> {
  const { identity, era, protocolVersion, introduction, tookMs, ttlMs } = listing
  // What nests too deep cannot be written either, and it must not cost the server its stored listing.
  const tools = listing.tools.filter((tool) => oversize(tool, storedNodesMax) === undefined)
  const problems = listing.problems.slice(0, listingProblemsMax)
  const fingerprint = listingFingerprint(tools)
  const part = await offeredPart(server, listing, problems, last)
  const findings = await store.write({
    server: server.name,
    identity,
    era,
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(introduction === undefined ? {} : { introduction }),
    listedAt: new Date().toISOString(),
    tools,
    whole: tools.length === listing.tools.length,
    fingerprint,
    launch,
    ...(ttlMs === undefined ? {} : { ttlMs }),
    problems,
    gone: part.gone,
  })
  return {
    ...part,
    findings: [...findings, ...part.findings],
    server: {
      ...part.server,
      tookMs: Math.round(tookMs),
      ...freshFor(ttlMs, 0, input),
      ...(last === undefined ? {} : { changed: (last.fingerprint ?? listingFingerprint(last.tools)) !== fingerprint }),
    },
  }
}

/** The candidates of a listing, and one for each tool of earlier ones that it does not hold any more. */
async function offeredPart(
  server: McpServerConfig,
  { tools, protocolVersion, introduction }: Pick<StoredListing, 'tools' | 'protocolVersion' | 'introduction'>,
  problems: readonly string[],
  last: StoredListing | undefined,
): Promise<Part & { readonly gone: readonly GoneTool[] }> {
  const offered = await mcpCandidates(server, tools, { state: 'available' })
  const gone = goneOf(last, new Set(offered.names))
  const tombstones = await Promise.all(gone.map((entry) => tombstone(server, entry)))
  const { name, origin } = server
  const malformed = problems.map((problem) =>
    finding('listing-malformed', 'warning', `${name}: ${problem}`, { subject: name, origin }),
  )
  return {
    candidates: [...offered.candidates, ...tombstones.flat()],
    findings: [...malformed, ...offered.findings],
    server: {
      ...reportOf(server, { state: 'available' }, offered.candidates.length),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
    },
    ...(introduction === undefined ? {} : { introduction }),
    ...(offered.extras.size === 0 ? {} : { extras: offered.extras }),
    names: offered.names,
    gone,
  }
}

/** Tools of earlier listings that are not listed now. */
function goneOf(last: StoredListing | undefined, names: ReadonlySet<string>): readonly GoneTool[] {
  if (last === undefined) return []
  const known = new Set(names)
  const earlier = [...last.tools.map((tool) => ({ tool, lastListedAt: last.listedAt })), ...last.gone]
  return earlier
    .filter(({ tool }) => {
      const name = tool !== null && typeof tool === 'object' && 'name' in tool ? tool.name : undefined
      if (typeof name !== 'string' || known.has(name)) return false
      known.add(name)
      return true
    })
    .slice(0, goneMax)
}

async function tombstone(server: McpServerConfig, { tool, lastListedAt }: GoneTool): Promise<readonly Candidate[]> {
  const availability: Availability = {
    state: 'no-longer-listed',
    detail: 'its server answers and does not list it any more',
    lastListedAt,
  }
  return (await mcpCandidates(server, [tool], availability)).candidates
}
