// The keys of a configuration and what each may hold. Strict: an unknown key is an error, unless it begins with `x-`.
// Whatever needs more than one key, a variable or another file is judged where the part is built.

import * as z from 'zod'
import { effectClasses, type ToolRole } from '../core/candidate.ts'
import type { ModelCapability } from '../core/run-facts.ts'

/** Codes that a check gives beside those which follow from the kind of the issue; see `issue-findings.ts`. */
type CheckCode = 'invalid-name' | 'config-range'

const check = (code: CheckCode, error: string) => ({ error, params: { code } })

/** Keys that begin with this are free for people and other programs, in every mapping that has fixed keys. */
export const freePrefix = 'x-'

function withoutFreeKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith(freePrefix)))
}

/**
 * A mapping with fixed keys. The message of an unknown key is the list of known ones, because only here it is at hand
 * and a message is all that an issue carries.
 */
const fixed = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    withoutFreeKeys,
    z.strictObject(shape, {
      error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : undefined),
    }),
  )

// ── texts ──

const printableText = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]*$/u
const identifier = /^[A-Za-z0-9_-]{1,64}$/

/** True for what may name a server, an agent or an ACP agent: it becomes part of tool names, keys and folders. */
export const isIdentifier = (name: string): boolean => identifier.test(name)

/** A name for people: one line, nothing invisible. */
const label = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => printableText.test(text), check('invalid-name', 'holds control or invisible characters'))
  .refine((text) => text.trim() === text, check('invalid-name', 'begins or ends with a blank'))

/** One line that is not blank: a rule, a reference, an address. */
const line = z
  .string()
  .max(1000)
  .refine((text) => printableText.test(text), check('config-range', 'must be one line without control characters'))
  .refine((text) => text.trim() !== '', check('config-range', 'must not be empty'))

/** A folder of the host by its full name; the root itself would show everything. */
const absolutePath = line
  .refine((text) => text.startsWith('/'), check('config-range', 'must be an absolute path'))
  .refine(
    (text) => /^(?:\/(?!\.{1,2}(?:\/|$))[^/:]+)+\/?$/.test(text),
    check('config-range', 'must name one folder, without "..", ":" and double slashes'),
  )

const identifierText = z
  .string()
  .refine(isIdentifier, check('invalid-name', 'is not of the form letters, digits, "_", "-", at most 64'))

const prose = z.string().max(10_000)
const longText = z.string().max(100_000)

/** The beginning of a tool's name; `*` is put after it. */
const prefix = line.refine(
  (text) => !/[\s*?()\\]/.test(text),
  check('config-range', 'must be the beginning of a name, without blanks, "*", "?" or brackets'),
)

// ── numbers and free values ──

/** Node's timers hold 32 bits and fire at once beyond. */
const timerMax = 2_147_483_647
const milliseconds = z.int().min(1).max(timerMax)

const mebibyte = 1_048_576
const terabyte = 1_099_511_627_776

const exactNumber = (value: unknown): boolean =>
  typeof value !== 'number' || (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))

const exactNumbers = (value: unknown): boolean =>
  value !== null && typeof value === 'object' ? Object.values(value).every(exactNumbers) : exactNumber(value)

/** Settings that are handed on as they are. Numbers that the reader had to round are refused. */
const settings = z
  .record(z.string(), z.unknown())
  .refine(exactNumbers, check('config-range', 'holds a number that cannot be kept exactly'))

const capabilities = ['tools', 'vision', 'native-search'] as const satisfies readonly ModelCapability[]
const roles = [
  'shell',
  'file-read',
  'file-edit',
  'subagent',
  'tool-search',
  'ask-person',
] as const satisfies readonly ToolRole[]

const effects = z.array(z.enum(effectClasses))
const keywords = z.array(line).max(100)
const priority = z.number().min(-1000).max(1000)

// ── entries: each is checked by itself, so that a bad one costs only itself ──

export const modelSchema = fixed({
  name: label,
  use: line.optional(),
  args: settings.optional(),
  can: z.array(z.enum(capabilities)).optional(),
  target: line.optional(),
  context_tokens: z.int().min(1).max(1_000_000_000).optional(),
})

