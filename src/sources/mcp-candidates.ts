// From a server's list of tools to candidates: names, marks of the operator, and what became of each tool.

import { setImmediate as turn } from 'node:timers/promises'
import type { McpServerConfig, McpToolConfig } from '../config/config.ts'
import { type Availability, type Candidate, type EffectClass, effectClasses } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { type ErrorCode, finding } from '../errors.ts'
import { candidateOf, emptySchema, needsWith } from './candidate-of.ts'
import { type McpTool, readMcpTool } from './mcp-tool.ts'

export interface Offered {
  readonly candidates: readonly Candidate[]
  /** What clients show and nothing is decided by, by id of the candidate. */
  readonly extras: ReadonlyMap<string, JsonObject>
  readonly findings: readonly Finding[]
  /** Original names of the tools that were read. */
  readonly names: readonly string[]
}

interface Entry {
  readonly tool: McpTool
  /** The end of its identity. */
  readonly key: string
}

/** Steps that are gone in one go before other work gets its turn: some twenty milliseconds. */
const stepsInOneGo = 10_000

/** Lets other work have its turn when enough was done since the last time. */
function pace(): (steps: number) => Promise<void> {
  let done = 0
  return async (steps) => {
    done += steps
    if (done < stepsInOneGo) return
    done = 0
    await turn()
  }
}

/**
 * Candidates for the tools of a list, in its order. Of two tools of one name the first is kept; an entry that is no
 * tool, and every fault of one, is a finding. `availability` holds for all that the configuration does not leave out.
 */
export async function mcpCandidates(
  server: McpServerConfig,
  tools: readonly unknown[],
  availability: Availability,
): Promise<Offered> {
  const findings: Finding[] = []
  const entries = await entriesOf(server, tools, findings)
  const marks = new Map(server.tools.map((tool) => [tool.name, tool]))
  const bare = new Set(entries.map(({ tool }) => tool.originalName))
  const candidates: Candidate[] = []
  const extras = new Map<string, JsonObject>()
  const paced = pace()
  for (const { tool, key } of entries) {
    await paced(tool.steps)
    const mark = tool.named ? marks.get(tool.originalName) : undefined
    const place = { key, mark, bare, availability: leftOut(server, tool, mark) ?? availability }
    const candidate = candidateFor(server, tool, place)
    candidates.push(candidate)
    if (tool.extras !== undefined) extras.set(candidate.id, tool.extras)
  }
  const names = entries.filter(({ tool }) => tool.named).map(({ tool }) => tool.originalName)
  return { candidates, extras, findings, names }
}

async function entriesOf(
  server: McpServerConfig,
  tools: readonly unknown[],
  findings: Finding[],
): Promise<readonly Entry[]> {
  const entries = new Map<string, Entry>()
  const add = (code: ErrorCode, message: string, subject: string, severity: Finding['severity'] = 'warning') =>
    findings.push(finding(code, severity, message, { subject: `${server.name}/${subject}`, origin: server.origin }))
  const paced = pace()
  const headersSent = server.transport === 'http'
  for (const [index, raw] of tools.entries()) {
    const tool = readMcpTool(raw, { headersSent })
    await paced(tool?.steps ?? 1)
    if (tool === undefined) {
      add('listing-malformed', `list-shape: entry ${index + 1} of its list is no tool`, `#${index}`)
      continue
    }
    const key = tool.named ? tool.originalName : `#${index}`
    const subject = tool.named ? printable(key, 80) : key
    if (entries.has(key)) {
      add('listing-malformed', `duplicate-name: "${subject}" is listed more than once, and the first is kept`, subject)
      continue
    }
    entries.set(key, { tool, key })
    for (const { code, severity, message } of tool.remarks) add(code, message, subject, severity)
    for (const { code, detail } of tool.faults) add('tool-quarantined', `${code}: ${detail}`, subject)
  }
  return [...entries.values()]
}

interface Place {
  readonly key: string
  readonly mark: McpToolConfig | undefined
  /** Original names of the whole list. */
  readonly bare: ReadonlySet<string>
  readonly availability: Availability
}

