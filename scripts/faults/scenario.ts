// What a fault scenario is, and what it may use. Ids are those of the reliability scenarios that the product was
// planned with: R1 to R24.

import type { McpServerConfig } from '../../src/config/config.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { PoolOptions, SessionPool } from '../../src/sessions/pool/pool.ts'
import type { CallOptions } from '../../src/sessions/session.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'

export interface Outcome {
  /** What did not come out as it must, one line each. `[]`: all did. */
  readonly misses: readonly string[]
  /** Milliseconds until the faulty part worked again. Absent: it need not. */
  readonly recoveryMs?: number
  /** One line for the table. */
  readonly seen: string
}

export interface Scenario {
  readonly id: string
  readonly title: string
  /** The scenario as a whole takes at most so long, milliseconds. */
  readonly boundMs: number
  /** False: no good server is called meanwhile, because the scenario is about the limits of the machine. */
  readonly others?: boolean
  readonly run: (world: FaultWorld) => Promise<Outcome>
}

export interface Planned extends McpServerConfig {
  /** What came in so far, of every process of this entry. */
  readonly received: () => readonly ReceivedMessage[]
  /** Ids of the processes that were started. */
  readonly pids: () => readonly number[]
}

export interface FaultWorld {
  /** A server that follows a plan. Its processes bear the word that orphans are looked for by. */
  readonly server: (name: string, plan: ServerPlan, more?: Partial<McpServerConfig>) => Planned
  readonly pool: SessionPool
  /** Another pool, ended with the scenario. */
  readonly poolWith: (options: Partial<PoolOptions>) => SessionPool
  readonly owner: ThreadOwner
  readonly call: (server: McpServerConfig, options?: Partial<CallOptions> & CallTarget) => Promise<JsonObject>
  /** A fresh folder, removed with the scenario. */
  readonly folder: string
  /** The program that plays the servers. */
  readonly program: string
  /** Begins every command line of this run. */
  readonly canary: string
}

export interface CallTarget {
  readonly tool?: string
  readonly args?: JsonObject
  readonly owner?: ThreadOwner
  readonly pool?: SessionPool
}
