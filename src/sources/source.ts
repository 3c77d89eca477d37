// A source offers candidates. It reads, imports or lists; it decides nothing. What fails is reported as a
// finding and as availability, one tool or one server at a time.

import type { Config, McpServerConfig } from '../config/config.ts'
import type { Candidate, SourceKind, UnavailableState } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import type { Introduction, Listing, NoListing } from '../sessions/listing/listing.ts'
import type { Tool } from '../tools/tool.ts'

/** What a server looks like after listing, for `tools` and `servers`. */
export interface ServerReport {
  readonly name: string
  /** Absent where the entry could not be read so far. */
  readonly transport?: 'stdio' | 'http' | 'sse'
  readonly state: 'available' | 'not-started' | UnavailableState
  /** One printable line: why it is in that state. */
  readonly detail?: string
  readonly required: boolean
  /** Tools listed now, or at the last good listing. */
  readonly tools: number
  readonly tookMs?: number
  readonly protocolVersion?: string
  readonly lastListedAt?: string
  /** When asking it failed on this run, ISO 8601. Absent: it was not asked, or it answered. */
  readonly failedAt?: string
  /** The tools are those of the stored listing; the server was not asked on this run. Absent: it was, or is not there. */
  readonly cached?: true
  /** How old that listing is, milliseconds. */
  readonly listedAgoMs?: number
  /**
   * Milliseconds from this report until what is known of it is too old; 0: it is. Absent: it is not there, or neither
   * it nor the configuration gives its listing a time (`listings.max_age_ms: 0`).
   */
  readonly freshForMs?: number
  /** Whether the server lists other tools than it did before. Absent: nothing is known of before, or it was not asked. */
  readonly changed?: boolean
  readonly origin: Origin
}

/** How servers come to be asked for their tools. Absent parts: as by a program that lists and ends. */
export interface Listings {
  /**
   * Asks a server, as through a session that stays open. Never rejects. Absent: the server is started, asked and
   * ended.
   */
  readonly list?: (server: McpServerConfig, signal: AbortSignal | undefined) => Promise<Listing | NoListing>
  /**
   * Servers that are asked whatever is stored of them; `true`: all. Absent or empty: those only of which nothing
   * fresh is stored, and those that are required.
   */
  readonly refresh?: true | ReadonlySet<string>
}

/** What somebody approved to be run or called for a server. */
export interface ApprovedLaunch {
  readonly launchHash: string
  /** As it was shown: printable, without secrets. */
  readonly shown: string
}

export interface SourceInput {
  readonly config: Config
  /**
   * Servers that the gates leave out whole on this run (denied, not asked for, switched off): never started.
   * Their candidates come from the last good listing, or as one stand-in, with availability `not-started`.
   */
  readonly idleServers: ReadonlySet<string>
  /** Folder of stored listings and pins, absolute. */
  readonly stateFolder: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly listings?: Listings
  /**
   * By server of a shared file: the launch that was approved; one without an entry is approved by its name alone.
   * Absent: pins are off. `unreadable`: there are approvals, and nobody can say which.
   */
  readonly approvedLaunches?: ReadonlyMap<string, ApprovedLaunch> | 'unreadable'
  /** Called when something starts, ends or takes long; for people who wait. */
  readonly progress?: (line: string) => void
  readonly signal?: AbortSignal
}

export interface SourceResult {
  /** In the source's own order. */
  readonly candidates: readonly Candidate[]
  readonly findings: readonly Finding[]
  readonly servers: readonly ServerReport[]
  /** What executes a tool of this process, by the id of its candidate. Absent: none of them is executed here. */
  readonly invokers?: ReadonlyMap<string, Tool>
  /** What clients show of a tool and nothing is decided by (icons, `_meta`), by id of the candidate. Absent: nothing. */
  readonly extras?: ReadonlyMap<string, JsonObject>
  /** What servers say of themselves, by name; those that nobody has asked so far are not in it. Absent: none is. */
  readonly introductions?: ReadonlyMap<string, Introduction>
}

export interface Source {
  readonly kind: SourceKind
  /** Never throws and never hangs: each part has its own deadline. */
  readonly collect: (input: SourceInput) => Promise<SourceResult>
}
