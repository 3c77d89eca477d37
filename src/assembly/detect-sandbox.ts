// Whether commands can be isolated here, what that makes of the facts of a run, and, where they cannot, why.

import type { Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import type { SandboxFacts } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import { finding } from '../errors.ts'
import { hostShell } from '../gates/host-shell.ts'
import type { NamespaceTrial } from '../workspace/sandbox/try-namespace.ts'

type SandboxConfig = Config['sandbox']
type FailedTrial = Exclude<NamespaceTrial, { readonly works: true }>

/** What is not said has its default. */
export type SandboxWish = Pick<SandboxConfig, 'kind' | 'allowHostBash' | 'origin'> & Partial<SandboxConfig>

export interface DetectedSandbox {
  readonly facts: SandboxFacts
  /** `sandbox-unavailable`: a sandbox was asked for, and does not work here. Absent: it does, or none was asked for. */
  readonly missing?: Finding
}

/** One trial for each way of running, some 60 ms; what was tried once in a process is not asked again. */
const trials = new Map<string, Promise<NamespaceTrial>>()

/**
 * The sandbox of a run. `kind: auto` becomes `namespace` where a command has been seen to run in one, else `none`;
 * `namespace` stays `none` where it does not work, so that nothing runs unprotected because a file said otherwise.
 */
export async function detectSandbox(config: SandboxWish): Promise<DetectedSandbox> {
  const { allowHostBash, origin } = config
  const stated = { allowHostBash, ...(origin === undefined ? {} : { origin }) }
  if (config.kind === 'none') return { facts: { kind: 'none', ...stated } }
  const trial = await trialOf(config)
  if (trial.works) return { facts: { kind: 'namespace', ...stated } }
  return { facts: { kind: 'none', ...stated }, missing: missingSandbox(trial, config) }
}

/** True when a tool of the surface has come as far as to be judged by the sandbox that there is. */
export const isSandboxWanted = ({ decisions }: Surface): boolean =>
  decisions.some(
    ({ candidate, steps }) => candidate.needs.includes('shell') && steps.some(({ gate }) => gate === hostShell.id),
  )

function trialOf({ network = false, programs = [], limits }: SandboxWish): Promise<NamespaceTrial> {
  const key = JSON.stringify([network, programs, limits])
  const trial = trials.get(key) ?? tried({ network, programs, ...(limits === undefined ? {} : { limits }) })
  trials.set(key, trial)
  return trial
}

/** The sandbox, and the reader of configurations for its defaults, are loaded only where something is tried. */
async function tried(settings: Pick<SandboxWish, 'network' | 'programs' | 'limits'>): Promise<NamespaceTrial> {
  const [{ tryNamespace }, { sandboxLimits }] = await Promise.all([
    import('../workspace/sandbox/try-namespace.ts'),
    import('../config/build-sections.ts'),
  ])
  const { network = false, programs = [], limits = sandboxLimits() } = settings
  return tryNamespace({ network, programs, limits })
}

/** Whoever lets commands run on the host and says `auto` has foreseen it; for everybody else something is missing. */
function missingSandbox(trial: FailedTrial, { kind, allowHostBash, origin }: SandboxWish): Finding {
  const { why, hint } = wordsOf(trial)
  const onHost = allowHostBash === true
  const so = onHost ? 'so commands run on this machine itself' : 'so no tool may run commands'
  return finding('sandbox-unavailable', onHost && kind === 'auto' ? 'info' : 'warning', `${why}, ${so}`, {
    subject: 'sandbox',
    hint: `${hint}, or set \`sandbox.kind: none\` where none is wanted`,
    ...(origin === undefined ? {} : { origin }),
  })
}

function wordsOf(trial: FailedTrial): { readonly why: string; readonly hint: string } {
  const said = printable(trial.said, 300)
  switch (trial.why) {
    case 'other-system':
      return { why: `there is no sandbox for ${said}`, hint: 'run it on Linux' }
    case 'no-program':
      return {
        why: `there is no sandbox without the program ${said}, which is not installed`,
        hint:
          said === 'bwrap' ? 'install bubblewrap (package `bubblewrap`)' : `install ${said} (package \`coreutils\`)`,
      }
    case 'failed': {
      const why = `commands cannot be isolated here: ${said}`
      const closed = trial.switches.join(', ')
      if (closed === '') return { why, hint: 'see docs/sandbox.md for what it needs' }
      return { why, hint: `let bubblewrap make user namespaces (${closed} keeps ordinary users from it)` }
    }
  }
}
