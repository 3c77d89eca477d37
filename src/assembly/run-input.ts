import type { Config } from '../config/config.ts'
import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import type { DeferralFacts, RunFacts } from '../core/run-facts.ts'
import type { PresetName } from '../gates/order.ts'
import type { Run } from '../report/run.ts'
import type { Introduction } from '../sessions/listing/listing.ts'
import type { Skill } from '../skills/skill.ts'
import type { Listings, ServerReport } from '../sources/source.ts'
import type { Tool } from '../tools/tool.ts'
import type { ChosenFacts, StartedChild } from './fact-maker.ts'
import type { RunPolicy } from './policy.ts'

/** A stored inventory: what was at the door when it was taken. */
export interface Inventory {
  readonly candidates: readonly Candidate[]
  readonly servers: readonly ServerReport[]
  readonly findings: readonly Finding[]
  /** The facts it was taken under. Absent: an inventory of another product. */
  readonly facts?: RunFacts
  /** The preset to read it with when none is named. */
  readonly preset: PresetName
}

export interface RunInput {
  /** Absent: the facts come from the inventory. */
  readonly config?: Config
  /** Findings of reading the configuration, carried along into the reports. */
  readonly configFindings?: readonly Finding[]
  /** Absent: the sources are asked. Present: nothing is started or imported. */
  readonly inventory?: Inventory
  readonly policy?: RunPolicy
  /** Whom the candidates must serve beside: a server that only one of these can use is started as well. Absent: nobody. */
  readonly views?: readonly RunPolicy[]
  /** Absent: the inventory's, else `default`. */
  readonly preset?: PresetName
  /** Absent: `.toolgate` beside the configuration. */
  readonly stateFolder?: string
  /** Absent: that of the process. */
  readonly environment?: { readonly [name: string]: string | undefined }
  /** How servers come to be asked. Absent: as by a program that lists and ends. */
  readonly listings?: Listings
  /** How often an agent called its tools, asked only where it decides what is deferred. Absent: nothing is known of it. */
  readonly useOf?: (agent: string) => Promise<NonNullable<DeferralFacts['use']>>
  /** One line when something starts, ends or takes long. */
  readonly progress?: (line: string) => void
  readonly signal?: AbortSignal
}

/** A run that is ready: its surface, and what it was made of. */
export interface PreparedRun extends Run {
  readonly preset: PresetName
  readonly candidates: readonly Candidate[]
  readonly servers: readonly ServerReport[]
  /** The facts before the restrictions of the policy. */
  readonly baseFacts: RunFacts
  readonly policy: RunPolicy
  readonly config?: Config
  /** What carries out a call, by candidate id, where a module was loaded. */
  readonly invokers: ReadonlyMap<string, Tool>
  /** What clients show of a tool and nothing is decided by, by candidate id. */
  readonly extras: ReadonlyMap<string, JsonObject>
  /** What servers say of themselves, by name. A server that nobody has asked is not in it. */
  readonly introductions: ReadonlyMap<string, Introduction>
  /** Names of the agents from the one that a person starts down to this one. */
  readonly lineage: readonly string[]
  /** Absent: the run comes from an inventory, and starts no children. */
  readonly startedChild?: StartedChild
  /** Absent: the run comes from an inventory, and has one agent. */
  readonly chosenFacts?: ChosenFacts
  /** The skills of the configuration, as they were read. `[]`: none. */
  readonly skills: readonly Skill[]
}