export const toolSchema = fixed({
  name: label,
  group: label.optional(),
  use: line,
  enabled: z.boolean().optional(),
  effects: effects.optional(),
  role: z.enum(roles).optional(),
  args: settings.optional(),
})

const serverToolSchema = fixed({
  enabled: z.boolean().optional(),
  group: label.optional(),
  effects: effects.optional(),
  role: z.enum(roles).optional(),
  keywords: keywords.optional(),
  priority: priority.optional(),
  auto_promote: z.boolean().optional(),
})

/** How a server is reached; all that a file of `mcp_config_files` may say beside narrowing it. */
const connection = {
  type: line.optional(),
  command: longText.optional(),
  args: z.array(longText).max(1000).optional(),
  env: z.record(z.string(), longText).optional(),
  cwd: longText.optional(),
  url: longText.optional(),
  headers: z.record(z.string(), longText).optional(),
  enabled: z.boolean().optional(),
  include_tools: z.array(line).optional(),
  exclude_tools: z.array(line).optional(),
}

export const sharedServerKeys: readonly string[] = Object.keys(connection)

const serverShape = {
  ...connection,
  allow_http: z.boolean().optional(),
  required: z.boolean().optional(),
  group: label.optional(),
  tool_name_prefix: z.boolean().optional(),
  trust_annotations: z.boolean().optional(),
  effects: effects.optional(),
  tools: z.record(z.string(), serverToolSchema).optional(),
  keywords: keywords.optional(),
  priority: priority.optional(),
  auto_promote: z.boolean().optional(),
  timeout_ms: milliseconds.optional(),
  timeouts: fixed({
    start_ms: milliseconds.optional(),
    call_ms: milliseconds.optional(),
    call_total_ms: milliseconds.optional(),
  }).optional(),
  oauth: fixed({
    client_id: line.optional(),
    client_secret: longText.optional(),
    scopes: z.array(line).max(100).optional(),
    redirect_port: z.int().min(1).max(65_535).optional(),
  }).optional(),
}

export const serverKeys: readonly string[] = Object.keys(serverShape)
export const serverSchema = fixed(serverShape)

export const acpAgentSchema = fixed({
  command: longText,
  args: z.array(longText).max(1000).optional(),
  env: z.record(z.string(), longText).optional(),
  cwd: longText.optional(),
  description: prose.optional(),
  permissions: z.enum(['ask', 'allow', 'deny']).optional(),
  start_timeout_ms: milliseconds.optional(),
  turn_timeout_ms: milliseconds.optional(),
})

const rules = z.array(line)

export const agentSchema = fixed({
  description: prose.optional(),
  model: line.optional(),
  groups: z.array(label).optional(),
  servers: z.array(identifierText).optional(),
  tools: rules.optional(),
  skills: z.array(label).optional(),
  permissions: fixed({ deny: rules.optional(), ask: rules.optional(), allow: rules.optional() }).optional(),
  children: z.array(identifierText).optional(),
})

const sha256Text = z
  .string()
  .refine((text) => /^[0-9a-f]{64}$/i.test(text), check('config-range', 'must be a SHA-256 in 64 hexadecimal digits'))

/** What one kind of client of the gateway gets. */
const viewSchema = fixed({
  agent: line.optional(),
  target: line.optional(),
  user: identifierText.optional(),
  deny_tools: rules.optional(),
  unattended: z.boolean().optional(),
})

const tokenSchema = fixed({
  name: label,
  value: longText.optional(),
  digest: sha256Text.optional(),
  views: z.array(identifierText).min(1).max(100),
  user: identifierText.optional(),
})

// ── sections: one fault here refuses the file, because a restriction that is lost widens everything ──

