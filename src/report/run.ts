// What every report reads: the one surface of a run, the gates it was made with (they hold the words), what the
// servers looked like, and what was found on the way. Reports add words and sums; they decide and filter nothing.

import type { Definition } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Gate } from '../core/gate.ts'
import type { Origin } from '../core/origin.ts'
import type { Surface } from '../core/surface.ts'

/** What a server looked like after listing; the shape in which sources report it, as far as words need it. */
export interface ServerState {
  readonly name: string
  /** Absent where the entry could not be read so far. */
  readonly transport?: string
  /** `available`, `not-started`, or one of the states of the gate `availability`. */
  readonly state: string
  readonly detail?: string
  readonly required: boolean
  /** Tools listed now, or at the last good listing. */
  readonly tools: number
  readonly tookMs?: number
  readonly protocolVersion?: string
  readonly lastListedAt?: string
  /** When asking it failed on this run, ISO 8601. Absent: it was not asked, or it answered. */
  readonly failedAt?: string
  /** The tools are those of the stored listing; the server was not asked. */
  readonly cached?: true
  /** How old that listing is, milliseconds. */
  readonly listedAgoMs?: number
  /** Whether it lists other tools than it did before. Absent: nobody can say. */
  readonly changed?: boolean
  readonly origin: Origin
}

export interface Run {
  readonly surface: Surface
  /** The very array the surface was assembled with. */
  readonly gates: readonly Gate[]
  /** Name of the preset the gates came from. */
  readonly preset: string
  readonly servers: readonly ServerState[]
  readonly findings: readonly Finding[]
  /** Approved definitions by id, for showing what changed in one. Absent: pins are off, or none are at hand. */
  readonly approved?: ReadonlyMap<string, Definition>
}
