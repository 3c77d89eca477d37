// Random worlds: few names, so that they meet, and every fact in its unusual state often enough to matter. The first
// value of each choice is the harmless one; that is where shrinking goes.

import fc from 'fast-check'
import { type EffectClass, effectClasses, type Need, unavailableStates } from '../../src/core/candidate.ts'
import { type CandidatePlan, type World, type WorldPlan, worldOf, worldText } from './world.ts'

/** Names that once broke something: case twins, separators, what every object has, other scripts, lengths. */
export const names = [
  'a',
  'A',
  'a_b',
  'a.b',
  'b',
  'toString',
  '__proto__',
  'ａ',
  'constructor',
  'tool_search',
  'task',
  `l${'o'.repeat(69)}ng`,
  `l${'o'.repeat(127)}ng`,
] as const
const groups = ['g1', 'g2'] as const
const servers = ['s1', 's2'] as const

/** One of these; a value counts as often as it stands there. */
const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
/** So often the first, and the others once each. */
const mostly = <const T>(times: number, first: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.constantFrom(...Array<T>(times).fill(first), ...others)
/** Once in so many times; else nothing. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: times - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  )
const plain = { noNullPrototype: true } as const

const plainNames = names.slice(0, 6)
const aName = oneOf(...plainNames, ...names.slice(8, 11), ...plainNames, ...plainNames, ...names)
const aServer = oneOf(...servers)

/** Every way in which a list may spell a tool exactly. */
export const exactForm = fc
  .tuple(aName, aServer, oneOf('bare', 'shown', 'slash', 'mcp', 'id', 'agent'))
  .map(([name, server, form]) => spelled(name, server, form))

function spelled(name: string, server: string, form: string): string {
  if (form === 'shown') return `${server}__${name}`
  if (form === 'slash') return `${server}/${name}`
  if (form === 'mcp') return `mcp__${server}__${name}`
  if (form === 'id') return `mcp:${server}/${name}`
  return form === 'agent' ? `config:${name}` : name
}

/** The other subjects of rules. The first five are what an allow rule may say too. */
const wideForm = fc.tuple(aName, aServer, fc.nat(13)).map(([name, server, form]) => {
  const forms = [
    `${server}/*`,
    `mcp__${server}`,
    `mcp__${server}__*`,
    `group:${groups[name.length % 2]}`,
    `effect:${effectClasses[name.length % 4]}`,
    `role:${name.length % 2 === 0 ? 'shell' : 'subagent'}`,
    `${name.slice(0, 1)}*`,
    `*${name.slice(-1)}`,
    '*',
    `?${name.slice(1)}`,
    `*/${name}`,
    name.toUpperCase(),
    `${server}__*`,
    name.replace('_', '-'),
  ]
  return forms[form] ?? name
})
const subject = fc.oneof({ weight: 3, arbitrary: exactForm }, { weight: 2, arbitrary: wideForm })
const condition = oneOf('', '', '', '', '(path:x)', '(*)', '()')
const effect = oneOf('deny', 'ask', 'allow') as fc.Arbitrary<'deny' | 'ask' | 'allow'>
/** A rule that can be read. */
export const aRule = fc.tuple(effect, subject, condition).map(([word, text, when]) => [word, text + when] as const)

const candidate: fc.Arbitrary<CandidatePlan> = fc
  .record(
    {
      source: oneOf('config', 'mcp', 'builtin', 'mcp', 'acp', 'mcp'),
      server: aServer,
      name: aName,
      bare: oneOf(false, true, true),
      label: seldom(aName, 8),
      standIn: mostly(12, false, true),
      group: seldom(oneOf(...groups), 2),
      role: seldom(oneOf('shell', 'file-read', 'file-edit', 'subagent', 'ask-person'), 3),
      needs: mostly<readonly Need[]>(
        12,
        [],
        ['host-shell'],
        ['shell'],
        ['vision'],
        ['native-search'],
        ['person'],
        ['vision', 'host-shell'],
      ),
      effects: seldom(
        oneOf<readonly EffectClass[]>([], ['read'], ['write'], ['read', 'network'], ['execute'], effectClasses),
        2,
      ),
      state: mostly(160, undefined, 'not-started', ...unavailableStates),
      fault: mostly(60, undefined, 'invalid-name', 'invalid-schema', 'definition-too-big'),
      words: mostly(40, 10, ...Array<number>(20).fill(60), ...Array<number>(40).fill(200), 300_000),
      pinned: mostly(8, undefined, 'another', 'none'),
    },
    plain,
  )
  .map((plan) => ({ ...plan, ...sensible(plan) }))

/** What cannot be is made into what can: built-ins have no owner, and a placeholder stands for a server that gave nothing. */
function sensible({ source, server, name, role, standIn, state }: CandidatePlan): Partial<CandidatePlan> {
  const owned = source === 'mcp' || source === 'acp'
  const roles =
    source !== 'builtin'
      ? {}
      : name === 'tool_search'
        ? { role: 'tool-search' as const }
        : name === 'task'
          ? { role: 'subagent' as const }
          : {}
  const placeholder = source === 'mcp' && standIn === true
  return {
    server: owned ? server : undefined,
    role,
    standIn: placeholder,
    ...(placeholder ? { bare: false, state: state ?? ('not-started' as const) } : {}),
    ...roles,
  }
}

const list = <T>(item: fc.Arbitrary<T>, maxLength = 4): fc.Arbitrary<T[]> => fc.array(item, { maxLength })

const skill = fc
  .record(
    {
      allowed: seldom(list(exactForm), 2),
      malformed: oneOf(false, false, false, false, true),
      enabled: oneOf(true, true, true, false),
      active: oneOf(true, true, false),
      byThread: oneOf(false, false, true),
    },
    plain,
  )
  .map(({ allowed, malformed, enabled, active, byThread }) => ({
    enabled,
    active,
    ...(byThread ? { byThread: true as const } : {}),
    ...(malformed ? { malformed: 'as planned' } : allowed === undefined ? {} : { allowedTools: allowed }),
  }))

const skills = fc
  .record({ mode: oneOf('active', 'active', 'enabled'), list: list(skill, 3), reachable: list(exactForm, 2) }, plain)
  .map(({ mode, list: found, reachable }) => ({
    mode,
    list: found.map((fact, at) => ({ name: `skill-${at}`, ...fact, origin: { in: `skill-${at}` } })),
    alwaysReachable: reachable,
  }))

/** Identities that a parent may have. */
const identities = names.flatMap((name) => [
  `config:${name}`,
  `builtin:${name}`,
  ...servers.flatMap((server) => [`mcp:${server}/${name}`, `acp:${server}/${name}`]),
])

const delegation = fc.record(
  {
    enabled: oneOf(true, true, true, false),
    depth: oneOf(0, 0, 1, 2),
    depthMax: oneOf(1, 1, 2, 0),
    parent: seldom(fc.record({ agent: fc.constant('main'), tools: fc.subarray(identities) }, plain), 3),
    allow: seldom(list(exactForm), 3),
    deny: seldom(list(subject, 3), 3),
  },
  plain,
)

const target = fc.record(
  {
    nameMax: oneOf(64, 64, 32),
    nameCharset: oneOf('word-dash', 'word', 'word-dash-dot-colon'),
    nameStartsWithLetter: oneOf(false, true),
    toolsMax: seldom(oneOf(1, 2, 3, 5), 3),
    descriptionMax: seldom(oneOf(40, 100), 5),
    descriptionRequired: oneOf(false, true),
  },
  plain,
)

/** Of tools that can be deferred, and of names that worlds often hold. */
const callable = servers.flatMap((server) => plainNames.map((name) => `mcp:${server}/${name}`))
const use = fc.array(
  fc.record(
    { id: oneOf(...callable), calls: oneOf(1, 0, 2, 3, 4, 7, 8, 1000, -1, Number.NaN, Number.POSITIVE_INFINITY) },
    plain,
  ),
  { maxLength: 16, size: 'max' },
)

const deferral = fc.record(
  {
    mode: oneOf('off', 'on', 'auto'),
    budgetTokens: oneOf(0, 30, 60, 120, 180, 240, 300, 400, 1000),
    always: list(exactForm, 2),
    use: seldom(use, 2),
  },
  plain,
)

/** A world in which few gates bite: where all of them do, who of many is deferred is hardly ever asked. */
const openWorld = fc.record(
  {
    tools: fc.array(
      fc.record(
        { source: oneOf('mcp'), server: aServer, name: oneOf(...plainNames), words: oneOf(10, 60, 200) },
        plain,
      ),
      { maxLength: 8, size: 'max' },
    ),
    target: seldom(target, 3),
    deferral: fc.record(
      { mode: oneOf('auto'), budgetTokens: oneOf(120, 200, 280, 360, 440, 520), always: list(exactForm, 1), use },
      plain,
    ),
  },
  plain,
)

const searchTool: CandidatePlan = { source: 'builtin', name: 'tool_search', role: 'tool-search', effects: [] }

/** The facts that are not about single candidates. `undefined` parts are left out when the world is made. */
export const worldPlan: fc.Arbitrary<WorldPlan> = fc
  .record(
    {
      candidates: fc.array(candidate, { maxLength: 12 }),
      search: oneOf(false, true),
      agent: seldom(
        fc.record(
          {
            groups: seldom(list(oneOf(...groups, 'g3')), 3),
            servers: seldom(list(aServer, 2), 3),
            tools: seldom(list(exactForm, 6), 3),
          },
          plain,
        ),
        3,
      ),
      can: mostly(9, undefined, ['tools'], ['tools', 'vision'], ['tools', 'vision', 'native-search'], ['vision']),
      target: seldom(target, 2),
      skills: seldom(skills, 3),
      rules: list(aRule, 6),
      otherwise: mostly(8, 'allow', 'ask', 'deny'),
      sandbox: oneOf(
        { kind: 'namespace', allowHostBash: false },
        { kind: 'none', allowHostBash: false },
        { kind: 'none', allowHostBash: true },
      ),
      delegation: seldom(delegation, 3),
      deferral,
      simple: mostly(14, false, true),
      mcp: mostly(11, true, false),
      attended: mostly(4, true, false),
      pins: mostly(6, false, true),
      open: seldom(openWorld, 6),
    },
    plain,
  )
  .map(({ search, candidates, open, ...plan }) => {
    if (open === undefined) return stripped({ ...plan, candidates: search ? [...candidates, searchTool] : candidates })
    const { tools, ...facts } = open
    return stripped({ ...facts, candidates: [...candidates, ...tools, searchTool] })
  })
  .map((plan) => plan as WorldPlan)

export const aWorld: fc.Arbitrary<World> = worldPlan.map((plan) => readable(worldOf(plan)))

/** With the text by which fast-check shows it. */
const readable = (world: World): World =>
  Object.defineProperty({ ...world }, fc.toStringMethod, { value: () => `\n${worldText(world)}\n` })

/** The same without keys that hold nothing, at any depth: in facts an absent list and an undefined one are one thing. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, stripped(item)]])),
  )
}
