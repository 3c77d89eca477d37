// Approved definitions, as `toolgate pin --approve` stores them, as far as the gates read them. Without the file
// nothing is approved: pins that are on and empty withhold every tool, and the finding says what to do.

import type { Finding } from '../core/finding.ts'
import type { Pin } from '../core/run-facts.ts'
import { finding } from '../errors.ts'

/** Never throws: what cannot be read approves nothing. */
export async function readPins(
  stateFolder: string,
): Promise<{ readonly pins: readonly Pin[]; readonly findings: readonly Finding[] }> {
  // Only a run with pins reads them.
  const { readPinsFile, slimPin } = await import('./pins-file.ts')
  const stored = await readPinsFile(stateFolder)
  if (stored.kind === 'read') return { pins: stored.pins.map(slimPin), findings: [] }
  const why =
    stored.kind === 'absent'
      ? 'there is no file of approvals yet, so no tool is approved'
      : `${stored.why}, so no tool is approved`
  const hint =
    'look at the definitions with `toolgate pin`, then run `toolgate pin --approve` (or `toolgate lock --pins`)'
  return { pins: [], findings: [finding('pins-missing', 'error', why, { hint })] }
}
