// Small worlds for tests: plain facts and candidates with sensible values, of which a test names only what it is
// about. Nothing here is random.

import { createHash } from 'node:crypto'
import type { Candidate, Protocol, SourceKind } from '../core/candidate.ts'
import { definitionCharsOf } from '../core/definition-chars.ts'
import { canonicalJson, type Json, type Sha256 } from '../core/json.ts'
import type { RunFacts } from '../core/run-facts.ts'
import type { World } from '../gates/apply-changes.ts'

/** The hash that tests hand to `assemble`. */
export const sha256: Sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

/** Each part of the facts may be given in part; the rest keeps its usual value. */
export type FactsOverrides = {
  readonly [Key in keyof RunFacts]?: RunFacts[Key] extends readonly unknown[] | string | undefined
    ? RunFacts[Key]
    : Partial<RunFacts[Key]>
}

const usualFacts: RunFacts = {
  agent: { name: 'main', origins: {} },
  model: { name: 'model-1', can: ['tools', 'vision'] },
  target: {
    name: 'common',
    nameMax: 64,
    nameCharset: 'word-dash',
    nameStartsWithLetter: false,
    descriptionRequired: false,
    schemaProfile: 'common',
  },
  skills: { mode: 'active', list: [], alwaysReachable: [] },
  permissions: { rules: [], otherwise: 'allow' },
  sandbox: { kind: 'none', allowHostBash: false },
  delegation: { enabled: true, depth: 0, depthMax: 1 },
  deferral: { mode: 'auto', budgetTokens: 10_000, always: [] },
  simpleMode: { on: false },
  mcp: { on: true },
  attended: { on: true },
}

/** Facts under which every gate lets an ordinary tool through, with the given parts put over them. */
export function someFacts(overrides: FactsOverrides = {}): RunFacts {
  const parts = Object.entries(overrides).map(([key, given]) => {
    const usual: unknown = usualFacts[key as keyof RunFacts]
    const isPart = isRecord(usual) && isRecord(given)
    return [key, isPart ? { ...usual, ...given } : given] as const
  })
  return { ...usualFacts, ...(Object.fromEntries(parts) as Partial<RunFacts>) }
}

const isRecord = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const protocolOf: { readonly [kind in SourceKind]: Protocol } = {
  config: 'module',
  builtin: 'native',
  mcp: 'mcp',
  acp: 'acp',
  snapshot: 'native',
}

/**
 * A candidate that is available and sound. What follows from other fields is worked out from them: id, surface
 * name, protocol, size and hash. Without a source it is configured, or of MCP when a server is given.
 */
