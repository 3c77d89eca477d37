// What one server comes to in a run, whether or not it can be had: candidates, findings, and a line for the reports.

import type { McpServerConfig } from '../config/config.ts'
import type { Availability, Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import { type ErrorCode, finding } from '../errors.ts'
import type { Introduction } from '../sessions/listing/listing.ts'
import type { StoredListing } from '../sessions/listing/listing-store.ts'
import { mcpCandidates, standInFor } from './mcp-candidates.ts'
import type { ServerReport } from './source.ts'

export interface Part {
  readonly candidates: readonly Candidate[]
  readonly findings: readonly Finding[]
  readonly server: ServerReport
  /** Of its tools, by id of the candidate. Absent: nothing. */
  readonly extras?: ReadonlyMap<string, JsonObject>
  /** Absent: nobody has asked it so far. */
  readonly introduction?: Introduction
  /** Original names, where any listing is known. */
  readonly names?: readonly string[]
}

const findingsPerServerMax = 50

/**
 * A server that is not there: the tools of the last good listing with the reason, or one candidate that stands for all
 * that are not known. A required one is an error.
 */
export async function absentPart(
  server: McpServerConfig,
  last: StoredListing | undefined,
  availability: Availability,
): Promise<Part> {
  const known = last === undefined || last.tools.length === 0 ? undefined : last
  const offered = known === undefined ? undefined : await mcpCandidates(server, known.tools, availability)
  return {
    candidates: offered?.candidates ?? [standInFor(server, availability)],
    findings: requiredMissing(server, availability),
    server: {
      ...reportOf(server, availability, offered?.names.length ?? 0),
      ...(last === undefined ? {} : { lastListedAt: last.listedAt }),
    },
    ...(last?.introduction === undefined ? {} : { introduction: last.introduction }),
    ...(offered === undefined ? {} : { names: offered.names }),
  }
}

function requiredMissing(server: McpServerConfig, availability: Availability): readonly Finding[] {
  if (!server.required) return []
  const detail = 'detail' in availability ? availability.detail : 'the rules of this run leave it out'
  const code: ErrorCode = 'required-server-missing'
  return [finding(code, 'error', `${server.name}: ${detail}`, { subject: server.name, origin: server.origin })]
}

/** The line of a server with so many tools. */
export function reportOf(server: McpServerConfig, availability: Availability, tools: number): ServerReport {
  const { name, transport, required, origin } = server
  return {
    name,
    transport,
    state: availability.state,
    ...('detail' in availability ? { detail: availability.detail } : {}),
    required,
    tools,
    origin,
  }
}

/** A server with ten thousand faults is told of in fifty lines and a number. */
export function boundedFindings(server: McpServerConfig, findings: readonly Finding[]): readonly Finding[] {
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
