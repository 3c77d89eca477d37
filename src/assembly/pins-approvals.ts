import type { Definition } from '../core/candidate.ts'
import type { ApprovedLaunch } from '../sources/source.ts'
import { readPinsFile } from './pins-file.ts'

/** What was approved, beside the hashes that the gates read. */
export interface Approvals {
  /** By id; those that are stored whole. */
  readonly definitions: ReadonlyMap<string, Definition>
  /** By server. `unreadable`: there is a file of approvals, and nobody can say what it approves. */
  readonly launches: ReadonlyMap<string, ApprovedLaunch> | 'unreadable'
}

/** The approvals of a state folder. Never rejects; a file that cannot be read approves nothing. */
export async function readApprovals(stateFolder: string): Promise<Approvals> {
  const stored = await readPinsFile(stateFolder)
  if (stored.kind === 'absent') return { definitions: new Map(), launches: new Map() }
  if (stored.kind === 'unreadable') return { definitions: new Map(), launches: 'unreadable' }
  const definitions = stored.pins.flatMap(({ id, definition }) =>
    definition === undefined ? [] : [[id, definition] as const],
  )
  return {
    definitions: new Map(definitions),
    launches: new Map(stored.launches.map((launch) => [launch.server, launch])),
  }
}
