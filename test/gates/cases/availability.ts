import { type UnavailableState, unavailableStates } from '../../../src/core/candidate.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const switchOrigin = { in: 'toolgate.yaml', key: 'mcp_servers.files', line: 12 }

const details: { readonly [state in UnavailableState]: string } = {
  'not-configured': '`command` is empty',
  disabled: '`enabled: false`',
  'not-approved': 'it came with .mcp.json',
  starting: '2 s so far',
  'failed-to-start': 'spawn files-mcp ENOENT',
  'handshake-failed': 'no answer to initialize',
  'login-needed': 'HTTP 401',
  'listing-failed': 'tools/list answered -32603',
  'timed-out': '20 s',
  'listed-nothing': '0 tools',
  'no-longer-listed': 'it was read_file before',
  'unsupported-transport': 'ws',
  'load-failed': './search.mjs threw SyntaxError',
}

export const availabilityCases: readonly GateCase[] = [
  { name: 'admits what is there', candidate: aCandidate(), code: 'available' },
  { name: 'leaves an idle server to the gate that made it idle', candidate: aStandIn('files'), code: 'not-started' },
  ...unavailableStates.map(
    (state): GateCase => ({
      name: `gives ${state} a code of its own`,
      candidate: aCandidate({
        // A module belongs to no server; everything else here does.
        ...(state === 'load-failed' ? { source: 'config' } : { server: 'files' }),
        availability: {
          state,
          detail: details[state],
          origin: switchOrigin,
          ...(state === 'no-longer-listed' ? { lastListedAt: '2026-10-01T08:00:00Z' } : {}),
        },
      }),
      code: state,
      origin: 'toolgate.yaml:12 mcp_servers.files',
    }),
  ),
]