function candidateFor(server: McpServerConfig, tool: McpTool, place: Place): Candidate {
  const { key, mark, bare, availability } = place
  const { originalName, definition, faults } = tool
  const group = mark?.group ?? server.group
  const role = mark?.role
  const routing = routingOf(server, mark)
  return candidateOf({
    id: `mcp:${server.name}/${key}`,
    source: 'mcp',
    protocol: 'mcp',
    server: server.name,
    originalName,
    name: server.prefix ? prefixed(server.name, originalName, bare) : originalName,
    form: 'executes',
    ...(group === undefined ? {} : { group }),
    ...(role === undefined ? {} : { role }),
    needs: needsWith(role, []),
    ...effectsOf(server, mark, definition.annotations),
    availability,
    ...(faults.length === 0 ? {} : { faults }),
    definition,
    ...(routing === undefined ? {} : { routing }),
    origin: server.origin,
    owner: ownerOf(server),
  })
}

/** One candidate for all tools of a server that never listed any. */
export function standInFor(server: McpServerConfig, availability: Availability): Candidate {
  return candidateOf({
    id: `mcp:${server.name}/*`,
    source: 'mcp',
    protocol: 'mcp',
    server: server.name,
    originalName: '*',
    name: `${server.name}__*`,
    standIn: true,
    form: 'executes',
    ...(server.group === undefined ? {} : { group: server.group }),
    needs: [],
    ...effectsOf(server, undefined, undefined),
    availability,
    definition: { description: '', inputSchema: emptySchema },
    origin: server.origin,
    owner: ownerOf(server),
  })
}

/** What the operator wrote of the server; its folder and variables may differ between machines. */
function ownerOf(server: McpServerConfig): JsonObject {
  const { name, transport, command, args, url } = server
  return { source: 'mcp', server: name, transport, command, args, url }
}

/**
 * `server__tool`. A tool that bears the prefix already (`crm__find`, `mcp__crm__find`) is not given it twice,
 * unless another tool of the server would then have the same name.
 */
function prefixed(server: string, original: string, bare: ReadonlySet<string>): string {
  const prefix = `${server}__`
  const inner = original.startsWith(`mcp__${prefix}`) ? original.slice(5) : original
  if (inner.length <= prefix.length || !inner.startsWith(prefix)) return prefix + original
  const taken = bare.has(inner.slice(prefix.length)) || (inner !== original && bare.has(inner))
  return taken ? prefix + original : inner
}

/** What the configuration itself leaves out. */
function leftOut(server: McpServerConfig, tool: McpTool, mark: McpToolConfig | undefined): Availability | undefined {
  const { includeTools, excludeTools, origins } = server
  const out = (detail: string, origin = server.origin): Availability => ({ state: 'disabled', detail, origin })
  if (mark?.enabled === false) return out('its entry under tools says enabled: false', mark.origin)
  if (!tool.named) return undefined
  if (excludeTools.includes(tool.originalName)) return out('exclude_tools names it', origins.excludeTools)
  if (includeTools !== undefined && !includeTools.includes(tool.originalName))
    return out('include_tools does not name it', origins.includeTools)
  return undefined
}

function routingOf(server: McpServerConfig, mark: McpToolConfig | undefined): Candidate['routing'] {
  const keywords = mark?.keywords ?? server.keywords
  const priority = mark?.priority ?? server.priority
  const autoPromote = mark?.autoPromote ?? server.autoPromote
  if (keywords === undefined && priority === undefined && autoPromote !== false) return undefined
  return {
    keywords: keywords ?? [],
    priority: priority ?? 0,
    ...(autoPromote === false ? { autoPromote } : {}),
  }
}

/**
 * The operator's word for the tool, then for the server; then, where the operator trusts the server, its claims:
 * they can take effects away from all four, never more. Nobody's word: all four.
 */
function effectsOf(
  server: McpServerConfig,
  mark: McpToolConfig | undefined,
  annotations: JsonObject | undefined,
): Pick<Candidate, 'effects' | 'effectsBy'> {
  const declared = mark?.effects ?? server.effects
  if (declared !== undefined) return { effects: declared, effectsBy: 'declared' }
  const { readOnlyHint, openWorldHint } = annotations ?? {}
  const claims = server.trustAnnotations && (typeof readOnlyHint === 'boolean' || typeof openWorldHint === 'boolean')
  if (!claims) return { effects: effectClasses, effectsBy: 'assumed' }
  const denied = new Set<EffectClass>([
    ...(readOnlyHint === true ? (['write', 'execute'] as const) : []),
    ...(openWorldHint === false ? (['network'] as const) : []),
  ])
  return { effects: effectClasses.filter((effect) => !denied.has(effect)), effectsBy: 'claimed' }
}
