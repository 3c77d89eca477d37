// From flags to a run: reads the configuration or the stored inventory, assembles, and looks for flags that change
// nothing. What only a configuration needs is loaded only then.

import { appendDecisionLog } from '../assembly/decision-log.ts'
import { flagsWithoutEffect } from '../assembly/flags-without-effect.ts'
import { readInventory } from '../assembly/inventory.ts'
import { prepareRun, stateFolderOf } from '../assembly/prepare-run.ts'
import type { PreparedRun, RunInput } from '../assembly/run-input.ts'
import type { Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import { finding, ToolgateError } from '../errors.ts'
import { type PresetName, presetNames } from '../gates/order.ts'
import { nearest } from '../names/nearest.ts'
import type { Toolbox, ToolboxOptions } from '../runtime/toolbox.ts'
import type { ToolUse } from '../state/state-store.ts'
import type { PrepareOver } from './command.ts'
import { errorLines } from './error-text.ts'
import { type Flags, usage } from './flags.ts'
import type { Terminal } from './terminal.ts'

const configDefault = 'toolgate.yaml'

/**
 * Prepares the run that the flags speak of. Throws a ToolgateError when the configuration or inventory cannot be
 * used, when something is named that is not there, or when a policy flag changes nothing (without --lenient).
 */
export async function prepare(flags: Flags, terminal: Terminal, over: PrepareOver = {}): Promise<PreparedRun> {
  const { checkFlags = true, use = true, ...chosen } = over
  const policy = { ...flags.policy, ...chosen }
  if (flags.policy.refresh === true && policy.snapshot !== undefined)
    throw usage('--refresh has no effect on an inventory', '--refresh')
  const inventory = policy.snapshot === undefined ? undefined : await readInventory(policy.snapshot)
  const loaded = await configOf(policy.config, inventory !== undefined)
  const preset = presetOf(policy.preset)
  const run = await prepareRun({
    ...(loaded === undefined ? {} : loaded),
    ...(inventory === undefined ? {} : { inventory }),
    ...(preset === undefined ? {} : { preset }),
    policy,
    ...(policy.refresh === true ? { listings: { refresh: true } } : {}),
    ...(use && loaded !== undefined ? { useOf: (agent) => usedBy(agent, loaded.config, terminal) } : {}),
    progress: terminal.progress,
  })
  terminal.settle()
  if (checkFlags) rejectIdleFlags(run, policy.lenient, terminal)
  if (policy.log !== undefined) await appendDecisionLog(policy.log, run, new Date().toISOString())
  return run
}

/**
 * Puts the configuration that the flags name into service, for commands that call. Throws as `prepare` does; an
 * inventory has nothing to call.
 */
export async function toolboxFor(
  flags: Flags,
  terminal: Terminal,
  options: Pick<ToolboxOptions, 'owner' | 'signal' | 'program'>,
): Promise<Toolbox> {
  const { policy } = flags
  if (policy.snapshot !== undefined) throw usage('an inventory has nothing to call', '--snapshot')
  const loaded = await configOf(policy.config, false)
  if (loaded === undefined) throw usage('a call needs a configuration', '--config')
  const preset = presetOf(policy.preset)
  const { openToolbox } = await import('../runtime/toolbox.ts')
  const toolbox = await openToolbox({
    ...loaded,
    ...options,
    ...(preset === undefined ? {} : { preset }),
    policy,
    ...(policy.refresh === true ? { refresh: true } : {}),
    progress: terminal.progress,
  })
  terminal.settle()
  try {
    const { run } = toolbox.current()
    rejectIdleFlags(run, policy.lenient, terminal)
    if (policy.log !== undefined) await appendDecisionLog(policy.log, run, new Date().toISOString())
    return toolbox
  } catch (error) {
    await toolbox.close()
    throw error
  }
}

/** What an agent called most so far. Loaded only where it decides something. */
async function usedBy(agent: string, config: Config, terminal: Terminal): Promise<readonly ToolUse[]> {
  const { storedState } = await import('../runtime/stored-state.ts')
  const stored = storedState({ config, stateFolder: stateFolderOf(config), tell: (line) => terminal.note(line) })
  try {
    return await stored.mostUsed(agent)
  } finally {
    await stored.close()
  }
}

type Loaded = Pick<RunInput, 'config' | 'configFindings'> & { readonly config: Config }

/** The configuration at a path, or the one here. With an inventory it is read only when it is named. Throws an UnusableConfig. */
export async function configOf(path: string | undefined, haveInventory: boolean): Promise<Loaded | undefined> {
  if (path === undefined && haveInventory) return undefined
  const { loadConfig } = await import('../config/load-config.ts')
  const { config, findings } = await loadConfig(path ?? configDefault, { environment: process.env })
  if (config === undefined) throw new UnusableConfig(findings)
  return { config, configFindings: findings }
}

/** The configuration cannot be used; all of its errors are told, not only the first. */
export class UnusableConfig extends Error {
  override readonly name = 'UnusableConfig'
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    super(findings[0]?.message ?? 'the configuration cannot be used')
    this.findings = findings
  }
}

function presetOf(name: string | undefined): PresetName | undefined {
  if (name === undefined) return undefined
  const found = presetNames.find((known) => known === name)
  if (found !== undefined) return found
  const near = nearest(name, presetNames)
  throw new ToolgateError(
    finding('unknown-name', 'error', `there is no preset "${name}"`, {
      subject: name,
      hint: near.length > 0 ? `did you mean "${near[0]}"` : `known: ${presetNames.join(', ')}`,
      origin: { in: 'command line', key: '--preset' },
    }),
  )
}

function rejectIdleFlags(run: PreparedRun, lenient: boolean, terminal: Terminal): void {
  for (const found of flagsWithoutEffect(run)) {
    if (!lenient) throw new ToolgateError(found)
    terminal.note(errorLines({ ...found, severity: 'warning' }, terminal.notePaint).join('\n'))
  }
}
