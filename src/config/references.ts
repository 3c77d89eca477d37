// Names that one part of a configuration uses for another. A name that nothing bears is reported with the nearest
// that something does; a reference that would otherwise fall back to a default costs the agent that makes it.

import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { bounds } from './bounds.ts'
import type { AgentConfig, Config, UnusableEntry } from './config.ts'
import type { Path } from './place.ts'

export interface ReferenceInput {
  readonly config: Pick<
    Config,
    'models' | 'agents' | 'tools' | 'mcpServers' | 'toolGroups' | 'toolGroupsOrigin' | 'unusable'
  >
  /** `approved_servers`. */
  readonly approvals: readonly string[]
  /** Where a path of the file stands. */
  readonly originAt: (path: Path) => Origin
  readonly targets: readonly string[]
  /** Groups that tools outside the configuration belong to, such as the built-in ones. */
  readonly groups: readonly string[]
}

export interface References {
  /** Agents without those whose model is not there. */
  readonly agents: readonly AgentConfig[]
  readonly unusable: readonly UnusableEntry[]
  readonly findings: readonly Finding[]
  /** A model names a target that is not known: nothing about its names and schemas could be told. */
  readonly fatal: boolean
}

/**
 * Findings: `unknown-name` (error for an agent's model and a model's target, else warning), `group-unknown`
 * (warning).
 */
export function checkReferences(input: ReferenceInput): References {
  const { config, originAt } = input
  const findings: Finding[] = []
  const unusable: UnusableEntry[] = []
  const names = (list: readonly { readonly name: string }[], kind?: UnusableEntry['kind']): ReadonlySet<string> =>
    new Set([...list, ...(config.unusable ?? []).filter((entry) => entry.kind === kind)].map(({ name }) => name))
  const models = names(config.models)
  const servers = names(config.mcpServers, 'server')
  const agents = names(config.agents, 'agent')
  const groups = groupsOf(input)

  const bad = config.models.filter(({ target }) => target !== undefined && !input.targets.includes(target))
  for (const model of bad) {
    findings.push(unknown('target', model.target ?? '', new Set(input.targets), model.origin, 'error'))
  }
  const usable = config.agents.filter((agent) => {
    if (agent.model === undefined || models.has(agent.model)) return true
    const fault = unknown('model', agent.model, models, agent.origins.model ?? agent.origin, 'error')
    findings.push(fault)
    const { name, origin } = agent
    unusable.push({ kind: 'agent', name, state: 'not-configured', detail: fault.message, origin })
    return false
  })
  const each = (list: readonly string[] | undefined, known: ReadonlySet<string>, kind: Kind, path: Path) => {
    for (const [index, name] of (list ?? []).entries()) {
      if (findings.length >= bounds.findings) return
      if (!known.has(name))
        findings.push(unknown(kind, name, known, originAt([...path, index]), 'warning', findings.length < offersMax))
    }
  }
  each(config.toolGroups, groups, 'group', ['tool_groups'])
  for (const agent of config.agents) {
    each(agent.groups, groups, 'group', ['agents', agent.name, 'groups'])
    each(agent.servers, servers, 'server', ['agents', agent.name, 'servers'])
    each(agent.children, agents, 'agent', ['agents', agent.name, 'children'])
  }
  each(input.approvals, new Set([...servers, '*']), 'server', ['approved_servers'])
  return { agents: usable, unusable, findings, fatal: bad.length > 0 }
}

type Kind = 'target' | 'model' | 'group' | 'server' | 'agent'

/** Looking for a near name goes through all that are known: done for the first findings, which people read. */
const offersMax = 20

function groupsOf({ config, groups }: ReferenceInput): ReadonlySet<string> {
  const all = new Set(groups)
  const add = (group: string | undefined) => group !== undefined && all.add(group)
  for (const tool of config.tools) add(tool.group)
  for (const entry of config.unusable ?? []) add(entry.group)
  for (const server of config.mcpServers) {
    add(server.group)
    for (const tool of server.tools) add(tool.group)
  }
  return all
}

function unknown(
  kind: Kind,
  name: string,
  known: ReadonlySet<string>,
  origin: Origin,
  severity: Finding['severity'],
  offers = true,
): Finding {
  const code: ErrorCode = kind === 'group' ? 'group-unknown' : 'unknown-name'
  const shown = printable(name, 80)
  const message = kind === 'group' ? `nothing belongs to the group "${shown}"` : `there is no ${kind} "${shown}"`
  return finding(code, severity, message, {
    subject: shown,
    ...(offers ? { hint: offer(kind, name, known) } : {}),
    origin,
  })
}

function offer(kind: Kind, name: string, known: ReadonlySet<string>): string {
  const near = nearest(name, known, 1)[0]
  if (near !== undefined) return `did you mean "${printable(near, 60)}"?`
  if (known.size === 0) return `no ${kind} is configured`
  return `known: ${[...known]
    .slice(0, 20)
    .map((other) => printable(other, 40))
    .join(', ')}`
}
