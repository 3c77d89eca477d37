// Tools of MCP servers. Servers are started side by side, each on its own clock, asked for their tools and ended.
// A server that is switched off, not approved or left out whole by the rules is never started; what is known of its
// tools from the last good listing is offered all the same, with the reason.

import type { McpServerConfig } from '../config/config.ts'
import { redactor } from '../config/redact.ts'
import type { Availability, Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { type ErrorCode, finding } from '../errors.ts'
import type { Listing } from '../sessions/list-server.ts'
import { listingIdentity } from '../sessions/listing-identity.ts'
import { type GoneTool, type ListingStore, listingStore, type StoredListing } from '../sessions/listing-store.ts'
import type { Unavailable } from '../sessions/unavailable.ts'
import { oversize } from './bounded-json.ts'
import { mcpCandidates, type Offered, standInFor } from './mcp-candidates.ts'
import type { ServerReport, Source, SourceInput, SourceResult } from './source.ts'
import { toolsNotOffered } from './tools-not-offered.ts'
import { unusableServers } from './unusable.ts'

/** Servers that are starting at one time. Each is a process that wants a processor for some hundred milliseconds. */
const startsMax = 16
const findingsPerServerMax = 50
/** Values in one tool that are worth keeping on disk. */
const storedNodesMax = 100_000

/** The source `mcp`: servers in the order of the configuration, tools in the order of each server. */
export const mcp: Source = {
  kind: 'mcp',
  collect: async (input) => {
    const store = listingStore(input.stateFolder)
    const parts = await pooled(input.config.mcpServers, (server) => partOf(server, input, store))
    const unusable = unusableServers(input.config)
    return {
      candidates: [...parts.flatMap((part) => part.candidates), ...unusable.candidates],
      findings: parts.flatMap((part) => part.findings),
      servers: [...parts.flatMap((part) => part.servers), ...unusable.servers],
    }
  },
}

async function pooled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(startsMax, items.length) }, worker))
  return results
}

async function partOf(server: McpServerConfig, input: SourceInput, store: ListingStore): Promise<SourceResult> {
  const { listing: last, findings } = await store.read(server.name, listingIdentity(server))
  const still = stillOf(server, input.idleServers)
  const part = still === undefined ? await started(server, last, input, store) : await unstarted(server, last, still)
  const offeredBy = part.names === undefined ? [] : toolsNotOffered(server, part.names)
  const redacted = redactor(input.config.secrets)
  const all = [...findings, ...part.findings, ...offeredBy].map((found) => ({
    ...found,
    message: redacted(found.message),
  }))
  return { candidates: part.candidates, findings: bounded(server, all), servers: [part.server] }
}

interface Part {
  readonly candidates: readonly Candidate[]
  readonly findings: readonly Finding[]
  readonly server: ServerReport
  /** Original names, where any listing is known. */
  readonly names?: readonly string[]
}

/** Why a server is not started at all. */
function stillOf(server: McpServerConfig, idle: ReadonlySet<string>): Availability | undefined {
  const { enabled, approved, origin, origins } = server
  if (!enabled)
    return { state: 'disabled', detail: 'its server says enabled: false', origin: origins.enabled ?? origin }
  if (!approved)
    return {
      state: 'not-approved',
      detail: 'its server came with a shared file, and nobody approved it',
      origin: origins.approved ?? origin,
    }
  return idle.has(server.name) ? { state: 'not-started' } : undefined
}

async function unstarted(
  server: McpServerConfig,
  last: StoredListing | undefined,
  availability: Availability,
): Promise<Part> {
  const { candidates, names } = await lastGood(server, last, availability)
  const report = reportOf(server, availability, { tools: names?.length ?? 0, last })
  return {
    candidates,
    findings: requiredMissing(server, availability),
    server: report,
    ...(names === undefined ? {} : { names }),
  }
}

async function started(
  server: McpServerConfig,
  last: StoredListing | undefined,
  input: SourceInput,
  store: ListingStore,
): Promise<Part> {
  const { progress = () => {}, config, environment, signal } = input
  progress(`${server.name}: starting`)
  // The SDK takes a third of a second to load: only a run that starts a server pays for it.
  const { listServer } = await import('../sessions/list-server.ts')
  const result = await listServer(server, { folder: config.folder, environment, era: last?.era, signal })
  if ('state' in result) return unavailable(server, last, result, input)
  const part = await listed(server, last, result, store)
  progress(
    `${server.name}: ${part.server.tools} ${part.server.tools === 1 ? 'tool' : 'tools'} in ${(result.tookMs / 1000).toFixed(1)} s`,
  )
  return part
}

