// Every text of the reports themselves, by key; what a language must say.

import type { Outcome } from '../core/decision.ts'
import type { Effect } from '../core/gate.ts'

export interface Phrases {
  readonly outcome: { readonly [outcome in Outcome]: string }
  readonly effect: { readonly [effect in Effect]: string }
  readonly severity: { readonly error: string; readonly warning: string; readonly info: string }
  readonly heads: {
    readonly name: string
    readonly outcome: string
    readonly source: string
    readonly tokens: string
    readonly why: string
    readonly score: string
    readonly matched: string
    readonly server: string
    readonly tools: string
    readonly deferred: string
    readonly ifAllEager: string
    readonly saved: string
  }
  readonly labels: {
    readonly agent: string
    readonly model: string
    readonly target: string
    readonly preset: string
    readonly candidates: string
    readonly leftOutBy: string
    readonly tokens: string
    readonly servers: string
    readonly skills: string
    readonly rules: string
    readonly sources: string
    readonly findings: string
    readonly surface: string
    readonly eager: string
    readonly deferred: string
    readonly switches: string
  }
  readonly asks: string
  readonly settledBy: (gate: string) => string
  readonly noGate: string
  readonly showing: (shown: number, all: number) => string
  readonly rest: string
  readonly more: (count: number) => string
  readonly sum: (candidates: number, eager: number, deferred: number, excluded: number) => string
  readonly cost: (costs: CostFigures) => string
  /** What leaving out a server takes away. */
  readonly withoutServer: (server: string, less: ServerFigures) => string
  readonly toolCount: (count: number) => string
  readonly lastListed: (at: string) => string
  /** Where the tools of a server that was not asked come from. */
  readonly fromListing: (ageMs: number) => string
  readonly required: string
  readonly findingCounts: (errors: number, warnings: number, infos: number) => string
  readonly none: string
  readonly changeIt: string
  readonly at: string
  readonly toUse: (search: string, name: string) => string
  readonly toUseByCall: (name: string) => string
  readonly toDeny: (rule: string) => string
  readonly shadowedBy: (name: string, id: string) => string
  readonly shadows: (ids: string) => string
  readonly reservedBy: (name: string, id: string) => string
  readonly standsFor: (server: string) => string
  readonly asksFirst: string
  readonly conditions: (rules: string) => string
  readonly unknownTool: (word: string) => string
  readonly nearest: (names: string) => string
  readonly serverIs: (name: string, state: string) => string
  readonly serverHasNo: (server: string, count: number) => string
  readonly alsoNamed: string
  readonly pins: PinPhrases
  readonly show: ShowPhrases
  readonly bootstrap: BootstrapPhrases
  readonly claw: ClawPhrases
  readonly noProblems: string
  readonly same: (hash: string) => string
  readonly before: string
  readonly after: string
  readonly absent: string
  readonly exposed: (exposed: string, all: string) => string
  readonly factsDiffer: (names: string) => string
  readonly diffReason: { readonly [reason: string]: string }
  readonly diffSum: (counts: DiffCounts) => string
  readonly drift: { readonly [code: string]: string }
  readonly noDrift: string
  readonly noCandidate: string
  readonly replayEqual: string
  readonly replayDiffers: string
  readonly replaySum: (equal: number, runs: number, refusals: number) => string
  readonly noMatch: string
  readonly alsoHidden: string
}

export interface CostFigures {
  /** What goes out with a request. */
  readonly sent: number
  readonly ifAllEager: number
  /** Below 0 where deferral costs more than it saves. */
  readonly saved: number
  /** The same as a part of `ifAllEager`. */
  readonly savedShare: number
  /** Whether anything is deferred. */
  readonly defers: boolean
  readonly estimated: boolean
}

export interface ServerFigures {
  readonly tools: number
  readonly tokens: number
  readonly estimated: boolean
  /** Whether tools that are deferred now would take the room. */
  readonly refilled: boolean
}

interface PinPhrases {
  readonly state: { readonly [state in 'approved' | 'changed' | 'new' | 'gone' | 'not-seen']: string }
  readonly added: string
  readonly removed: string
  readonly whatChanged: string
  /** The definition is the same; its hash covers the owner as well. */
  readonly ownerChanged: string
  readonly notStored: string
  /** Said of the texts below it. */
  readonly modelIsTold: string
  readonly parts: string
  readonly noWords: string
  readonly runs: string
  readonly approvedAt: (at: string) => string
  readonly off: string
  readonly sum: (counts: PinCounts) => string
  readonly approveAll: string
  readonly launchApproved: (server: string) => string
  /** The file, and how many definitions it approves. */
  readonly stored: (file: string, count: number) => string
  readonly nothing: string
}

/** Tools and launches by their state. */
export interface PinCounts {
  readonly approved: number
  readonly changed: number
  readonly new: number
  readonly gone: number
  readonly 'not-seen': number
}

interface ShowPhrases {
  readonly identity: string
  readonly names: string
  readonly source: string
  readonly kind: string
  readonly effects: string
  readonly approval: string
  readonly rules: string
  readonly tokens: string
  readonly hash: string
  readonly surfaceName: string
  readonly originalName: string
  readonly declaredName: string
  readonly effectsBy: { readonly declared: string; readonly claimed: string; readonly assumed: string }
  readonly size: (tokens: string, chars: string) => string
  readonly description: string
  readonly arguments: string
  readonly group: (name: string) => string
  readonly needs: (names: string) => string
  readonly moreLines: (count: number) => string
  readonly adapted: string
}

interface BootstrapPhrases {
  readonly groups: (names: string) => string
  readonly context: (tokens: string) => string
  readonly on: (on: boolean) => string
  readonly simpleMode: string
  readonly sandbox: string
  readonly delegation: string
  readonly deferral: string
  readonly hostBash: string
  readonly attended: string
  readonly unattended: string
  readonly otherwise: (effect: string) => string
  readonly active: string
  readonly ready: string
  readonly disabled: string
  readonly malformed: string
}

interface ClawPhrases {
  readonly counts: (claw: string, corrected: string, entries: string) => string
  readonly differences: (count: string) => string
  readonly unreachable: (count: string, names: string) => string
}

/** Tools that a difference is about. quiet: exposed on neither side, or exposed for another reason. */
export interface DiffCounts {
  readonly gained: number
  readonly lost: number
  readonly changed: number
  readonly quiet: number
  readonly same: number
}
