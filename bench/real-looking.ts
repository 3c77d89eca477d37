// What the benchmarks decide about: ten thousand definitions as real servers give them, and a run with rules, skills
// and a budget. The definitions are those of captured catalogues where such a folder is beside the repository;
// elsewhere they are made, with sizes drawn from the same spread.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Candidate, Definition, EffectClass } from '../src/core/candidate.ts'
import type { JsonObject } from '../src/core/json.ts'
import type { Rule, RunFacts, SkillFact } from '../src/core/run-facts.ts'
import { candidateOf } from '../src/sources/candidate-of.ts'
import { targetNamed } from '../src/targets/targets.ts'
import { presentFiles, type Tool, toolSearch, viewImage } from '../src/tools/index.ts'

export interface Input {
  /** Where the definitions are from, for the head of the report. */
  readonly from: string
  readonly candidates: readonly Candidate[]
  readonly facts: RunFacts
}

interface Listing {
  readonly server: string
  readonly tools: readonly (Definition & { readonly name: string })[]
}

const catalogFolder = resolve(import.meta.dirname, '../../shared/data/mcp-catalogs')
const groups = ['web', 'code', 'data', 'office', 'ops', 'media']

/** So many candidates (built-ins first) and the facts of a run about them, the same each time. */
export function realLooking(candidatesMax: number, rulesMax: number): Input {
  const random = randomOf(20_261_130)
  const captured = existsSync(catalogFolder)
  const listings = captured ? capturedListings() : madeListings(random)
  const candidates = [toolSearch, presentFiles, viewImage].map(ofProcess)
  for (let copy = 1; candidates.length < candidatesMax; copy++) {
    for (const [at, { server, tools }] of listings.entries()) {
      const owner = copy === 1 ? server : `${server}-${copy}`
      for (const tool of tools.slice(0, candidatesMax - candidates.length)) candidates.push(ofServer(owner, at, tool))
    }
  }
  return {
    from: captured ? `captured catalogues (${listings.length} servers)` : 'made definitions (no catalogues here)',
    candidates,
    facts: factsOf(candidates, rulesMax, random),
  }
}

function ofProcess({ name, description, inputSchema, form, role, needs, effects }: Tool): Candidate {
  return candidateOf({
    id: `builtin:${name}`,
    source: 'builtin',
    protocol: 'native',
    originalName: name,
    name,
    form,
    ...(role === undefined ? {} : { role }),
    needs,
    effects,
    effectsBy: 'declared',
    availability: { state: 'available' },
    definition: { description, inputSchema },
    origin: { in: 'built-in' },
    owner: { source: 'builtin' },
  })
}

function ofServer(server: string, at: number, { name, ...definition }: Listing['tools'][number]): Candidate {
  const claimed = definition.annotations?.readOnlyHint === true
  return candidateOf({
    id: `mcp:${server}/${name}`,
    source: 'mcp',
    protocol: 'mcp',
    server,
    originalName: name,
    name: `${server}__${name}`,
    form: 'executes',
    ...(at % 3 === 0 ? {} : { group: groups[at % groups.length] ?? 'web' }),
    needs: [],
    effects: claimed ? (['read', 'network'] satisfies EffectClass[]) : ['read', 'write', 'execute', 'network'],
    effectsBy: claimed ? 'claimed' : 'assumed',
    availability: { state: 'available' },
    definition,
    origin: { in: 'toolgate.yaml', key: `mcp_servers.${server}`, line: at + 10 },
    owner: { server, command: 'npx', args: [server] },
  })
}

function capturedListings(): Listing[] {
  const files = readdirSync(catalogFolder).filter(
    (file) => file.endsWith('.json') && !['index.json', 'launch.json'].includes(file),
  )
  return files.sort().map((file) => {
    const { tools } = JSON.parse(readFileSync(join(catalogFolder, file), 'utf8')) as { tools: Listing['tools'] }
    return {
      server: file
        .replace(/\.json$/, '')
        .replace(/[^A-Za-z0-9_-]+/g, '-')
        .replace(/^-/, '')
        .slice(0, 40),
      tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
        name,
        description,
        inputSchema,
        ...(title === undefined ? {} : { title }),
        ...(outputSchema === undefined ? {} : { outputSchema }),
        ...(annotations === undefined ? {} : { annotations }),
      })),
    }
  })
}

/**
 * Seventy servers. The sizes of tools are spread as measured over public servers: half are below 800 characters, one
 * in ten is above 3,700, one in a hundred above 13,000.
 */
function madeListings(random: () => number): Listing[] {
  return Array.from({ length: 70 }, (_, server) => ({
    server: `made-${server}`,
    tools: Array.from({ length: 8 + Math.floor(random() * 56) }, (_tool, at) => madeTool(at, random)),
  }))
}

const verbs = ['get', 'list', 'create', 'update', 'delete', 'search', 'run', 'export', 'move', 'send']
const things = ['issue', 'file', 'page', 'row', 'event', 'message', 'branch', 'chart', 'user', 'job', 'record', 'team']
const others = [
  'id',
  'name',
  'filter',
  'limit',
  'cursor',
  'after',
  'before',
  'owner',
  'state',
  'format',
  'depth',
  'mode',
]