async function unavailable(
  server: McpServerConfig,
  last: StoredListing | undefined,
  why: Unavailable,
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
  const { candidates, names } = await lastGood(server, last, availability)
  const severity = why.state === 'listed-nothing' ? 'info' : 'warning'
  const found = server.required
    ? []
    : [finding('server-unavailable', severity, `${server.name}: ${detail}`, { subject: server.name, origin })]
  const report = reportOf(server, availability, { tools: names?.length ?? 0, last })
  return {
    candidates,
    findings: [...found, ...requiredMissing(server, availability)],
    server: report,
    ...(names === undefined ? {} : { names }),
  }
}

/** The tools of the last good listing, or one that stands for all that are not known. */
async function lastGood(
  server: McpServerConfig,
  last: StoredListing | undefined,
  availability: Availability,
): Promise<Pick<Offered, 'candidates'> & { readonly names?: readonly string[] }> {
  if (last === undefined || last.tools.length === 0) return { candidates: [standInFor(server, availability)] }
  const { candidates, names } = await mcpCandidates(server, last.tools, availability)
  return { candidates, names }
}

async function listed(
  server: McpServerConfig,
  last: StoredListing | undefined,
  listing: Listing,
  store: ListingStore,
): Promise<Part> {
  const offered = await mcpCandidates(server, listing.tools, { state: 'available' })
  const gone = goneOf(last, new Set(offered.names))
  const { identity, era, protocolVersion, problems, tookMs } = listing
  // What nests too deep cannot be written either, and it must not cost the server its stored listing.
  const tools = listing.tools.filter((tool) => oversize(tool, storedNodesMax) === undefined)
  const version = protocolVersion === undefined ? {} : { protocolVersion }
  const stored = await store.write({
    server: server.name,
    identity,
    era,
    ...version,
    listedAt: new Date().toISOString(),
    tools,
    gone,
  })
  const malformed = problems.map((problem) =>
    finding('listing-malformed', 'warning', `${server.name}: ${problem}`, {
      subject: server.name,
      origin: server.origin,
    }),
  )
  const tombstones = await Promise.all(gone.map((entry) => tombstone(server, entry)))
  return {
    candidates: [...offered.candidates, ...tombstones.flat()],
    findings: [...stored, ...malformed, ...offered.findings],
    server: {
      ...reportOf(server, { state: 'available' }, { tools: offered.candidates.length }),
      tookMs: Math.round(tookMs),
      ...version,
    },
    names: offered.names,
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

/** How many tools that are gone are explained. */
const goneMax = 100

async function tombstone(server: McpServerConfig, { tool, lastListedAt }: GoneTool): Promise<readonly Candidate[]> {
  const availability: Availability = {
    state: 'no-longer-listed',
    detail: 'its server answers and does not list it any more',
    lastListedAt,
  }
  return (await mcpCandidates(server, [tool], availability)).candidates
}

function requiredMissing(server: McpServerConfig, availability: Availability): readonly Finding[] {
  if (!server.required) return []
  const detail = 'detail' in availability ? availability.detail : 'the rules of this run leave it out'
  const code: ErrorCode = 'required-server-missing'
  return [finding(code, 'error', `${server.name}: ${detail}`, { subject: server.name, origin: server.origin })]
}

function reportOf(
  server: McpServerConfig,
  availability: Availability,
  known: { readonly tools: number; readonly last?: StoredListing | undefined },
): ServerReport {
  const { name, transport, required, origin } = server
  const { tools, last } = known
  return {
    name,
    transport,
    state: availability.state,
    ...('detail' in availability ? { detail: availability.detail } : {}),
    required,
    tools,
    ...(last === undefined ? {} : { lastListedAt: last.listedAt }),
    origin,
  }
}

/** A server with ten thousand faults is told of in fifty lines and a number. */
function bounded(server: McpServerConfig, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= findingsPerServerMax) return findings
  // Errors first, so that none of them is among those that are only counted.
  const sorted = [...findings].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  const rest = findings.length - findingsPerServerMax
  const message = `${server.name}: ${rest} more findings of this server are not shown`
  return [
    ...sorted.slice(0, findingsPerServerMax),
    finding('listing-malformed', 'warning', message, { subject: server.name, origin: server.origin }),
  ]
}
