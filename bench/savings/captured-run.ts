// A run over captured catalogues of MCP servers: the whole way of a configuration, with deferral on, but for the
// starting. Where a server would be asked for its tools, the answer that it once gave is handed in.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareRun } from '../../src/assembly/prepare-run.ts'
import type { PreparedRun } from '../../src/assembly/run-input.ts'
import { configFromText } from '../../src/config/load-config.ts'
import { isJsonObject } from '../../src/core/json.ts'
import { printable } from '../../src/core/printable.ts'
import { listingIdentity } from '../../src/sessions/listing/listing-identity.ts'
import { InputError } from '../search/input-error.ts'

export interface Captured {
  /** Of npm, its scope with it. */
  readonly package: string
  readonly tools: readonly unknown[]
}

/**
 * The catalogues of a folder, one file a server, in order of files; undefined when there is no such folder. Throws an
 * InputError for a file that is no JSON.
 */
export function capturedIn(folder: string): readonly Captured[] | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.sort().flatMap((file): Captured[] => {
    const read = parsed(join(folder, file))
    if (!isJsonObject(read) || !Array.isArray(read.tools)) return []
    // A slash cannot stand in the name of a file; two low lines stand for it.
    return [{ package: file.replace(/\.json$/, '').replace('__', '/'), tools: read.tools }]
  })
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InputError(
      `${printable(path, 300)}: ${printable(error instanceof Error ? error.message : String(error))}`,
    )
  }
}

/** The run in which all that can be deferred is. `names`: what the operator calls the servers, one each. */
export async function capturedRun(captured: readonly Captured[], names: readonly string[]): Promise<PreparedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
  try {
    const servers = captured.map((one, at) => [names[at] ?? one.package, one] as const)
    const entries = servers.map(([name, one]) => [name, { command: 'npx', args: [one.package] }] as const)
    const text = JSON.stringify({
      version: 1,
      tool_search: { enabled: true },
      mcp_servers: Object.fromEntries(entries),
    })
    const { config, findings } = await configFromText(text, join(folder, 'toolgate.json'), { environment: {} })
    if (config === undefined) throw new Error(`the configuration of the benchmark: ${findings[0]?.message}`)
    const toolsOf = new Map(servers.map(([name, { tools }]) => [name, tools]))
    return await prepareRun({
      config,
      stateFolder: folder,
      environment: {},
      listings: {
        refresh: true,
        list: async (server) => ({
          identity: listingIdentity(server),
          era: 'legacy',
          tools: toolsOf.get(server.name) ?? [],
          problems: [],
          tookMs: 0,
        }),
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
