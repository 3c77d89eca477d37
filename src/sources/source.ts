// A source offers candidates. It reads, imports or lists; it decides nothing. What fails is reported as a
// finding and as availability, one tool or one server at a time.

import type { Config } from '../config/config.ts'
import type { Candidate, SourceKind, UnavailableState } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
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
  readonly origin: Origin
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
}

export interface Source {
  readonly kind: SourceKind
  /** Never throws and never hangs: each part has its own deadline. */
  readonly collect: (input: SourceInput) => Promise<SourceResult>
}
