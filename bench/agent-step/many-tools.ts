// Five hundred tools of one module, for the agent through a configuration in service and for the bare framework as
// tools of its own: the same names, words, schemas and work.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { loadConfig } from '../../src/config/load-config.ts'
import { openToolbox, type Toolbox } from '../../src/runtime/toolbox.ts'

export interface ManyTools {
  readonly names: readonly string[]
  readonly bare: readonly StructuredToolInterface[]
  readonly toolbox: Toolbox
  readonly close: () => Promise<void>
}

export const owner = { user: 'bench', thread: 'bench' }

const descriptionOf = (name: string): string => `Works on a text as ${name} does.`

const schemaOf = (name: string) => ({
  type: 'object' as const,
  properties: {
    text: { type: 'string' as const, description: `What ${name} works on.` },
    count: { type: 'integer' as const, minimum: 0 },
    tags: { type: 'array' as const, items: { type: 'string' as const } },
  },
  required: ['text'],
})

/** All of them are given to the model at once; the state is in memory. */
export async function manyTools(count: number): Promise<ManyTools> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
  const names = Array.from({ length: count }, (_, at) => `tool_${at}`)
  const module = join(folder, 'tools.mjs')
  const exported = names.map((name) => {
    const words = { name, description: descriptionOf(name), inputSchema: schemaOf(name) }
    return `export const ${name} = { ...${JSON.stringify(words)}, execute }`
  })
  writeFileSync(module, `export const execute = async ({ text }) => 'done with ' + text\n${exported.join('\n')}\n`)
  const file = join(folder, 'toolgate.json')
  const entries = names.map((name) => ({ name, use: `./tools.mjs:${name}` }))
  const state = { url: 'sqlite::memory:' }
  writeFileSync(file, JSON.stringify({ version: 1, state, tool_search: { enabled: false }, tools: entries }))

  const { config, findings } = await loadConfig(file, { environment: process.env })
  if (config === undefined) throw new Error(`the configuration of the benchmark is not usable: ${findings[0]?.message}`)
  const toolbox = await openToolbox({ config, owner, stateFolder: join(folder, 'state') })
  const { execute } = (await import(pathToFileURL(module).href)) as {
    readonly execute: (args: object) => Promise<string>
  }
  return {
    names,
    toolbox,
    bare: names.map((name) =>
      tool((args: object) => execute(args), { name, description: descriptionOf(name), schema: schemaOf(name) }),
    ),
    close: async () => {
      await toolbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
