// `--model script:FILE`: a written conversation in the place of a model.

import { readJson } from '../../config/read-json.ts'
import { readYaml } from '../../config/read-yaml.ts'
import { readScriptFile } from '../../testing/scripted-model/read-script-file.ts'
import type { Script } from '../../testing/scripted-model/script.ts'
import { type ScriptPlayer, scriptPlayer } from '../../testing/scripted-model/script-player.ts'
import { type Flags, usage } from '../flags.ts'
import { UnusableConfig } from '../prepare.ts'

export interface ScriptModel {
  /** As it was named. */
  readonly file: string
  readonly script: Script
  readonly player: ScriptPlayer
}

const kind = 'script:'

/** Undefined: another model is named, or none. Throws an UnusableConfig with everything that is wrong with the script. */
export async function scriptModel({ policy: { model } }: Flags): Promise<ScriptModel | undefined> {
  if (model?.startsWith(kind) !== true) return undefined
  const file = model.slice(kind.length)
  if (file === '') throw usage('--model script: names no file', '--model', 'write --model script:FILE')
  const read = await readScriptFile(file, file.endsWith('.json') ? readJson : readYaml)
  if ('faults' in read) throw new UnusableConfig(read.faults)
  return { file, script: read.script, player: scriptPlayer(read.script) }
}

/** The flags without such a model: the facts of the run are those of the agent's own. */
export function withoutScript(flags: Flags): Flags {
  const { model, ...policy } = flags.policy
  return model?.startsWith(kind) === true ? { ...flags, policy } : flags
}