const sections = {
  version: z.number().optional(),
  tool_groups: z.array(label).optional(),
  deny_tools: rules.optional(),
  deny_prefixes: z.array(prefix).optional(),
  mcp_config_files: z.array(line).max(32).optional(),
  approved_servers: z.array(line).optional(),
  skills: fixed({
    paths: z.array(line).optional(),
    mode: z.enum(['active', 'enabled']).optional(),
    active: z.array(label).optional(),
    disabled: z.array(label).optional(),
    always_reachable: z.array(line).optional(),
  }).optional(),
  permissions: fixed({
    deny: rules.optional(),
    ask: rules.optional(),
    allow: rules.optional(),
    otherwise: z.enum(['allow', 'ask', 'deny']).optional(),
  }).optional(),
  sandbox: fixed({
    kind: z.enum(['auto', 'none', 'namespace']).optional(),
    allow_host_bash: z.boolean().optional(),
    network: z.boolean().optional(),
    programs: z.array(absolutePath).max(32).optional(),
    limits: fixed({
      memory_bytes: z
        .int()
        .min(64 * mebibyte)
        .max(terabyte)
        .optional(),
      processes: z.int().min(8).max(100_000).optional(),
      output_bytes: z.int().min(65_536).max(1_073_741_824).optional(),
      file_bytes: z.int().min(mebibyte).max(terabyte).optional(),
      temp_bytes: z.int().min(mebibyte).max(terabyte).optional(),
      disk_reserve_bytes: z.int().min(0).max(terabyte).optional(),
    }).optional(),
  }).optional(),
  delegation: fixed({
    enabled: z.boolean().optional(),
    max_depth: z.int().min(0).max(10).optional(),
    max_children: z.int().min(1).max(100).optional(),
    timeout_ms: z.int().min(1).max(86_400_000).optional(),
  }).optional(),
  tool_search: fixed({
    enabled: z.literal([true, false, 'auto']).optional(),
    budget: z.number().min(0).max(1_000_000_000).optional(),
    always: z.array(line).optional(),
    max_results: z.int().min(1).max(50).optional(),
    more_results: z.int().min(0).max(50).optional(),
    query_chars: z.int().min(20).max(2000).optional(),
    synonyms: z.array(z.array(line).min(2).max(50)).max(500).optional(),
    auto_promote: z.int().min(0).max(20).optional(),
    promoted_max: z.int().min(1).max(1000).optional(),
    promoted_budget: z.number().min(0).max(1_000_000_000).optional(),
    embedder: line.optional(),
  }).optional(),
  limits: fixed({
    result_bytes: z.int().min(1).max(1_073_741_824).optional(),
    message_bytes: z.int().min(1024).max(1_073_741_824).optional(),
    call_timeout_ms: milliseconds.optional(),
    call_total_ms: milliseconds.optional(),
    start_timeout_ms: milliseconds.optional(),
  }).optional(),
  state: fixed({ url: longText.optional() }).optional(),
  sessions: fixed({ max: z.int().min(1).max(10_000).optional(), idle_ms: milliseconds.optional() }).optional(),
  listings: fixed({ max_age_ms: z.int().min(0).max(31_536_000_000).optional() }).optional(),
  workspace: fixed({ path: longText.optional() }).optional(),
  trusted_modules: z.array(line).optional(),
  pins: fixed({ enabled: z.boolean().optional() }).optional(),
  require: rules.optional(),
  forbid: rules.optional(),
  gateway: fixed({
    host: line.optional(),
    port: z.int().min(0).max(65_535).optional(),
    allowed_hosts: z.array(line).max(100).optional(),
    allowed_origins: z.array(line).max(100).optional(),
    views: z.record(z.string(), viewSchema).optional(),
    tokens: z.array(tokenSchema).max(1000).optional(),
    limits: fixed({
      body_bytes: z.int().min(1024).max(1_073_741_824).optional(),
      per_second: z.int().min(1).max(1_000_000).optional(),
      in_flight: z.int().min(1).max(100_000).optional(),
    }).optional(),
  }).optional(),
}

/** The file with its sections checked and its entries still to be. */
export const fileSchema = fixed({
  ...sections,
  models: z.array(z.unknown()).optional(),
  tools: z.array(z.unknown()).optional(),
  mcp_servers: z.record(z.string(), z.unknown()).optional(),
  acp_agents: z.record(z.string(), z.unknown()).optional(),
  agents: z.record(z.string(), z.unknown()).optional(),
})

/** The whole file, for editors and for the test of docs/config.md. */
export const wholeSchema = fixed({
  ...sections,
  models: z.array(modelSchema).optional(),
  tools: z.array(toolSchema).optional(),
  mcp_servers: z.record(z.string(), serverSchema).optional(),
  acp_agents: z.record(z.string(), acpAgentSchema).optional(),
  agents: z.record(z.string(), agentSchema).optional(),
})

export type FileData = z.output<typeof fileSchema>
export type ServerData = z.output<typeof serverSchema>
