// Models, tools, ACP agents and agents: one function an entry, from checked keys to what the rest of the product reads.

import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import type { Rule } from '../core/run-facts.ts'
import { type Built, unusableEntry } from './built.ts'
import type { AcpAgentConfig, AgentConfig, ModelConfig, ToolConfig } from './config.ts'
import { expanded } from './expand-part.ts'
import type { Intake } from './intake.ts'
import { checked } from './issue-findings.ts'
import { launchOf } from './launch.ts'
import { hasError, originIn, originsOf, type Part } from './part.ts'
import type { Path } from './place.ts'
import { acpAgentSchema, agentSchema, modelSchema, toolSchema } from './schema.ts'
import { secretsIn } from './secret-words.ts'

/**
 * A model. A variable that is unset makes it one that cannot be run, and no more: which tools it would have can be
 * told without its key.
 */
export function buildModel(part: Part, intake: Intake): Built<ModelConfig> {
  const result = checked(modelSchema, part)
  if ('faults' in result) return { findings: result.faults }
  const { name, use, can, target, context_tokens: contextTokens } = result.data
  const faults: Finding[] = []
  const args = expanded(result.data.args as JsonObject | undefined, ['args'], part, intake, faults)
  const [first] = faults
  if (first === undefined) for (const secret of secretsIn(args)) intake.secret(secret)
  const built: ModelConfig = {
    name,
    ...(use === undefined ? {} : { use }),
    ...(args === undefined || first !== undefined ? {} : { args }),
    can: can ?? ['tools'],
    ...(target === undefined ? {} : { target }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(first === undefined ? {} : { unusable: first.message }),
    origin: originIn(part),
  }
  return { built, findings: faults.map((fault): Finding => ({ ...fault, severity: 'warning' })) }
}

/** A configured tool. Its module is looked at by the source, not here. */
export function buildTool(part: Part, intake: Intake): Built<ToolConfig> {
  const result = checked(toolSchema, part)
  const label = labelOf(part)
  if ('faults' in result) {
    return label === undefined ? { findings: result.faults } : unusableEntry('tool', label, part, result.faults)
  }
  const { name, group, use, enabled, effects, role } = result.data
  const findings: Finding[] = []
  const given = result.data.args as JsonObject | undefined
  const args = enabled === false ? given : expanded(given, ['args'], part, intake, findings)
  if (hasError(findings)) return unusableEntry('tool', name, part, findings)
  for (const secret of secretsIn(args)) intake.secret(secret)
  const built: ToolConfig = {
    name,
    ...(group === undefined ? {} : { group }),
    use,
    enabled: enabled ?? true,
    ...(effects === undefined ? {} : { effects }),
    ...(role === undefined ? {} : { role }),
    ...(args === undefined ? {} : { args }),
    origin: originIn(part),
    origins: { use: originIn(part, ['use']), ...originsOf(part, { group: 'group', enabled: 'enabled' }) },
  }
  return { built, findings }
}

/** The name of an entry that is otherwise at fault, when the name is sound. */
function labelOf(part: Part): string | undefined {
  const { value } = part
  const name = value !== null && typeof value === 'object' && 'name' in value ? value.name : undefined
  return toolSchema.safeParse({ name, use: 'x' }).success ? String(name) : undefined
}

/** An ACP agent. `description` is what the model is told of it; its name where there is none. */
export function buildAcpAgent(name: string, part: Part, intake: Intake): Built<AcpAgentConfig> {
  const result = checked(acpAgentSchema, part)
  if ('faults' in result) return unusableEntry('acp-agent', name, part, result.faults)
  const { description, permissions, start_timeout_ms, turn_timeout_ms, ...given } = result.data
  const findings: Finding[] = []
  const launch = launchOf(part, given, intake, true, findings)
  if (hasError(findings)) return unusableEntry('acp-agent', name, part, findings)
  const command = launch.command ?? given.command
  const built: AcpAgentConfig = {
    name,
    ...launch,
    command,
    description: description ?? name,
    permissions: permissions ?? 'ask',
    startTimeoutMs: start_timeout_ms ?? 60_000,
    turnTimeoutMs: turn_timeout_ms ?? 1_800_000,
    origin: originIn(part),
  }
  return { built, findings }
}

/** Keys of an agent that narrow nothing; a fault in any other would widen what the agent has. */
const looseAgentKeys: ReadonlySet<string | number | undefined> = new Set(['description', 'model'])

/**
 * An agent. `fatal` is true when a key that restricts is at fault: then the file is refused, because nobody can tell
 * what the agent was meant not to have.
 */
export function buildAgent(name: string, part: Part): Built<AgentConfig> & { readonly fatal: boolean } {
  const result = checked(agentSchema, part)
  if ('faults' in result) {
    const base = originIn(part).key ?? ''
    const loose = result.faults.every((fault) => looseAgentKeys.has(fault.origin?.key?.slice(base.length + 1)))
    return { ...unusableEntry('agent', name, part, result.faults), fatal: !loose }
  }
  const { description, model, groups, servers, tools, skills, permissions, children } = result.data
  const built: AgentConfig = {
    name,
    description: description ?? '',
    ...(model === undefined ? {} : { model }),
    ...(groups === undefined ? {} : { groups }),
    ...(servers === undefined ? {} : { servers }),
    ...(tools === undefined ? {} : { tools }),
    ...(skills === undefined ? {} : { skills }),
    rules: rulesOf(permissions ?? {}, 'agent', (path) => originIn(part, ['permissions', ...path])),
    ...(children === undefined ? {} : { children }),
    origin: originIn(part),
    origins: originsOf(part, {
      model: 'model',
      groups: 'groups',
      servers: 'servers',
      tools: 'tools',
      skills: 'skills',
      children: 'children',
    }),
  }
  return { built, findings: [], fatal: false }
}

type Lists = { readonly [effect in Rule['effect']]?: readonly string[] | undefined }

/** The rules of a `permissions` mapping, deny first, each with its own place. */
export function rulesOf(lists: Lists, scope: string, origin: (path: Path) => Origin): Rule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    (lists[effect] ?? []).map((text, index): Rule => ({ effect, text, scope, origin: origin([effect, index]) })),
  )
}
