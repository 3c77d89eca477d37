// Decisions made again from a log: equal bit for bit, or the first difference; and with a changed fact, what would
// have been otherwise. Schema `toolgate.replay/1`.

import { assemble } from '../core/assemble.ts'
import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Change, Gate } from '../core/gate.ts'
import { canonicalJson, type Json, type Sha256 } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Surface } from '../core/surface.ts'
import { finding } from '../errors.ts'
import { type CatalogRecord, catalogHash, type DecisionRecord, decisionRecord, type RunRecord } from './decision-log.ts'
import { diffSurfaces, type SurfaceDiff } from './diff.ts'
import { logRecord } from './log-record.ts'
import { toolsReport } from './tools-report.ts'
import { whatIf } from './what-if.ts'
import type { Lang } from './words.ts'

export interface ReplayOptions {
  /** The gates of a preset by its name; undefined for one that is not known here. */
  readonly gatesFor: (preset: string) => readonly Gate[] | undefined
  readonly sha256: Sha256
  readonly lang: Lang
  /** "What if": applied to every run; the difference is reported. `candidateId` for changes on a candidate. */
  readonly change?: { readonly changes: readonly Change[]; readonly candidateId?: string }
}

/** Where a decision made again is not the recorded one; the two values as short JSON. */
export interface ReplayDifference {
  /** The tool; absent where the run as a whole differs. */
  readonly id?: string
  /** Path of the first value that differs, such as `steps[3].code`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

export interface ReplayedRun {
  readonly seq: number
  readonly at: string
  readonly preset: string
  readonly agent: string
  readonly surface: string
  readonly decisions: number
  readonly equal: boolean
  /** The first difference; absent when equal. */
  readonly difference?: ReplayDifference
  /** What the change would have altered; only where one was asked for. */
  readonly whatIf?: SurfaceDiff
}

export interface Replay {
  readonly schema: 'toolgate.replay/1'
  readonly runs: readonly ReplayedRun[]
  /** Refusals at call time that the log holds. */
  readonly refusals: number
  /** Lines that count for nothing, by number; at most 200. */
  readonly findings: readonly Finding[]
}

interface OpenRun {
  readonly record: RunRecord
  readonly line: number
  readonly decisions: DecisionRecord[]
}

