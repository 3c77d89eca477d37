// One side of a comparison: an agent, a model, a configuration or a stored inventory, named by a word.

import { existsSync } from 'node:fs'
import type { PreparedRun } from '../assembly/run-input.ts'
import type { CommandContext, PrepareOver } from './command.ts'
import { usage } from './flags.ts'

const kinds = ['agent', 'model', 'config', 'snapshot'] as const

/**
 * The run that a word means: `agent:NAME`, `model:NAME`, `config:FILE`, `snapshot:FILE`; without the kind a file by
 * its ending (.json an inventory, else a configuration), and any other word an agent. All other flags hold too.
 */
export async function diffSide(word: string, prepare: CommandContext['prepare']): Promise<PreparedRun> {
  return prepare({ ...sideOf(word), checkFlags: false })
}

function sideOf(word: string): PrepareOver {
  const kind = kinds.find((known) => word.startsWith(`${known}:`))
  if (kind !== undefined) {
    const value = word.slice(kind.length + 1)
    if (value === '') throw usage(`"${word}" names nothing after the colon`, word)
    return { [kind]: value }
  }
  if (existsSync(word)) return word.endsWith('.json') ? { snapshot: word } : { config: word }
  return { agent: word }
}
