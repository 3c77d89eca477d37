// Cases of the gates whose whole logic is one look at one declared field.

import { mcpBySubstringMark } from '../../../src/gates/mcp-switch-by-substring.ts'
import { simpleByNameMark } from '../../../src/gates/simple-mode-by-name.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const shell = aCandidate({ originalName: 'bash', role: 'shell', needs: ['shell'] })
const ofItsOwn = aCandidate({ originalName: 'run', server: 'box', role: 'shell', needs: ['host-shell'] })
const relabelled = aCandidate({ originalName: 'calc', declaredName: 'notes', group: 'office', needs: ['host-shell'] })
const sandboxOrigin = { in: 'toolgate.yaml', key: 'sandbox.allow_host_bash', line: 9 }

export const hostShellCases: readonly GateCase[] = [
  { name: 'abstains on a tool that needs no shell', candidate: aCandidate(), code: 'needs-no-shell' },
  {
    name: 'does not go by the name bash',
    candidate: aCandidate({ originalName: 'bash', group: 'bash' }),
    code: 'needs-no-shell',
  },
  {
    name: 'excludes a shell without a sandbox',
    facts: { sandbox: { origin: sandboxOrigin } },
    candidate: shell,
    code: 'host-shell-closed',
    origin: 'toolgate.yaml:9 sandbox.allow_host_bash',
  },
  { name: 'catches a shell under another name, group and label', candidate: relabelled, code: 'host-shell-closed' },
  { name: 'opens in a sandbox', facts: { sandbox: { kind: 'namespace' } }, candidate: shell, code: 'sandboxed' },
  {
    name: 'stays closed beside a sandbox for what runs commands by itself',
    facts: { sandbox: { kind: 'namespace' } },
    candidate: ofItsOwn,
    code: 'host-shell-closed',
  },
  {
    name: 'opens for the boolean true to what runs commands by itself',
    facts: { sandbox: { kind: 'namespace', allowHostBash: true } },
    candidate: ofItsOwn,
    code: 'host-allowed',
  },
  {
    name: 'opens for the boolean true',
    facts: { sandbox: { allowHostBash: true } },
    candidate: shell,
    code: 'host-allowed',
  },
  ...['true', 'yes', 1, 'false', {}].map(
    (value): GateCase => ({
      name: `stays closed for ${JSON.stringify(value)}`,
      facts: { sandbox: { allowHostBash: value as unknown as boolean } },
      candidate: shell,
      code: 'host-shell-closed',
    }),
  ),
]

const seeing = aCandidate({ originalName: 'view_image', needs: ['vision'] })
const both = aCandidate({ originalName: 'look_up', needs: ['vision', 'native-search'] })
const modelOrigin = { in: 'toolgate.yaml', key: 'models[0].can', line: 5 }

export const modelCapabilityCases: readonly GateCase[] = [
  { name: 'abstains on a tool without needs', candidate: aCandidate(), code: 'needs-nothing-special' },
  { name: 'leaves other needs to other gates', candidate: shell, code: 'needs-nothing-special' },
  { name: 'admits when the model sees', candidate: seeing, code: 'model-can' },
  {
    name: 'excludes when the model does not see',
    facts: { model: { can: ['tools'], origin: modelOrigin } },
    candidate: seeing,
    code: 'model-cannot',
    origin: 'toolgate.yaml:5 models[0].can',
  },
  {
    name: 'asks for every need',
    facts: { model: { can: ['tools', 'vision'] } },
    candidate: both,
    code: 'model-cannot',
  },
  {
    name: 'excludes all when the model takes no tools',
    facts: { model: { can: ['vision'] } },
    candidate: aCandidate(),
    code: 'model-takes-no-tools',
  },
  {
    name: 'names the tools first when the model can nothing',
    facts: { model: { can: [] } },
    candidate: both,
    code: 'model-takes-no-tools',
  },
]

const simple = { simpleMode: { on: true, origin: { in: 'command line', key: '--simple-mode' } } }