/** Replays the lines of a log. Never throws on what a log may hold. */
export function replay(lines: Iterable<string>, options: ReplayOptions): Replay {
  const catalogs = new Map<string, Candidate[]>()
  const parts = new Map<string, Candidate[]>()
  const open = new Map<number, OpenRun>()
  const runs: ReplayedRun[] = []
  const findings: Finding[] = []
  let refusals = 0
  let number = 0
  const report = (line: number, wrong: string): void => {
    if (findings.length < findingsMax) findings.push(bad(line, wrong))
  }
  const close = (run: OpenRun): void => {
    open.delete(run.record.seq)
    const candidates = catalogs.get(run.record.catalog)
    if (candidates === undefined) {
      report(run.line, 'the catalog of this run is missing before it')
      return
    }
    try {
      runs.push(replayed(run, candidates, options))
    } catch (error) {
      report(run.line, `this run cannot be made again: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  for (const line of lines) {
    number++
    if (line.trim() === '') continue
    const record = logRecord(line)
    if ('wrong' in record) report(number, record.wrong)
    else if (record.type === 'refusal') refusals++
    else if (record.type === 'call') refusals += record.kind === 'refused' || record.kind === 'not-listed' ? 1 : 0
    else if (record.type === 'catalog') {
      const wrong = kept(record, { catalogs, parts, sha256: options.sha256 })
      if (wrong !== undefined) report(number, wrong)
    } else if (record.type === 'run') {
      const before = open.get(record.seq)
      if (before !== undefined) close(before)
      const run = { record, line: number, decisions: [] }
      open.set(record.seq, run)
      if (record.decisions === 0) close(run)
    } else {
      const run = open.get(record.seq)
      if (run === undefined) report(number, 'the run of this decision is missing before it')
      else if (run.decisions.push(record) === run.record.decisions) close(run)
    }
  }
  for (const run of [...open.values()]) close(run)
  return { schema: 'toolgate.replay/1', runs, refusals, findings }
}

const findingsMax = 200

const bad = (line: number, wrong: string): Finding =>
  finding('log-malformed', 'error', `line ${line} of the log: ${printable(wrong, 200)}`, {
    origin: { in: 'decision log', line },
  })

interface Shelves {
  /** Whole and unaltered, by hash. */
  readonly catalogs: Map<string, Candidate[]>
  /** Not complete yet; nothing is replayed from these. */
  readonly parts: Map<string, Candidate[]>
  readonly sha256: Sha256
}

/** Adds a part of a catalog; the last part is taken only when the whole has the hash that it bears. */
function kept({ hash, part, of, candidates }: CatalogRecord, { catalogs, parts, sha256 }: Shelves): string | undefined {
  const all = part === 1 ? [] : parts.get(hash)
  if (all === undefined) return 'an earlier part of this catalog is missing'
  for (const candidate of candidates) all.push(candidate)
  parts.set(hash, all)
  if (part < of) return undefined
  parts.delete(hash)
  if (catalogHash(all, sha256) !== hash) return 'this catalog does not have the hash that it bears: it was altered'
  catalogs.set(hash, all)
  return undefined
}

function replayed(run: OpenRun, candidates: readonly Candidate[], options: ReplayOptions): ReplayedRun {
  const { record } = run
  const { seq, at, preset, facts, surface: hash } = record
  const head = { seq, at, preset, agent: facts.agent.name, surface: hash, decisions: run.decisions.length }
  const gates = options.gatesFor(preset)
  if (gates === undefined) {
    return {
      ...head,
      equal: false,
      difference: { field: 'preset', recorded: printable(preset), replayed: 'not known' },
    }
  }
  const surface = assemble(facts, candidates, gates, { sha256: options.sha256 })
  const difference = firstDifference(run, surface)
  const { change, lang } = options
  return {
    ...head,
    equal: difference === undefined,
    ...(difference === undefined ? {} : { difference }),
    ...(change === undefined
      ? {}
      : { whatIf: altered(surface, { gates, preset, lang, sha256: options.sha256, ...change }) }),
  }
}

function firstDifference(run: OpenRun, surface: Surface): ReplayDifference | undefined {
  const { record, decisions } = run
  for (const [at, decision] of surface.decisions.entries()) {
    const recorded = decisions[at]
    const id = decision.candidate.id
    if (recorded === undefined) return { id, field: 'decision', recorded: 'missing', replayed: decision.outcome }
    const made = decisionRecord(decision, record.seq)
    if (canonicalJson(recorded as unknown as Json) === canonicalJson(made as unknown as Json)) continue
    return { id, ...firstDiffering(recorded as unknown as Json, made as unknown as Json, '') }
  }
  if (decisions.length > surface.decisions.length) {
    return { field: 'decisions', recorded: String(decisions.length), replayed: String(surface.decisions.length) }
  }
  if (surface.hash !== record.surface) {
    return { field: 'surface', recorded: printable(record.surface, 64), replayed: surface.hash }
  }
  return undefined
}

/** The path of the first value in which two unequal values differ. */
function firstDiffering(recorded: Json | undefined, made: Json | undefined, path: string): ReplayDifference {
  if (isObject(recorded) && isObject(made) && Array.isArray(recorded) === Array.isArray(made)) {
    const [one, other] = [recorded as KeyedJson, made as KeyedJson]
    for (const key of new Set([...Object.keys(other), ...Object.keys(one)])) {
      const [a, b] = [own(one, key), own(other, key)]
      if (canonicalJson(a) === canonicalJson(b)) continue
      return firstDiffering(a, b, Array.isArray(made) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`)
    }
  }
  const short = (value: Json | undefined): string =>
    value === undefined ? 'absent' : printable(canonicalJson(value), 160)
  return { field: printable(path, 200), recorded: short(recorded), replayed: short(made) }
}

type KeyedJson = { readonly [key: string]: Json | undefined }

const isObject = (value: Json | undefined): boolean => typeof value === 'object' && value !== null
const own = (object: KeyedJson, key: string): Json | undefined => (Object.hasOwn(object, key) ? object[key] : undefined)

interface Alteration {
  readonly gates: readonly Gate[]
  readonly preset: string
  readonly lang: Lang
  readonly sha256: Sha256
  readonly changes: readonly Change[]
  readonly candidateId?: string
}

function altered(surface: Surface, { gates, preset, lang, ...change }: Alteration): SurfaceDiff {
  const other = whatIf(surface, { gates, ...change })
  const report = (of: Surface) => toolsReport({ surface: of, gates, preset, servers: [], findings: [] }, { lang })
  return diffSurfaces(report(surface), report(other))
}
