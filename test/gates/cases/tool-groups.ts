import { aCandidate, aSearchTool, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const grouped = aCandidate({ originalName: 'fetch', declaredName: 'web fetch', group: 'web' })
const ungrouped = aCandidate({ originalName: 'plain' })
const builtin = aCandidate({ source: 'builtin', originalName: 'present_files' })
const ofFiles = aCandidate({ server: 'files', originalName: 'move_file' })
const webOfFiles = aCandidate({ server: 'files', originalName: 'move_file', group: 'web' })
const origins = { groups: { in: 'toolgate.yaml', key: 'agents.main.groups', line: 3 } }
const of = (key: 'servers' | 'tools') => ({ [key]: { in: 'toolgate.yaml', key: `agents.main.${key}`, line: 4 } })

/** Cases that both forms of the gate share. */
export const toolGroupCases: readonly GateCase[] = [
  { name: 'abstains when nothing is asked', candidate: grouped, code: 'nothing-asked' },
  {
    name: 'admits a group that is asked',
    facts: { agent: { groups: ['web'], origins } },
    candidate: grouped,
    code: 'group-asked',
    origin: 'toolgate.yaml:3 agents.main.groups',
  },
  {
    name: 'excludes a group that is not asked',
    facts: { agent: { groups: ['file'], origins } },
    candidate: grouped,
    code: 'group-not-asked',
    origin: 'toolgate.yaml:3 agents.main.groups',
  },
  {
    name: 'compares groups exactly',
    facts: { agent: { groups: ['Web'] } },
    candidate: grouped,
    code: 'group-not-asked',
  },
  {
    name: 'leaves a tool without a group to pass',
    facts: { agent: { groups: ['web'] } },
    candidate: ungrouped,
    code: 'has-no-group',
  },
  {
    name: 'reads [] groups as no tool at all',
    facts: { agent: { groups: [] } },
    candidate: ungrouped,
    code: 'no-groups-wanted',
  },
  {
    name: 'asks only tools of servers about servers',
    facts: { agent: { servers: ['web'] } },
    candidate: builtin,
    code: 'has-no-server',
  },
  {
    name: 'admits a server that is asked',
    facts: { agent: { servers: ['files'], origins: of('servers') } },
    candidate: ofFiles,
    code: 'server-asked',
    origin: 'toolgate.yaml:4 agents.main.servers',
  },
  {
    name: 'excludes a server that is not asked',
    facts: { agent: { servers: ['web'], origins: of('servers') } },
    candidate: ofFiles,
    code: 'server-not-asked',
    origin: 'toolgate.yaml:4 agents.main.servers',
  },
  {
    name: 'reads [] servers as no server',
    facts: { agent: { servers: [] } },
    candidate: ofFiles,
    code: 'no-servers-wanted',
  },
  {
    name: 'reads [] servers as nothing about a built-in',
    facts: { agent: { servers: [] } },
    candidate: builtin,
    code: 'has-no-server',
  },
  {
    name: 'excludes the stand-in of a server that is not asked, so it is never started',
    facts: { agent: { servers: ['web'] } },
    candidate: aStandIn('files'),
    code: 'server-not-asked',
  },
  ...[
    'files__move_file',
    'mcp:files/move_file',
    'files/move_file',
    'mcp__files__move_file',
    'files/*',
    'mcp__files',
  ].map(
    (word): GateCase => ({
      name: `takes ${word} for the tool`,
      facts: { agent: { tools: [word], origins: of('tools') } },
      candidate: ofFiles,
      code: 'tool-asked',
      origin: 'toolgate.yaml:4 agents.main.tools',
    }),
  ),
  {
    name: 'does not take the declared name for the tool (C-038)',
    facts: { agent: { tools: ['web fetch'] } },
    candidate: grouped,
    code: 'tool-not-asked',
  },
  ...['move_file', 'Move_file', '*', 'move_*', 'files__move_file(path:/srv/**)', 'other/move_file'].map(
    (word): GateCase => ({
      name: `does not take ${word} for the tool`,
      facts: { agent: { tools: [word], origins: of('tools') } },
      candidate: ofFiles,
      code: 'tool-not-asked',
      origin: 'toolgate.yaml:4 agents.main.tools',
    }),
  ),
  {
    name: 'reads [] tools as no tool at all',
    facts: { agent: { tools: [] } },
    candidate: builtin,
    code: 'no-tools-wanted',
  },
  {
    name: 'reads [] tools as no tool at all, even of a server that is named',
    facts: { agent: { tools: [], servers: ['files'] } },
    candidate: ofFiles,
    code: 'no-tools-wanted',
  },
  {
    name: 'lets a named server bring its tools beside a list of tools (C-112)',
    facts: { agent: { tools: ['read'], servers: ['files'] } },
    candidate: ofFiles,
    code: 'server-asked',
  },
  {
    name: 'judges no stand-in by a list of tools, because nobody knows its tools yet',
    facts: { agent: { tools: ['move_file'] } },
    candidate: aStandIn('files'),
    code: 'not-listed-yet',
  },
  {
    name: 'says what follows when the search is not asked for',
    facts: { agent: { tools: ['files/*'] } },
    candidate: aSearchTool(),
    code: 'tool-not-asked',
  },
  {
    name: 'asks every list: a group can still take away what a server brings',
    facts: { agent: { groups: ['file'], servers: ['files'] } },
    candidate: aCandidate({ originalName: 'fetch', group: 'web', server: 'files', source: 'config' }),
    code: 'group-not-asked',
  },
]

/** Cases of the form that judges every source alike. */
export const toolGroupOnlyCases: readonly GateCase[] = [
  {
    name: 'judges a server’s tool by its group',
    facts: { agent: { groups: ['file'] } },
    candidate: webOfFiles,
    code: 'group-not-asked',
  },
  {
    name: 'leaves out a built-in too when no group is wanted',
    facts: { agent: { groups: [] } },
    candidate: builtin,
    code: 'no-groups-wanted',
  },
]

/** Cases of the form of the first seed. */
export const toolGroupOfConfigCases: readonly GateCase[] = [
  {
    name: 'lets a server’s tool in whatever its group',
    facts: { agent: { groups: ['file'], origins } },
    candidate: webOfFiles,
    code: 'group-ignored',
    origin: 'toolgate.yaml:3 agents.main.groups',
  },
  {
    name: 'lets a built-in in when no group is wanted',
    facts: { agent: { groups: [] } },
    candidate: builtin,
    code: 'group-ignored',
  },
  {
    name: 'still honours the list of servers',
    facts: { agent: { groups: [], servers: ['web'] } },
    candidate: webOfFiles,
    code: 'server-not-asked',
  },
]
