import { unavailableStates } from '../../../src/core/candidate.ts'
import { aCandidate, aStandIn } from '../../../src/testing/index.ts'
import type { GateCase } from '../gate-case.ts'

const switchOrigin = { in: 'toolgate.yaml', key: 'mcp_servers.files', line: 12 }

export const availabilityCases: readonly GateCase[] = [
  { name: 'admits what is there', candidate: aCandidate(), code: 'available' },
  { name: 'leaves an idle server to the gate that made it idle', candidate: aStandIn('files'), code: 'not-started' },
  ...unavailableStates.map(
    (state): GateCase => ({
      name: `gives ${state} a code of its own`,
      candidate: aCandidate({
        server: 'files',
        availability: {
          state,
          detail: 'spawn files-mcp ENOENT',
          origin: switchOrigin,
          ...(state === 'no-longer-listed' ? { lastListedAt: '2026-10-01T08:00:00Z' } : {}),
        },
      }),
      code: state,
      origin: 'toolgate.yaml:12 mcp_servers.files',
    }),
  ),
]
