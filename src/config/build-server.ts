// One MCP server: from a part of a file to what the sessions start or call. Whatever is wrong with it costs this
// server and no other.

import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { type Built, unusableEntry } from './built.ts'
import type { Config, McpServerConfig, McpToolConfig } from './config.ts'
import type { Intake } from './intake.ts'
import { checked } from './issue-findings.ts'
import { type Launch, launchOf } from './launch.ts'
import { hasError, originIn, originsOf, type Part, remark } from './part.ts'
import { type Remote, remoteOf } from './remote.ts'
import { type ServerData, serverSchema } from './schema.ts'
import { transportOf } from './server-keys.ts'

export interface ServerTerms {
  readonly limits: Config['limits']
  /** False: the server came with a shared file and nobody approved it. */
  readonly approved: boolean
  /** Where approval is given or missing. Absent: it needed none. */
  readonly approvedOrigin?: Origin
}

/**
 * Builds a server whose name is sound and whose keys are ours. Findings beside those of the schema, of `launchOf` and
 * of `remoteOf`: `config-conflict`, `config-missing-key` (neither command nor url), `config-range` (a transport that
 * is not spoken).
 */
export function buildServer(name: string, part: Part, terms: ServerTerms, intake: Intake): Built<McpServerConfig> {
  const result = checked(serverSchema, part)
  if ('faults' in result) return unusableEntry('server', name, part, result.faults)
  const { data } = result
  const findings: Finding[] = []
  const transport = transportFor(data, part, findings)
  // What will not be started needs no variables, and must not see any.
  const live = data.enabled !== false && terms.approved
  const launch = launchOf(part, data, intake, live, findings)
  const remote = remoteOf(part, data, intake, live, findings)
  if (data.timeout_ms !== undefined && data.timeouts?.call_ms !== undefined) {
    findings.push(
      remark(part, 'config-conflict', '"timeout_ms" and "timeouts.call_ms" are the same limit', {
        path: ['timeout_ms'],
      }),
    )
  }
  findings.push(...idleKeys(data, part))
  // Switching a server off is the usual way to live with what is wrong with it.
  if (data.enabled === false) {
    const softened = findings.map(
      (found): Finding => (found.severity === 'error' ? { ...found, severity: 'warning' } : found),
    )
    return {
      built: serverOf(name, part, data, transport ?? 'stdio', { ...launch, ...remote }, terms),
      findings: softened,
    }
  }
  if (transport === undefined || hasError(findings)) {
    const spoken = data.type === undefined || transportOf(data.type) !== undefined
    return unusableEntry('server', name, part, findings, spoken ? 'not-configured' : 'unsupported-transport')
  }
  return { built: serverOf(name, part, data, transport, { ...launch, ...remote }, terms), findings }
}

function transportFor(data: ServerData, part: Part, findings: Finding[]): McpServerConfig['transport'] | undefined {
  const spoken = data.type === undefined ? undefined : transportOf(data.type)
  const fail = (
    code: 'config-conflict' | 'config-missing-key' | 'config-range',
    message: string,
    key: string,
    hint: string,
  ) => {
    const path = part.place.inside?.has(key) === true ? [key] : []
    findings.push(remark(part, code, `${keyText(part)} ${message}`, { path, hint }))
    return undefined
  }
  if (data.command !== undefined && data.url !== undefined) {
    return fail(
      'config-conflict',
      'has both "command" and "url": a server is started or called, not both',
      'url',
      'keep one of them',
    )
  }
  if (data.command === undefined && data.url === undefined) {
    return fail('config-missing-key', 'has neither "command" nor "url"', 'type', 'add one of them')
  }
  if (data.type !== undefined && spoken === undefined) {
    const message = `has type "${printable(data.type, 40)}", which is not spoken here`
    return fail('config-range', message, 'type', 'write stdio, http or sse')
  }
  const isLocal = data.command !== undefined
  if (spoken !== undefined && (spoken === 'stdio') !== isLocal) {
    const message = isLocal
      ? 'has "command", and a type that is called by "url"'
      : 'has "url", and the type stdio, which is started by "command"'
    return fail('config-conflict', message, 'type', 'remove "type": it follows from the other key')
  }
  return spoken ?? (isLocal ? 'stdio' : 'http')
}

/** Keys of the other kind of server: they do nothing here, so somebody meant something else. */
function idleKeys(data: ServerData, part: Part): Finding[] {
  const isLocal = data.command !== undefined
  const idle = isLocal ? (['headers', 'oauth'] as const) : (['args', 'env', 'cwd'] as const)
  if (isLocal === (data.url !== undefined)) return []
  return idle
    .filter((key) => data[key] !== undefined && Object.keys(data[key]).length > 0)
    .map((key) => {
      const message = `${keyText(part)}: "${key}" has no effect beside "${isLocal ? 'command' : 'url'}"`
      return remark(part, 'config-conflict', message, { path: [key], severity: 'warning', hint: 'remove it' })
    })
}

const keyText = (part: Part): string => `"${originIn(part).key ?? 'server'}"`

function serverOf(
  name: string,
  part: Part,
  data: ServerData,
  transport: McpServerConfig['transport'],
  reach: Launch & Remote,
  terms: ServerTerms,
): McpServerConfig {
  const { timeouts } = data
  return {
    name,
    transport,
    ...reach,
    ...(data.allow_http === undefined ? {} : { allowHttp: data.allow_http }),
    enabled: data.enabled ?? true,
    approved: terms.approved,
    required: data.required ?? false,
    ...(data.group === undefined ? {} : { group: data.group }),
    prefix: data.tool_name_prefix ?? true,
    trustAnnotations: data.trust_annotations ?? false,
    ...(data.effects === undefined ? {} : { effects: data.effects }),
    ...(data.include_tools === undefined ? {} : { includeTools: data.include_tools }),
    excludeTools: data.exclude_tools ?? [],
    tools: Object.entries(data.tools ?? {}).map(([tool, settings]) => toolOf(tool, settings, part)),
    ...(data.keywords === undefined ? {} : { keywords: data.keywords }),
    ...(data.priority === undefined ? {} : { priority: data.priority }),
    ...(data.auto_promote === undefined ? {} : { autoPromote: data.auto_promote }),
    startTimeoutMs: timeouts?.start_ms ?? terms.limits.startTimeoutMs,
    callTimeoutMs: timeouts?.call_ms ?? data.timeout_ms ?? terms.limits.callTimeoutMs,
    callTotalMs: timeouts?.call_total_ms ?? terms.limits.callTotalMs,
    origin: originIn(part),
    origins: {
      ...originsOf(part, {
        enabled: 'enabled',
        command: 'command',
        url: 'url',
        includeTools: 'include_tools',
        excludeTools: 'exclude_tools',
      }),
      ...(terms.approvedOrigin === undefined ? {} : { approved: terms.approvedOrigin }),
    },
  }
}

function toolOf(name: string, settings: NonNullable<ServerData['tools']>[string], part: Part): McpToolConfig {
  const { auto_promote: autoPromote, ...rest } = settings
  return { name, ...present({ ...rest, autoPromote }), origin: originIn(part, ['tools', name]) }
}

/** Without the keys that are absent: absent and undefined must not become two states. */
function present<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}
