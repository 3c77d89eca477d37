import type { SkillFact } from '../../../src/core/run-facts.ts'
import { aCandidate, aSearchTool, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

export const aSkill = (name: string, given: Partial<SkillFact> = {}): SkillFact => ({
  name,
  enabled: true,
  active: true,
  origin: { in: `skills/${name}/SKILL.md`, key: 'allowed-tools', line: 3 },
  ...given,
})

const move = aCandidate({ server: 'files', originalName: 'move_file' })
const search = aSearchTool()
const site = aSkill('site', { allowedTools: ['files__move_file'] })
const notes = aSkill('notes', { allowedTools: ['write_note'] })
const broken = aSkill('broken', { allowedTools: ['move_file'], malformed: 'a text where a list belongs' })

export const skillToolsCases: readonly GateCase[] = [
  {
    name: 'has nothing to say of a stand-in',
    facts: { skills: { list: [{ ...notes, allowedTools: ['files__*'] }] } },
    candidate: aStandIn('files'),
    code: 'stands-for-a-server',
  },
  { name: 'restricts nothing without skills', candidate: move, code: 'no-skill-restricts' },
  {
    name: 'restricts nothing when none lists tools',
    facts: { skills: { list: [aSkill('plain')] } },
    candidate: move,
    code: 'no-skill-restricts',
  },
  {
    name: 'lets a skill that is not in use be (C-002)',
    facts: { skills: { list: [{ ...notes, active: false }] } },
    candidate: move,
    code: 'no-skill-restricts',
  },
  {
    name: 'lets a disabled skill be',
    facts: { skills: { mode: 'enabled', list: [{ ...notes, enabled: false }] } },
    candidate: move,
    code: 'no-skill-restricts',
  },
  {
    name: 'counts enabled skills in that mode',
    facts: { skills: { mode: 'enabled', list: [{ ...notes, active: false }] } },
    candidate: move,
    code: 'no-skill-allows',
    origin: 'skills/notes/SKILL.md:3 allowed-tools',
  },
  {
    name: 'names the granting skill',
    facts: { skills: { list: [notes, site] } },
    candidate: move,
    code: 'skill-allows',
    origin: 'skills/site/SKILL.md:3 allowed-tools',
  },
  {
    name: 'excludes what no list names',
    facts: { skills: { list: [notes] } },
    candidate: move,
    code: 'no-skill-allows',
    origin: 'skills/notes/SKILL.md:3 allowed-tools',
  },
  {
    name: 'wants both lists to name it: the operator’s and that of the thread',
    facts: { skills: { list: [site, { ...notes, byThread: true }] } },
    candidate: move,
    code: 'no-skill-allows',
    origin: 'skills/notes/SKILL.md:3 allowed-tools',
  },
  {
    name: 'excludes what the operator’s list does not name, though a skill of the thread does',
    facts: { skills: { list: [notes, { ...site, byThread: true }] } },
    candidate: move,
    code: 'no-skill-allows',
    origin: 'skills/notes/SKILL.md:3 allowed-tools',
  },
  {
    name: 'reads [] as no tool',
    facts: { skills: { list: [aSkill('quiet', { allowedTools: [] })] } },
    candidate: move,
    code: 'no-skill-allows',
  },
  ...['files__move_file', 'files/move_file', 'mcp__files__move_file', 'mcp:files/move_file'].map(
    (word): GateCase => ({
      name: `takes ${word} for the tool`,
      facts: { skills: { list: [aSkill('site', { allowedTools: [word] })] } },
      candidate: move,
      code: 'skill-allows',
    }),
  ),
  ...[
    '*',
    'files/*',
    'mcp__files__*',
    'mcp__files',
    'MOVE_FILE',
    'move_file ',
    'm\u043eve_file',
    'files__*',
    'move_file',
  ].map(
    (word): GateCase => ({
      name: `opens nothing for ${JSON.stringify(word)}`,
      facts: { skills: { list: [aSkill('site', { allowedTools: [word] })] } },
      candidate: move,
      code: 'no-skill-allows',
    }),
  ),
  {
    name: 'allows nothing for a list that cannot be read',
    facts: { skills: { list: [broken] } },
    candidate: move,
    code: 'skill-list-malformed',
    origin: 'skills/broken/SKILL.md:3 allowed-tools',
  },
  {
    name: 'lets a sound list count beside a broken one',
    facts: { skills: { list: [broken, site] } },
    candidate: move,
    code: 'skill-allows',
  },
  {
    name: 'does not let a broken list widen a sound one',
    facts: { skills: { list: [broken, notes] } },
    candidate: move,
    code: 'no-skill-allows',
  },
  {
    name: 'keeps what is always reachable',
    facts: { skills: { list: [notes], alwaysReachable: ['tool_search'] } },
    candidate: search,
    code: 'always-reachable',
  },
  {
    name: 'takes no server’s tool for infrastructure by its own name',
    facts: { skills: { list: [notes], alwaysReachable: ['tool_search'] } },
    candidate: aCandidate({ server: 'files', originalName: 'tool_search' }),
    code: 'no-skill-allows',
  },
]