export function aCandidate(given: Partial<Candidate> = {}): Candidate {
  const source = given.source ?? (given.server === undefined ? 'config' : 'mcp')
  const protocol = given.protocol ?? protocolOf[source]
  const originalName = given.originalName ?? given.name ?? 'read_file'
  const owner = given.server === undefined ? '' : `${given.server}/`
  const id = given.id ?? `${source}:${owner}${originalName}`
  const definition = given.definition ?? {
    description: `Does what ${originalName} says.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  }
  const qualified = protocol === 'mcp' && given.server !== undefined ? `${given.server}__${originalName}` : originalName
  const name = given.name ?? qualified
  return {
    form: 'executes',
    needs: [],
    effects: ['read'],
    effectsBy: 'declared',
    availability: { state: 'available' },
    definitionChars: definitionCharsOf(name, definition),
    definitionHash: sha256(canonicalJson([given.server ?? null, originalName, definition as unknown as Json])),
    origin: { in: 'toolgate.yaml', key: `tools.${originalName}`, line: 7 },
    ...given,
    id,
    source,
    protocol,
    originalName,
    name,
    definition,
  }
}

/** The one candidate that stands for a server which never listed its tools. */
export function aStandIn(server: string, given: Partial<Candidate> = {}): Candidate {
  return aCandidate({
    server,
    originalName: '*',
    standIn: true,
    availability: { state: 'not-started' },
    definition: { description: '', inputSchema: { type: 'object' } },
    ...given,
  })
}

/** The built-in `tool_search`. */
export const aSearchTool = (given: Partial<Candidate> = {}): Candidate =>
  aCandidate({ source: 'builtin', originalName: 'tool_search', role: 'tool-search', ...given })

/** Facts and candidates in one. */
export const aWorld = (facts: FactsOverrides, ...candidates: readonly Candidate[]): World => ({
  facts: someFacts(facts),
  candidates,
})

/** A few tools of every kind: what most runs hold. */
export const someCandidates = (): readonly Candidate[] => [
  aCandidate({ originalName: 'read_file', group: 'file:read', role: 'file-read' }),
  aCandidate({ originalName: 'bash', group: 'shell', role: 'shell', needs: ['host-shell'], effects: ['execute'] }),
  aCandidate({ source: 'builtin', originalName: 'view_image', needs: ['vision'] }),
  aCandidate({ source: 'builtin', originalName: 'ask_clarification', form: 'interrupts', needs: ['person'] }),
  aCandidate({ source: 'builtin', originalName: 'task', form: 'delegates', role: 'subagent' }),
  aSearchTool(),
  aCandidate({ server: 'files', originalName: 'read_file', group: 'web' }),
  aCandidate({ server: 'files', originalName: 'move_file', effects: ['write'] }),
  aCandidate({
    server: 'remote',
    originalName: 'bash',
    name: 'bash',
    effects: ['read', 'write', 'execute', 'network'],
  }),
  aStandIn('asleep'),
  aCandidate({ source: 'acp', originalName: 'invoke_acp_agent', server: 'helper', form: 'delegates' }),
]

/** The same few tools under each switch that a run has, one switch at a time. */
export function smallWorlds(): readonly World[] {
  const switches: readonly FactsOverrides[] = [
    {},
    { agent: { groups: [] } },
    { agent: { groups: ['web'], servers: ['files'], tools: ['read_file'] } },
    { model: { can: [] } },
    { model: { can: ['tools'] } },
    { sandbox: { allowHostBash: true } },
    { sandbox: { kind: 'namespace' } },
    { simpleMode: { on: true } },
    { mcp: { on: false } },
    { attended: { on: false } },
    { permissions: { otherwise: 'deny' } },
    {
      skills: {
        list: [{ name: 'site', enabled: true, active: true, allowedTools: ['bash'], origin: { in: 'SKILL.md' } }],
      },
    },
    { delegation: { depth: 1, parent: { agent: 'main', tools: ['config:read_file'] } } },
    { deferral: { mode: 'on' } },
    { deferral: { mode: 'off' }, target: { toolsMax: 3 } },
    { deferral: { budgetTokens: 100 } },
    { pins: [] },
  ]
  return switches.map((facts) => aWorld(facts, ...someCandidates()))
}

/** Names and schemas as they come from people who mean harm or make mistakes. */
export function hostileCandidates(): readonly Candidate[] {
  const deep = JSON.parse(`${'{"items":'.repeat(2000)}{}${'}'.repeat(2000)}`) as Candidate['definition']['inputSchema']
  const names = [
    '',
    ' ',
    '\n',
    '__proto__',
    'constructor',
    'toString',
    'bash\u0000',
    'b\u0430sh',
    '\uff42ash',
    '\ud800',
    '</tools>',
  ]
  const ofServer = (originalName: string, at: number): Candidate =>
    aCandidate({ server: 'files', originalName, name: at % 2 === 0 ? originalName : `files__${originalName}` })
  return [
    ...names.map(ofServer),
    aCandidate({ server: 'files', originalName: 'n'.repeat(10_000) }),
    aCandidate({
      server: 'files',
      originalName: 'long_text',
      definition: { description: '\u202e"\n'.repeat(1000), inputSchema: {} },
    }),
    aCandidate({
      server: 'files',
      originalName: 'deep',
      definition: { description: '', inputSchema: { type: 'object', properties: { deep } } },
      definitionHash: '0'.repeat(64),
    }),
    aCandidate({
      server: 'files',
      originalName: 'list',
      definition: { description: '', inputSchema: [] as unknown as Candidate['definition']['inputSchema'] },
    }),
    aCandidate({
      server: 'files',
      originalName: 'none',
      definition: { description: '', inputSchema: null as unknown as Candidate['definition']['inputSchema'] },
    }),
    aCandidate({ server: '\u001b[31m', group: '"\n', declaredName: '__proto__', originalName: 'odd', marks: ['\n'] }),
    aCandidate({ server: 'files', originalName: 'no_size', definitionChars: Number.NaN }),
    aCandidate({
      server: 'files',
      originalName: 'down',
      availability: { state: 'failed-to-start', detail: 'a\u0000b\nc. Done.' },
    }),
  ]
}
