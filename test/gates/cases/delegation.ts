import { aCandidate } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const task = aCandidate({ source: 'builtin', originalName: 'task', role: 'subagent' })
const move = aCandidate({ server: 'files', originalName: 'move_file' })
const origin = { in: 'toolgate.yaml', key: 'delegation', line: 20 }
const parent = { agent: 'main', tools: [task.id, move.id] }
const child = { depth: 1, parent, origin }

export const delegationCases: readonly GateCase[] = [
  { name: 'abstains when the run is nobody’s child', candidate: move, code: 'no-child' },
  { name: 'admits delegation from the first agent', candidate: task, code: 'may-delegate' },
  {
    name: 'excludes delegation when it is off',
    facts: { delegation: { enabled: false, origin } },
    candidate: task,
    code: 'delegation-off',
    origin: 'toolgate.yaml:20 delegation',
  },
  {
    name: 'ends delegation at its depth',
    facts: { delegation: child },
    candidate: task,
    code: 'depth-reached',
    origin: 'toolgate.yaml:20 delegation',
  },
  {
    name: 'lets a child delegate below the depth',
    facts: { delegation: { ...child, depthMax: 2 } },
    candidate: task,
    code: 'may-delegate',
  },
  {
    name: 'admits what the parent has',
    facts: { delegation: child },
    candidate: move,
    code: 'parent-has-it',
    origin: 'toolgate.yaml:20 delegation',
  },
  {
    name: 'excludes what the parent lacks',
    facts: { delegation: { ...child, parent: { agent: 'main', tools: [] } } },
    candidate: move,
    code: 'parent-lacks-it',
  },
  {
    name: 'goes by identity, not by name',
    facts: { delegation: { ...child, parent: { agent: 'main', tools: ['mcp:other/move_file', 'files__move_file'] } } },
    candidate: move,
    code: 'parent-lacks-it',
  },
  ...['move_file', 'MOVE-FILE', 'files/*', 'mcp__files', '*'].map(
    (rule): GateCase => ({
      name: `reads its deny list widely: ${rule}`,
      facts: {
        delegation: {
          ...child,
          deny: [rule],
          denyOrigin: { in: 'toolgate.yaml', key: 'agents.helper.deny', line: 31 },
        },
      },
      candidate: move,
      code: 'child-denies',
      origin: 'toolgate.yaml:31 agents.helper.deny',
    }),
  ),
  {
    name: 'keeps a tool whose calls are denied in part',
    facts: { delegation: { ...child, deny: ['move_file(path:/etc/**)'] } },
    candidate: move,
    code: 'parent-has-it',
  },
  {
    name: 'lets deny win over allow',
    facts: { delegation: { ...child, allow: ['move_file'], deny: ['move_file'] } },
    candidate: move,
    code: 'child-denies',
  },
  {
    name: 'reads [] as no tool',
    facts: { delegation: { ...child, allow: [] } },
    candidate: move,
    code: 'child-allows-nothing',
  },
  {
    name: 'excludes what its list does not name',
    facts: {
      delegation: {
        ...child,
        allow: ['other', '*'],
        allowOrigin: { in: 'toolgate.yaml', key: 'agents.helper.tools', line: 30 },
      },
    },
    candidate: move,
    code: 'child-does-not-allow',
    origin: 'toolgate.yaml:30 agents.helper.tools',
  },
  ...['files__move_file', 'files/*', 'mcp__files__move_*'].map(
    (rule): GateCase => ({
      name: `takes ${rule} in the child’s list (C-116)`,
      facts: { delegation: { ...child, allow: [rule] } },
      candidate: move,
      code: 'parent-has-it',
    }),
  ),
]
