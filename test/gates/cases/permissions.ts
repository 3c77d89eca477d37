import type { Rule } from '../../../src/core/run-facts.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const rule = (effect: Rule['effect'], text: string): Rule => ({
  effect,
  text,
  scope: 'config',
  origin: { in: 'toolgate.yaml', key: `permissions.${effect}[0]`, line: 50 },
})
const move = aCandidate({ server: 'files', originalName: 'move_file', effects: ['write'] })
const unattended = { attended: { on: false, origin: { in: 'command line', key: '--unattended' } } }
const with_ = (...rules: readonly Rule[]) => ({ permissions: { rules } })

/** One case for each code; what the rules mean is tested beside the rules. */
export const permissionCases: readonly GateCase[] = [
  { name: 'abstains when no rule names it', candidate: move, code: 'no-rule-applies' },
  {
    name: 'excludes by a bare name',
    facts: with_(rule('deny', 'move_file')),
    candidate: move,
    code: 'denied-by-name',
    origin: 'toolgate.yaml:50 permissions.deny[0]',
  },
  {
    name: 'excludes by a server',
    facts: with_(rule('deny', 'files/*'), rule('allow', 'files__move_file')),
    candidate: move,
    code: 'denied',
    origin: 'toolgate.yaml:50 permissions.deny[0]',
  },
  {
    name: 'lets nothing pass a rule that cannot be read',
    facts: with_(rule('deny', 'move_file(')),
    candidate: move,
    code: 'rule-unreadable',
  },
  {
    name: 'excludes what no rule names where that denies',
    facts: { permissions: { otherwise: 'deny' } },
    candidate: move,
    code: 'denied-otherwise',
  },
  {
    name: 'excludes what asks when nobody is there',
    facts: { ...with_(rule('ask', 'effect:write')), ...unattended },
    candidate: move,
    code: 'nobody-to-ask',
  },
  {
    name: 'excludes a tool that waits for a person when nobody is there',
    facts: unattended,
    candidate: aCandidate({ source: 'builtin', originalName: 'ask_clarification', needs: ['person'] }),
    code: 'nobody-to-ask',
    origin: 'command line --unattended',
  },
  {
    name: 'excludes what would ask otherwise when nobody is there',
    facts: { permissions: { otherwise: 'ask' }, ...unattended },
    candidate: move,
    code: 'nobody-to-ask',
  },
  { name: 'keeps what asks', facts: with_(rule('ask', 'effect:write')), candidate: move, code: 'asks' },
  {
    name: 'asks for what no rule allows',
    facts: { permissions: { otherwise: 'ask' } },
    candidate: move,
    code: 'asks-otherwise',
  },
  {
    name: 'frees what is allowed',
    facts: { permissions: { otherwise: 'ask', rules: [rule('allow', 'files__move_file')] } },
    candidate: move,
    code: 'allowed',
  },
  {
    name: 'keeps what is denied in part',
    facts: with_(rule('deny', 'move_file(path:/etc/**)')),
    candidate: move,
    code: 'allowed-with-conditions',
  },
  {
    name: 'lets a server start of which a part may be allowed',
    facts: { permissions: { otherwise: 'deny', rules: [rule('allow', 'files/move_file')] } },
    candidate: aStandIn('files'),
    code: 'allowed-in-part',
  },
]
