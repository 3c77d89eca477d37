// A project with a configuration in service and scripted servers, for tests.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.ts'
import { openToolbox, type Toolbox, type ToolboxOptions } from '../../src/runtime/toolbox.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import { freshFolder, listedTool, scriptedProgram } from '../sources/scripted.ts'

export const owner = { user: 'ada', thread: 't1' }
const opened: Toolbox[] = []
afterEach(async () => {
  for (const toolbox of opened.splice(0)) await toolbox.close()
})

export interface Project {
  readonly folder: string
  readonly file: string
  readonly load: () => Promise<LoadedConfig>
  /** Writes the configuration: servers by name, and other keys. */
  readonly write: (servers: { readonly [name: string]: ServerPlan }, more?: object) => void
  readonly open: (options?: Partial<ToolboxOptions>) => Promise<Toolbox>
}

export function project(folder = freshFolder()): Project {
  const file = join(folder, 'toolgate.json')
  const load = (): Promise<LoadedConfig> => loadConfig(file, { environment: process.env })
  return {
    folder,
    file,
    load,
    write: (servers, more = {}) => {
      const entries = Object.entries(servers).map(([name, plan]) => {
        const path = join(folder, `${name}.json`)
        writeFileSync(path, JSON.stringify({ marker: join(folder, `${name}.pids`), ...plan }))
        return [name, { command: process.execPath, args: [scriptedProgram, `@${path}`] }]
      })
      const text = { version: 1, mcp_servers: Object.fromEntries(entries), ...more }
      writeFileSync(`${file}.new`, JSON.stringify(text))
      writeFileSync(file, readFileSync(`${file}.new`))
    },
    open: async (options = {}) => {
      const { config, findings } = await load()
      if (config === undefined) throw new Error(findings[0]?.message)
      const toolbox = await openToolbox({ config, owner, reload: load, ...options })
      opened.push(toolbox)
      return toolbox
    },
  }
}

export const exposed = (toolbox: Toolbox): readonly string[] =>
  toolbox
    .current()
    .run.surface.decisions.filter(({ outcome, candidate }) => outcome !== 'excluded' && candidate.source === 'mcp')
    .map(({ name }) => name)

export const pidsOf = (folder: string, name: string): readonly number[] => {
  const file = join(folder, `${name}.pids`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

export const textOf = (outcome: unknown): string => {
  const { content } = outcome as { readonly content?: readonly { readonly text?: string }[] }
  return content?.[0]?.text ?? JSON.stringify(outcome)
}

export const page = (...names: readonly string[]) => [{ tools: names.map((name) => listedTool(name)) }]

export function listings(record: string): number {
  return readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"tools/list"')).length
}
