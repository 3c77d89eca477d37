// What is run: which version of the suite, at which side, for which revision of the protocol. Its newer versions need a
// newer Node than ours.

export interface SuiteVersion {
  readonly version: string
  /** The oldest Node that loads it. */
  readonly nodeMajor: number
}

export interface Run {
  readonly name: string
  readonly side: 'server' | 'client'
  readonly suite: SuiteVersion
  /** Absent: the scenarios that the suite calls active. */
  readonly revision?: string
  /** So many scenarios give a result, or the run counts as failed: an empty one would look like a good one. */
  readonly scenarios: number
}

export const suitePackage = '@modelcontextprotocol/conformance'

const older: SuiteVersion = { version: '0.1.13', nodeMajor: 20 }
const newer: SuiteVersion = { version: '0.2.0-alpha.12', nodeMajor: 22 }

export const runs: readonly Run[] = [
  { name: 'server-0.1.13', side: 'server', suite: older, scenarios: 30 },
  { name: 'server-2025-11-25', side: 'server', suite: newer, revision: '2025-11-25', scenarios: 33 },
  { name: 'server-2026-07-28', side: 'server', suite: newer, revision: '2026-07-28', scenarios: 50 },
  { name: 'client-2025-11-25', side: 'client', suite: newer, revision: '2025-11-25', scenarios: 18 },
  { name: 'client-2026-07-28', side: 'client', suite: newer, revision: '2026-07-28', scenarios: 32 },
]
