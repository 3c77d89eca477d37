// All servers of a configuration: its own, then those of shared files. Each is built by itself; here it is settled
// which entry a name belongs to, and which shared ones are approved.
//
//   mcp_servers.x with command or url      its own; a shared x is shadowed, and said so
//   mcp_servers.x without either           adjusts the shared x: its keys are laid over that entry
//   shared x alone                         as the file has it, if `approved_servers` names it

import type { Finding } from '../core/finding.ts'
import { foldName, type Json } from '../core/json.ts'
import { type Origin, originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { buildServer, type ServerTerms } from './build-server.ts'
import { unusableEntry } from './built.ts'
import type { Config, McpServerConfig, UnusableEntry } from './config.ts'
import type { Intake } from './intake.ts'
import { entriesOf, hasError, isMapping, originIn, type Part, partAt, remark } from './part.ts'
import type { Place } from './place.ts'
import { isIdentifier } from './schema.ts'
import { withOurKeys } from './server-keys.ts'
import type { SharedServer } from './shared-servers.ts'

export interface Approval {
  readonly name: string
  readonly origin: Origin
}

export interface ServersInput {
  /** The mapping `mcp_servers`. Absent: the configuration has none of its own. */
  readonly own: Part | undefined
  readonly shared: readonly SharedServer[]
  /** `approved_servers`, with the place of each. `*` approves all. */
  readonly approvals: readonly Approval[]
  /** Where `approved_servers` stands. Absent: the configuration has none. */
  readonly approvalsOrigin: Origin | undefined
  readonly limits: Config['limits']
}

export interface Servers {
  readonly servers: readonly McpServerConfig[]
  readonly unusable: readonly UnusableEntry[]
  readonly findings: readonly Finding[]
}

/** Findings beside those of `buildServer` and `withOurKeys`: `invalid-name`, `duplicate-name`. */
export function buildServers(input: ServersInput, intake: Intake): Servers {
  const servers: McpServerConfig[] = []
  const unusable: UnusableEntry[] = []
  const findings: Finding[] = []
  const taken = new Map<string, { readonly name: string; readonly origin: Origin }>()

  /** Takes the name for the part, or says why it cannot have it. */
  const claims = (name: string, part: Part, severity: Finding['severity']): boolean => {
    const holder = taken.get(foldName(name))
    const fault = !isIdentifier(name)
      ? nameFault(name, part)
      : holder === undefined
        ? undefined
        : twinFault(name, holder.name, holder.origin, part, severity)
    if (fault === undefined) taken.set(foldName(name), { name, origin: originIn(part) })
    else findings.push(fault)
    return fault === undefined
  }
  const add = (name: string, part: Part, terms: ServerTerms) => {
    const result = buildServer(name, part, terms, intake)
    findings.push(...result.findings)
    if (result.built !== undefined) servers.push(result.built)
    if (result.unusable !== undefined) unusable.push(result.unusable)
  }

  const adjusted = new Set<SharedServer>()
  const bases = firstOfEach(input.shared)
  const approvals = firstOfEach(input.approvals)
  for (const [name, given] of input.own === undefined ? [] : entriesOf(input.own)) {
    if (!claims(name, given, 'error')) continue
    const { part, findings: spelled } = withOurKeys(given)
    findings.push(...spelled)
    const base = isAdjustment(part) ? bases.get(name) : undefined
    if (base !== undefined) adjusted.add(base)
    if (hasError(spelled)) unusable.push(unusableEntry('server', name, part, spelled).unusable)
    else if (base === undefined) add(name, part, { limits: input.limits, approved: true })
    else add(name, laidOver(base, part, name), sharedTerms(base, approvals, input))
  }
  for (const server of input.shared) {
    const part = partAt(server.value, server.place, ['mcpServers', server.name])
    if (!adjusted.has(server) && claims(server.name, part, 'warning'))
      add(server.name, part, sharedTerms(server, approvals, input))
  }
  return { servers, unusable, findings }
}

/** By name; of two that bear one, the first. */
function firstOfEach<T extends { readonly name: string }>(items: readonly T[]): Map<string, T> {
  const first = new Map<string, T>()
  for (const item of items) if (!first.has(item.name)) first.set(item.name, item)
  return first
}

function nameFault(name: string, part: Part): Finding {
  const message = `"${printable(name, 80)}" cannot be the name of a server: letters, digits, "_" and "-", at most 64`
  return remark(part, 'invalid-name', message, { subject: name, hint: 'rename the server' })
}

function twinFault(name: string, other: string, origin: Origin, part: Part, severity: Finding['severity']): Finding {
  const message =
    name === other
      ? `the server "${name}" is shadowed by the one at ${originText(origin)}`
      : `the servers "${other}" and "${name}" differ only in letter case; "${other}" at ${originText(origin)} counts`
  return remark(part, 'duplicate-name', message, { subject: name, severity, hint: 'rename one of them' })
}

/** Says how a server is to be used and not how it is reached. */
const isAdjustment = (part: Part): boolean =>
  isMapping(part.value) && !['command', 'url', 'type'].some((key) => isMapping(part.value) && key in part.value)

/** A shared server is approved by its name or by `*`; the origin is where that is done, or where it could be. */
function sharedTerms(server: SharedServer, approvals: ReadonlyMap<string, Approval>, input: ServersInput): ServerTerms {
  const approval = approvals.get(server.name) ?? approvals.get('*')
  const approvedOrigin = approval?.origin ?? input.approvalsOrigin ?? server.namedAt
  return { limits: input.limits, approved: approval !== undefined, approvedOrigin }
}

/** One entry from two files: each key, and each variable and header, is that of the configuration where it has one. */
function laidOver(base: SharedServer, over: Part, name: string): Part {
  const ours = isMapping(over.value) ? over.value : {}
  const value: Record<string, Json> = { ...base.value, ...ours }
  const inside = new Map([...(base.place.inside ?? []), ...(over.place.inside ?? [])])
  for (const key of ['env', 'headers']) {
    const [theirs, own] = [base.value[key], ours[key]]
    if (!isMapping(theirs) || !isMapping(own)) continue
    value[key] = { ...theirs, ...own }
    inside.set(key, mergedPlace(base.place.inside?.get(key), over.place.inside?.get(key) ?? over.place))
  }
  const pathIn = (file: string) => (file === over.place.file ? ['mcp_servers', name] : ['mcpServers', name])
  return { value, place: { ...over.place, inside }, pathIn }
}

const mergedPlace = (base: Place | undefined, over: Place): Place => ({
  ...over,
  inside: new Map([...(base?.inside ?? []), ...(over.inside ?? [])]),
})