function madeTool(at: number, random: () => number): Listing['tools'][number] {
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? ''
  const sentence = (words: number): string =>
    Array.from({ length: words }, () => pick([...verbs, ...things, ...others])).join(' ')
  // The sum of twelve is nearly normal, so the size is nearly log-normal.
  const normal = Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6)
  let room = Math.min(80_000, 800 * Math.exp(1.2 * normal)) - 200
  const properties: Record<string, JsonObject> = {}
  const property = (depth: number): JsonObject => {
    const description = sentence(3 + Math.floor(random() * 18))
    room -= description.length + 60
    const kind = random()
    if (kind < 0.12 && depth < 4) {
      const inner = Object.fromEntries(
        Array.from({ length: 2 + Math.floor(random() * 4) }, () => [key(), property(depth + 1)]),
      )
      return { type: 'object', description, properties: inner, additionalProperties: false }
    }
    if (kind < 0.24 && depth < 4) return { type: 'array', description, items: property(depth + 1) }
    if (kind < 0.34)
      return {
        type: 'string',
        description,
        enum: Array.from({ length: 3 + Math.floor(random() * 5) }, () => pick(others)),
      }
    if (kind < 0.5) return { type: 'integer', description, minimum: 0, default: Math.floor(random() * 100) }
    return kind < 0.6 ? { type: 'boolean', description, default: false } : { type: 'string', description }
  }
  const key = (): string => `${pick(things)}_${pick(others)}${random() < 0.3 ? `_${pick(others)}` : ''}`
  while (room > 0) properties[key()] = property(0)
  return {
    name: `${pick(verbs)}_${pick(things)}_${at}`,
    description: sentence(10 + Math.floor(60 * random())),
    inputSchema: {
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, 2),
      additionalProperties: false,
    },
    ...(random() < 0.35 ? { annotations: { readOnlyHint: true } } : {}),
  }
}

function factsOf(candidates: readonly Candidate[], rulesMax: number, random: () => number): RunFacts {
  const target = targetNamed('common')
  if (target === undefined) throw new Error('the table of targets has no "common"')
  const tools = candidates.filter((candidate) => candidate.server !== undefined)
  const pick = (): Candidate => tools[Math.floor(random() * tools.length)] ?? tools[0] ?? fail()
  const skill = (name: string, share: number): SkillFact => ({
    name,
    enabled: true,
    active: true,
    allowedTools: tools
      .filter(() => random() < share)
      .map(({ server, originalName }) => `mcp__${server}__${originalName}`),
    origin: { in: `skills/${name}/SKILL.md`, key: 'allowed-tools', line: 4 },
  })
  return {
    agent: {
      name: 'main',
      groups: groups.slice(0, 5),
      origins: { groups: { in: 'toolgate.yaml', key: 'agents.main.groups', line: 3 } },
    },
    model: { name: 'main', can: ['tools', 'vision'], contextTokens: 200_000 },
    target,
    skills: {
      mode: 'active',
      list: [skill('research', 0.5), skill('release', 0.5), skill('triage', 0.2)],
      alwaysReachable: ['tool_search', 'present_files'],
    },
    permissions: { rules: Array.from({ length: rulesMax }, (_, at) => ruleOf(at, pick())), otherwise: 'allow' },
    sandbox: { kind: 'none', allowHostBash: false },
    delegation: { enabled: true, depth: 0, depthMax: 1 },
    deferral: { mode: 'auto', budgetTokens: 20_000, always: [] },
    simpleMode: { on: false },
    mcp: { on: true },
    attended: { on: true },
  }
}

const fail = (): never => {
  throw new Error('no tool of a server')
}

/** Rules of every form in turn; narrow enough that most tools stand to the last gate. */
function ruleOf(at: number, { name, originalName, server, id, group }: Candidate): Rule {
  const forms: readonly (readonly [Rule['effect'], string])[] = [
    ['deny', name],
    ['allow', name],
    ['deny', `${name.slice(0, -3)}*`],
    ['ask', `*${originalName.slice(4)}`],
    ['deny', `${server}/${originalName}`],
    ['allow', `${server}/*`],
    ['ask', `mcp__${server}__${originalName.slice(0, 5)}*`],
    ['allow', `mcp__${server}`],
    ['deny', id],
    ['ask', `*${originalName.slice(2, 9)}?${originalName.slice(10)}`],
    ['deny', `${originalName}(path:/etc/**)`],
    ['ask', `${server}__*(url:http://*)`],
    ['allow', `group:${group ?? 'web'}`],
    ['ask', at % 5 === 0 ? 'effect:execute' : name],
    ['allow', 'effect:read'],
    ['deny', at % 2 === 0 ? 'role:shell' : `*/${originalName}`],
  ]
  const [effect, text] = forms[at % forms.length] ?? fail()
  return {
    effect,
    text,
    scope: at % 2 === 0 ? 'config' : 'agent',
    origin: { in: 'toolgate.yaml', key: `permissions.${effect}[${at}]`, line: 100 + at },
  }
}

/** A linear congruence (Numerical Recipes' constants): seeded, and good enough to choose examples. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
