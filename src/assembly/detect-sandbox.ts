// Whether commands can be isolated here. A protection counts only when it has been seen to work, so this makes a
// namespace and runs `true` in it.

import { execFile } from 'node:child_process'
import type { Config } from '../config/config.ts'
import type { SandboxFacts } from '../core/run-facts.ts'

const trialTimeoutMs = 3000
let trial: Promise<boolean> | undefined

/**
 * The sandbox facts of a run. `kind: auto` becomes `namespace` where bubblewrap works, else `none`; `namespace`
 * stays `none` where it does not work, so that nothing runs unprotected because a file said otherwise.
 */
export async function detectSandbox(config: Config['sandbox']): Promise<SandboxFacts> {
  const kind = config.kind !== 'none' && (await namespacesWork()) ? 'namespace' : 'none'
  return {
    kind,
    allowHostBash: config.allowHostBash,
    ...(config.origin === undefined ? {} : { origin: config.origin }),
  }
}

/** One trial a process: 30 to 60 ms. */
function namespacesWork(): Promise<boolean> {
  trial ??= new Promise((resolve) => {
    const words = ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--', 'true']
    execFile('bwrap', words, { timeout: trialTimeoutMs }, (error) => resolve(error === null))
  })
  return trial
}
