// The shell of a thread in a run: in a sandbox where the run has one, on the host where the operator allowed it, else
// none. It follows the facts that the gate judged by, so that what was shown is what runs.

import type { Config } from '../config/config.ts'
import type { SandboxFacts } from '../core/run-facts.ts'
import { hostShell } from '../sessions/processes/host-shell.ts'
import { fileLimits } from '../workspace/files/limits.ts'
import { namespaceShell } from '../workspace/sandbox/namespace-shell.ts'
import type { Shell } from '../workspace/sandbox/shell.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Undefined: the run may not run commands. */
export function threadShell(facts: SandboxFacts, config: Config['sandbox'], workspace: Workspace): Shell | undefined {
  const { limits, network, programs } = config
  const keptBytes = fileLimits.answerBytes
  if (facts.kind === 'namespace') return namespaceShell({ workspace, network, programs, limits, keptBytes })
  if (facts.allowHostBash !== true) return undefined
  return hostShell({ workspace, outputBytes: limits.outputBytes, keptBytes, environment: process.env })
}
