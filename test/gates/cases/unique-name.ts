import { definition } from '../../../src/gates/definition.ts'
import { hostShell } from '../../../src/gates/host-shell.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const ofConfig = aCandidate({ originalName: 'search', origin: { in: 'toolgate.yaml', key: 'tools[0]', line: 4 } })
const builtin = aCandidate({ source: 'builtin', originalName: 'search' })
const bare = aCandidate({ server: 'web', originalName: 'search', name: 'search' })
const twin = aCandidate({ server: 'web', originalName: 'SEARCH', name: 'SEARCH' })
const agent = aCandidate({ source: 'acp', server: 'helper', originalName: 'search' })
const shell = aCandidate({ originalName: 'bash', needs: ['host-shell'] })
const ofServer = aCandidate({ server: 'web', originalName: 'bash', name: 'bash' })
const lateShell = aCandidate({ server: 'web', originalName: 'bash', name: 'bash', needs: ['host-shell'] })
const brokenLater = aCandidate({
  server: 'web',
  originalName: 'search',
  name: 'search',
  faults: [{ code: 'invalid-schema', detail: 'null' }],
})
const nameless = aCandidate({ server: 'web', originalName: 'search\u200b', name: 'search\u200b' })

/** Cases that both forms of the gate share. */
export const uniqueNameCases: readonly GateCase[] = [
  { name: 'admits the only one of a name', candidate: ofConfig, behind: [shell], code: 'only-one' },
  {
    name: 'admits the first and names the others',
    candidate: ofConfig,
    behind: [builtin, bare],
    code: 'first-of-name',
  },
  {
    name: 'lets config win over built-in',
    candidate: builtin,
    ahead: [ofConfig],
    code: 'duplicate-name',
    origin: 'toolgate.yaml:4 tools[0]',
  },
  { name: 'lets built-in win over MCP', candidate: bare, ahead: [builtin], code: 'duplicate-name' },
  { name: 'lets MCP win over ACP', candidate: agent, ahead: [bare], code: 'duplicate-name' },
  {
    name: 'lets the first of one source win',
    candidate: { ...bare, id: 'mcp:late/search' },
    ahead: [bare],
    code: 'duplicate-name',
  },
  { name: 'takes case twins for one name', candidate: twin, ahead: [builtin], code: 'duplicate-name' },
  {
    name: 'takes full-width letters for one name',
    candidate: { ...twin, name: '\uff53earch' },
    ahead: [builtin],
    code: 'duplicate-name',
  },
  {
    name: 'gives a stand-in no name to lose',
    candidate: aStandIn('web', { availability: { state: 'available' } }),
    ahead: [aStandIn('web', { id: 'mcp:web/first', availability: { state: 'available' } })],
    code: 'stands-for-a-server',
  },
  { name: 'never lets a stand-in look like a tool', candidate: aStandIn('web'), code: 'server-not-started' },
  {
    name: 'takes nothing from the first when a lower source loses the name',
    candidate: ofConfig,
    behind: [brokenLater],
    before: [definition],
    code: 'only-one',
  },
  {
    name: 'takes nothing from a first that needs no shell',
    candidate: { ...shell, needs: [] },
    behind: [lateShell],
    before: [hostShell],
    code: 'only-one',
  },
  {
    name: 'gives no name to what has none',
    candidate: agent,
    ahead: [nameless],
    before: [definition],
    code: 'only-one',
  },
]

/** What becomes of a name that a safety gate took away. */
const afterLoss: readonly GateCase[] = [
  { name: 'a closed shell', candidate: ofServer, ahead: [shell], before: [hostShell], code: '' },
  {
    name: 'a closed shell of another spelling',
    candidate: { ...ofServer, name: 'BASH' },
    ahead: [shell],
    before: [hostShell],
    code: '',
  },
  { name: 'a broken definition', candidate: agent, ahead: [brokenLater], before: [definition], code: '' },
]

export const reservedCases = afterLoss.map(
  (row): GateCase => ({ ...row, name: `does not hand on the name of ${row.name}`, code: 'reserved-name' }),
)
export const takeoverCases = afterLoss.map(
  (row): GateCase => ({ ...row, name: `shows who takes over the name of ${row.name}`, code: 'name-taken-over' }),
)
