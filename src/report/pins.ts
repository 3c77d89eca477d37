// What is approved and what waits for a person: definitions of strangers, and what servers of shared files run. Schema
// `toolgate.pin/1`; keys are only added.

import type { Definition } from '../core/candidate.ts'
import type { Decision } from '../core/decision.ts'
import type { Pin } from '../core/run-facts.ts'
import { isForeign } from '../gates/definition.ts'
import { type DefinitionDifference, definitionDifference } from './definition-difference.ts'
import type { PinCounts } from './phrase-keys.ts'
import type { Run, ServerState } from './run.ts'

/** An approved definition, and the definition itself where it is not too big to keep. */
export interface StoredPin extends Pin {
  readonly server?: string
  readonly definition?: Definition
}

/** What a server of a shared file was approved to run or call. */
export interface StoredLaunch {
  readonly server: string
  readonly launchHash: string
  /** Printable, without secrets. */
  readonly shown: string
  readonly approvedAt: string
}

/**
 * approved: as it was approved. changed, new: waits for approval. gone: approved, and nothing offers it any more.
 * not-seen: approved, and its server could not be had on this run.
 */
export type PinState = keyof PinCounts

export interface PinnedTool {
  readonly id: string
  /** What the model would call it. Absent: it was not seen. */
  readonly name?: string
  readonly server?: string
  readonly state: PinState
  readonly approvedAt?: string
  /** SHA-256 of the definition as it is now; absent where it was not seen. */
  readonly definitionHash?: string
  /** What changed; absent where nothing did, or what was approved is not stored. */
  readonly difference?: DefinitionDifference
  /** changed, new: the definition that waits for approval, as its owner gave it. */
  readonly definition?: Definition
}

export interface PinnedLaunch {
  readonly server: string
  /** not-seen: it is switched off, or not among the approved servers any more. */
  readonly state: PinState
  /** What it would run now; absent where that was not seen. */
  readonly shown?: string
  readonly launchHash?: string
  /** What was approved. */
  readonly approved?: string
  readonly approvedAt?: string
}

export interface PinsReport {
  readonly schema: 'toolgate.pin/1'
  /** False: the configuration does not ask for approvals, so nothing is withheld. */
  readonly enabled: boolean
  /** Tools and launches that wait for a person. */
  readonly waiting: number
  readonly totals: PinCounts
  /** Servers of shared files, in the order of the configuration. */
  readonly launches: readonly PinnedLaunch[]
  /** In the order of sources; those that were not seen last. */
  readonly tools: readonly PinnedTool[]
}

export interface PinsInput {
  readonly enabled: boolean
  readonly pins: readonly StoredPin[]
  readonly launches: readonly StoredLaunch[]
  /** What servers of shared files would run now. */
  readonly current: readonly Omit<StoredLaunch, 'approvedAt'>[]
}

/** Changes of one definition that are told; here nothing else tells them. */
const changesMax = 400

/** Every definition that needs approval on this run, every approval, and every launch. */
export function pinsReport(run: Run, input: PinsInput): PinsReport {
  const pins = new Map(input.pins.map((pin) => [pin.id, pin]))
  const offered = run.surface.decisions.filter(canBeApproved)
  const seen = new Set(offered.map(({ candidate }) => candidate.id))
  const byId = new Map(run.surface.decisions.map((decision) => [decision.candidate.id, decision]))
  const servers = new Map(run.servers.map((server) => [server.name, server]))
  const tools = [
    ...offered.map((decision) => pinnedTool(decision, pins.get(decision.candidate.id))),
    ...input.pins.filter(({ id }) => !seen.has(id)).map((pin) => unseen(pin, byId.get(pin.id), servers)),
  ]
  const launches = launchStates(input, servers)
  const totals = countsOf([...tools, ...launches])
  return {
    schema: 'toolgate.pin/1',
    enabled: input.enabled,
    waiting: totals.changed + totals.new,
    totals,
    launches,
    tools,
  }
}

/** What a person can approve now: a tool of a stranger that is there, with a definition that was read whole. */
const canBeApproved = ({ candidate }: Decision): boolean =>
  isForeign(candidate) &&
  candidate.standIn !== true &&
  candidate.faults === undefined &&
  candidate.availability.state === 'available'

function pinnedTool({ name, candidate }: Decision, pin: StoredPin | undefined): PinnedTool {
  const { id, server, definitionHash, definition } = candidate
  const about = { id, name, ...(server === undefined ? {} : { server }), definitionHash }
  if (pin === undefined) return { ...about, state: 'new', definition }
  const { approvedAt } = pin
  if (pin.definitionHash === definitionHash) return { ...about, state: 'approved', approvedAt }
  const difference =
    pin.definition === undefined ? {} : { difference: definitionDifference(pin.definition, definition, { changesMax }) }
  return { ...about, state: 'changed', approvedAt, ...difference, definition }
}

/** A pin of a tool that is not offered now: gone where its owner answered without it, or is not configured any more. */
function unseen(
  { id, server, approvedAt }: StoredPin,
  decision: Decision | undefined,
  servers: ReadonlyMap<string, ServerState>,
): PinnedTool {
  const owner = server === undefined ? undefined : servers.get(server)
  const isGone =
    decision === undefined
      ? server !== undefined && (owner === undefined || owner.state === 'available')
      : decision.candidate.availability.state === 'no-longer-listed'
  return {
    id,
    ...(decision === undefined ? {} : { name: decision.name }),
    ...(server === undefined ? {} : { server }),
    state: isGone ? 'gone' : 'not-seen',
    approvedAt,
  }
}

function launchStates(
  { launches, current }: PinsInput,
  servers: ReadonlyMap<string, ServerState>,
): readonly PinnedLaunch[] {
  const approved = new Map(launches.map((launch) => [launch.server, launch]))
  const now = new Set(current.map(({ server }) => server))
  return [
    ...current.map(({ server, launchHash, shown }): PinnedLaunch => {
      const before = approved.get(server)
      if (before === undefined) return { server, state: 'new', shown, launchHash }
      const { shown: then, approvedAt } = before
      const state = before.launchHash === launchHash ? 'approved' : 'changed'
      return { server, state, shown, launchHash, approved: then, approvedAt }
    }),
    ...launches
      .filter(({ server }) => !now.has(server))
      .map(({ server, shown, approvedAt }): PinnedLaunch => {
        return { server, state: servers.has(server) ? 'not-seen' : 'gone', approved: shown, approvedAt }
      }),
  ]
}

function countsOf(entries: readonly { readonly state: PinState }[]): PinCounts {
  const counts = { approved: 0, changed: 0, new: 0, gone: 0, 'not-seen': 0 }
  for (const { state } of entries) counts[state] += 1
  return counts
}
