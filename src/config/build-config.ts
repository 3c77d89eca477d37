// From the checked sections of a file to a configuration. Sections fail together: a restriction that is lost widens
// everything. Entries (tools, servers, ACP agents) fail alone.

import type { Finding } from '../core/finding.ts'
import { foldName } from '../core/json.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { buildAcpAgent, buildAgent, buildModel, buildTool } from './build-entries.ts'
import { gatewayOf } from './build-gateway.ts'
import { listed, sectionPart, sectionsOf, stateOf } from './build-sections.ts'
import { buildServers } from './build-servers.ts'
import type { Built } from './built.ts'
import type { AcpAgentConfig, AgentConfig, Config, ModelConfig, ToolConfig, UnusableEntry } from './config.ts'
import type { Intake } from './intake.ts'
import { entriesOf, originOf, type Part, partAt, remark } from './part.ts'
import { type FileData, isIdentifier } from './schema.ts'
import type { SharedServer } from './shared-servers.ts'

export interface ConfigInput {
  readonly data: FileData
  readonly root: Part
  readonly file: string
  readonly folder: string
  readonly shared: readonly SharedServer[]
}

/** Everything but the secrets, which the intake has. `fatal`: a fault that must not be worked around. */
export interface BuiltConfig {
  readonly config: Omit<Config, 'secrets'>
  readonly findings: readonly Finding[]
  readonly fatal: boolean
}

/** Defaults of `limits`; docs/config.md gives the reasons. */
const limitDefaults = {
  resultBytes: 65_536,
  messageBytes: 10_485_760,
  callTimeoutMs: 60_000,
  callTotalMs: 600_000,
  startTimeoutMs: 30_000,
} as const

/**
 * Builds every part of a file whose sections are sound. Findings are those of the builders beside this one, and
 * `duplicate-name` and `invalid-name` for entries.
 */
export function buildConfig(input: ConfigInput, intake: Intake): BuiltConfig {
  const { data, root, folder } = input
  const limits = {
    resultBytes: data.limits?.result_bytes ?? limitDefaults.resultBytes,
    messageBytes: data.limits?.message_bytes ?? limitDefaults.messageBytes,
    callTimeoutMs: data.limits?.call_timeout_ms ?? limitDefaults.callTimeoutMs,
    callTotalMs: data.limits?.call_total_ms ?? limitDefaults.callTotalMs,
    startTimeoutMs: data.limits?.start_timeout_ms ?? limitDefaults.startTimeoutMs,
  }
  const models = modelsOf(root, intake)
  const tools = toolsOf(root, intake)
  const servers = buildServers(
    {
      own: data.mcp_servers === undefined ? undefined : sectionPart(root, 'mcp_servers'),
      shared: input.shared,
      approvals: listed(root, 'approved_servers', data.approved_servers).map(({ text, origin }) => ({
        name: text,
        origin,
      })),
      approvalsOrigin: originOf(root, 'approved_servers'),
      limits,
    },
    intake,
  )
  const acpAgents = namedEntries(root, 'acp_agents', (name, part) => buildAcpAgent(name, part, intake))
  const agents = namedEntries(root, 'agents', buildAgent)
  const state = stateOf(data, root, intake)
  const { gateway, findings: gatewayFindings } = gatewayOf(data, root, intake)
  const findings = [
    ...[models, tools, servers, acpAgents, agents, state].flatMap((part) => part.findings),
    ...gatewayFindings,
  ]
  const unusable = [...tools.unusable, ...servers.unusable, ...acpAgents.unusable, ...agents.unusable]
  const config: Omit<Config, 'secrets'> = {
    file: input.file,
    folder,
    models: models.built,
    tools: tools.built,
    mcpServers: servers.servers,
    acpAgents: acpAgents.built,
    agents: agents.built,
    ...sectionsOf(data, root, folder),
    limits,
    state: { url: state.url },
    gateway,
    ...(unusable.length === 0 ? {} : { unusable }),
  }
  return {
    config,
    findings,
    fatal: models.fatal || agents.fatal || state.findings.length > 0 || gatewayFindings.length > 0,
  }
}

interface Gathered<T> {
  readonly built: readonly T[]
  readonly unusable: readonly UnusableEntry[]
  readonly findings: readonly Finding[]
  readonly fatal: boolean
}

function gathered<T>(results: readonly (Built<T> & { readonly fatal?: boolean })[]): Gathered<T> {
  return {
    built: results.flatMap(({ built }) => (built === undefined ? [] : [built])),
    unusable: results.flatMap(({ unusable }) => (unusable === undefined ? [] : [unusable])),
    findings: results.flatMap(({ findings }) => findings),
    fatal: results.some(({ fatal }) => fatal === true),
  }
}

function listParts(root: Part, key: string): Part[] {
  const section = sectionPart(root, key)
  if (!Array.isArray(section.value)) return []
  return section.value.map((value, index) =>
    partAt(value, section.place.inside?.get(index) ?? section.place, [key, index]),
  )
}

/** A model says what an agent can see and which names a provider takes: a faulty one refuses the file. */
function modelsOf(root: Part, intake: Intake): Gathered<ModelConfig> {
  const parts = listParts(root, 'models')
  const results = parts.map((part) => buildModel(part, intake))
  const all = gathered(results)
  const twins = twinsOf(results, parts, 'error')
  return { ...all, findings: [...all.findings, ...twins], fatal: all.built.length < parts.length || twins.length > 0 }
}

/** Two tools may bear one label: the name that counts is their own. It is said, because it was hardly meant. */
function toolsOf(root: Part, intake: Intake): Gathered<ToolConfig> {
  const parts = listParts(root, 'tools')
  const results = parts.map((part) => buildTool(part, intake))
  const all = gathered(results)
  return { ...all, findings: [...all.findings, ...twinsOf(results, parts, 'warning')] }
}

function twinsOf(
  results: readonly Built<ModelConfig | ToolConfig>[],
  parts: readonly Part[],
  severity: Finding['severity'],
): Finding[] {
  const first = new Map<string, ModelConfig | ToolConfig>()
  const twins: Finding[] = []
  for (const [index, { built }] of results.entries()) {
    const part = parts[index]
    if (built === undefined || part === undefined) continue
    const earlier = first.get(foldName(built.name))
    if (earlier === undefined) first.set(foldName(built.name), built)
    else {
      const message = `the name "${printable(built.name, 60)}" is taken by ${originText(earlier.origin)}`
      twins.push(
        remark(part, 'duplicate-name', message, {
          path: ['name'],
          subject: built.name,
          severity,
          hint: 'rename one of them',
        }),
      )
    }
  }
  return twins
}

/** Entries of a mapping whose keys are names of agents. */
function namedEntries<T extends AcpAgentConfig | AgentConfig>(
  root: Part,
  key: string,
  build: (name: string, part: Part) => Built<T> & { readonly fatal?: boolean },
): Gathered<T> {
  const taken = new Map<string, string>()
  const results = entriesOf(sectionPart(root, key)).map(([name, part]) => {
    if (!isIdentifier(name)) {
      const message = `"${printable(name, 80)}" cannot be a name here: letters, digits, "_" and "-", at most 64`
      return { findings: [remark(part, 'invalid-name', message, { subject: name, hint: 'rename it' })] }
    }
    const twin = taken.get(foldName(name))
    if (twin !== undefined) {
      const message = `"${twin}" and "${name}" differ only in letter case; "${twin}" counts`
      return { findings: [remark(part, 'duplicate-name', message, { subject: name, hint: 'rename one of them' })] }
    }
    taken.set(foldName(name), name)
    return build(name, part)
  })
  return gathered<T>(results)
}
