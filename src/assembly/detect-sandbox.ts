// Whether commands can be isolated here, and what that makes of the facts of a run.

import { sandboxLimits } from '../config/build-sections.ts'
import type { Config } from '../config/config.ts'
import type { SandboxFacts } from '../core/run-facts.ts'
import { tryNamespace } from '../workspace/sandbox/try-namespace.ts'

type SandboxConfig = Config['sandbox']

/** What is not said has its default. */
export type SandboxWish = Pick<SandboxConfig, 'kind' | 'allowHostBash' | 'origin'> & Partial<SandboxConfig>

/** One trial for each way of running, some 60 ms; what worked once in a process is not asked again. */
const trials = new Map<string, Promise<boolean>>()

/**
 * The sandbox facts of a run. `kind: auto` becomes `namespace` where a command has been seen to run in one, else
 * `none`; `namespace` stays `none` where it does not work, so that nothing runs unprotected because a file said
 * otherwise.
 */
export async function detectSandbox(config: SandboxWish): Promise<SandboxFacts> {
  const kind = config.kind !== 'none' && (await namespacesWork(config)) ? 'namespace' : 'none'
  return {
    kind,
    allowHostBash: config.allowHostBash,
    ...(config.origin === undefined ? {} : { origin: config.origin }),
  }
}

function namespacesWork({ network = false, programs = [], limits = sandboxLimits() }: SandboxWish): Promise<boolean> {
  const settings = { network, programs, limits }
  const key = JSON.stringify(settings)
  const trial = trials.get(key) ?? tryNamespace(settings)
  trials.set(key, trial)
  return trial
}
