// Tools of MCP servers. What a server lists is taken from its stored listing while that is fresh; the others are
// started side by side, each on its own clock, asked for their tools and ended. A server that is switched off, not
// approved or left out whole by the rules is never started; what is known of its tools from the last good listing is
// offered all the same, with the reason.

import type { McpServerConfig } from '../config/config.ts'
import { redactor } from '../config/redact.ts'
import type { Availability } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import { finding } from '../errors.ts'
import { listingIdentity } from '../sessions/listing/listing-identity.ts'
import { type ListingStore, listingStore } from '../sessions/listing/listing-store.ts'
import { shadowingFindings } from './listing-flags.ts'
import { launchRefusal } from './mcp-launch.ts'
import { currentPart } from './mcp-listing.ts'
import { absentPart, boundedFindings, type Part } from './mcp-part.ts'
import type { Source, SourceInput, SourceResult } from './source.ts'
import { toolsNotOffered } from './tools-not-offered.ts'
import { unusableServers } from './unusable.ts'

/** Servers that are starting at one time. Each is a process that wants a processor for some hundred milliseconds. */
const startsMax = 16

/** The source `mcp`: servers in the order of the configuration, tools in the order of each server. */
export const mcp: Source = {
  kind: 'mcp',
  collect: async (input) => {
    const store = listingStore(input.stateFolder)
    const parts = await pooled(input.config.mcpServers, (server) => partOf(server, input, store))
    const unusable = unusableServers(input.config)
    const candidates = [...parts.flatMap((part) => part.candidates), ...unusable.candidates]
    return {
      candidates,
      findings: [...parts.flatMap((part) => part.findings), ...(await shadowingFindings(candidates))],
      servers: [...parts.flatMap((part) => part.servers), ...unusable.servers],
      introductions: new Map(parts.flatMap(({ introductions = [] }) => [...introductions])),
      extras: new Map(parts.flatMap(({ extras = [] }) => [...extras])),
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
  const still = stillOf(server, input)
  const part: Part =
    still === undefined
      ? await currentPart(server, { input, store, last })
      : await absentPart(server, last, still.availability)
  const offeredBy = part.names === undefined ? [] : toolsNotOffered(server, part.names)
  const redacted = redactor(input.config.secrets)
  const all = [...findings, ...(still?.findings ?? []), ...part.findings, ...offeredBy].map((found) => ({
    ...found,
    message: redacted(found.message),
  }))
  const { candidates, extras, introduction } = part
  return {
    candidates,
    findings: boundedFindings(server, all),
    servers: [part.server],
    ...(extras === undefined ? {} : { extras }),
    ...(introduction === undefined ? {} : { introductions: new Map([[server.name, introduction]]) }),
  }
}

interface Still {
  readonly availability: Availability
  readonly findings?: readonly Finding[]
}

/** Why a server is not started at all. */
function stillOf(server: McpServerConfig, input: SourceInput): Still | undefined {
  const { name, enabled, approved, origin, origins } = server
  const still = (state: 'disabled' | 'not-approved', detail: string, at = origin): Still => ({
    availability: { state, detail, origin: at },
  })
  if (!enabled) return still('disabled', 'its server says enabled: false', origins.enabled)
  if (!approved)
    return still('not-approved', 'its server came with a shared file, and nobody approved it', origins.approved)
  const refused = launchRefusal(server, input)
  if (refused !== undefined) {
    const more = { subject: name, origin: refused.origin ?? origin }
    return { availability: refused, findings: [finding('launch-changed', 'error', `${name}: ${refused.detail}`, more)] }
  }
  return input.idleServers.has(name) ? { availability: { state: 'not-started' } } : undefined
}