export const simpleModeCases: readonly GateCase[] = [
  { name: 'abstains when it is off', candidate: aCandidate(), code: 'simple-mode-off' },
  ...(['shell', 'file-read', 'file-edit'] as const).map(
    (role): GateCase => ({
      name: `keeps the role ${role}`,
      facts: simple,
      candidate: aCandidate({ role }),
      code: 'basic-role',
      origin: 'command line --simple-mode',
    }),
  ),
  {
    name: 'excludes the rest',
    facts: simple,
    candidate: aCandidate(),
    code: 'not-basic',
    origin: 'command line --simple-mode',
  },
  { name: 'excludes other roles', facts: simple, candidate: aCandidate({ role: 'tool-search' }), code: 'not-basic' },
  {
    name: 'does not go by a name',
    facts: simple,
    candidate: aCandidate({ originalName: 'BashTool' }),
    code: 'not-basic',
  },
  { name: 'excludes a whole server', facts: simple, candidate: aStandIn('files'), code: 'not-basic' },
]

const inventory = { source: 'snapshot' } as const

export const simpleModeByNameCases: readonly GateCase[] = [
  { name: 'abstains when it is off', candidate: aCandidate(inventory), code: 'simple-mode-off' },
  {
    name: 'keeps what bears the mark',
    facts: simple,
    candidate: aCandidate({ ...inventory, marks: [simpleByNameMark] }),
    code: 'simple-by-name',
    origin: 'command line --simple-mode',
  },
  { name: 'excludes what bears none', facts: simple, candidate: aCandidate(inventory), code: 'name-not-kept' },
  {
    name: 'says when a role would have kept it',
    facts: simple,
    candidate: aCandidate({ ...inventory, role: 'shell' }),
    code: 'role-without-the-name',
  },
  {
    name: 'reads no piece of a name',
    facts: simple,
    candidate: aCandidate({ ...inventory, originalName: 'BashTool' }),
    code: 'name-not-kept',
  },
]

const noMcp = { mcp: { on: false, origin: { in: 'command line', key: '--no-mcp' } } }
const ofServer = aCandidate({ server: 'files' })

export const mcpSwitchCases: readonly GateCase[] = [
  { name: 'abstains when MCP is on', candidate: ofServer, code: 'mcp-on' },
  {
    name: 'excludes what came over MCP',
    facts: noMcp,
    candidate: ofServer,
    code: 'mcp-off',
    origin: 'command line --no-mcp',
  },
  { name: 'excludes a whole server', facts: noMcp, candidate: aStandIn('files'), code: 'mcp-off' },
  {
    name: 'goes by protocol, not by source',
    facts: noMcp,
    candidate: aCandidate({ source: 'snapshot', protocol: 'mcp' }),
    code: 'mcp-off',
  },
  {
    name: 'does not go by the letters',
    facts: noMcp,
    candidate: aCandidate({ originalName: 'mcp_notes', group: 'mcp' }),
    code: 'not-mcp',
  },
  {
    name: 'leaves ACP alone',
    facts: noMcp,
    candidate: aCandidate({ source: 'acp', server: 'helper' }),
    code: 'not-mcp',
  },
]

export const mcpSwitchBySubstringCases: readonly GateCase[] = [
  { name: 'abstains when MCP is on', candidate: aCandidate(inventory), code: 'mcp-on' },
  {
    name: 'excludes MCP with the letters',
    facts: noMcp,
    candidate: aCandidate({ server: 'files', marks: [mcpBySubstringMark] }),
    code: 'mcp-off',
    origin: 'command line --no-mcp',
  },
  {
    name: 'excludes the letters without MCP, and says so',
    facts: noMcp,
    candidate: aCandidate({ ...inventory, originalName: 'SystemCpuTool', marks: [mcpBySubstringMark] }),
    code: 'mcp-by-substring',
  },
  { name: 'keeps MCP without the letters, and says so', facts: noMcp, candidate: ofServer, code: 'mcp-missed' },
  { name: 'abstains on the rest', facts: noMcp, candidate: aCandidate(inventory), code: 'not-mcp' },
  {
    name: 'reads no piece of a name',
    facts: noMcp,
    candidate: aCandidate({ ...inventory, originalName: 'MCPTool' }),
    code: 'not-mcp',
  },
]
