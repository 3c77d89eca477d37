// What the tests of sources and sessions share: the scripted server as a program that Node can run, plans for it, and
// configurations around it.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { sandboxLimits } from '../../src/config/build-sections.ts'
import type { Config, McpServerConfig, ToolConfig } from '../../src/config/config.ts'
import type { SourceInput } from '../../src/sources/source.ts'
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from '../../src/testing/scripted-handles.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { serverConfig } from './server-entry.ts'

export { serverConfig }

export const root = resolve(import.meta.dirname, '../..')

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'toolgate-test-'))

/** The scripted server as JavaScript, made once a test file: the oldest Node that is supported runs no TypeScript. */
export const scriptedProgram = (() => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['scripted-server', 'scripted-http']) {
    const source = readFileSync(join(root, `src/testing/${name}.ts`), 'utf8')
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        rewriteRelativeImportExtensions: true,
      },
    })
    writeFileSync(join(folder, `${name}.js`), outputText)
  }
  return join(folder, 'scripted-server.js')
})()

/** A server over HTTP that follows a plan, in a process of its own, which ends with the test file at the latest. */
export async function listening(
  plan: ServerPlan,
  options: Omit<ScriptedServerOptions, 'program'> = {},
): Promise<ScriptedServer> {
  return startScriptedServer(plan, { ...options, program: scriptedProgram })
}

/** An entry whose server follows a plan. A plan is handed over in a file: arguments have a limit. */
export function scripted(name: string, plan: ServerPlan, more: Partial<McpServerConfig> = {}): McpServerConfig {
  const path = join(freshFolder(), 'plan.json')
  writeFileSync(path, JSON.stringify(plan))
  return serverConfig(name, { args: [scriptedProgram, `@${path}`], ...more })
}

/** A tool as a server lists it. */
export const listedTool = (name: unknown, more: object = {}) => ({
  name,
  description: `Does ${String(name)}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
})

export const onePage = (...tools: readonly unknown[]): ServerPlan => ({ pages: [{ tools }] })

export function toolConfig(name: string, use: string, more: Partial<ToolConfig> = {}): ToolConfig {
  const origin = { in: 'toolgate.yaml', key: `tools[${name}]`, line: 3 }
  return { name, use, enabled: true, origin, origins: { use: { ...origin, key: `tools[${name}].use` } }, ...more }
}

export function config(more: Partial<Config> = {}): Config {
  return {
    file: 'toolgate.yaml',
    folder: tmpdir(),
    models: [],
    tools: [],
    mcpServers: [],
    acpAgents: [],
    agents: [],
    skills: { paths: [], mode: 'active', active: [], disabled: [] },
    permissions: { rules: [], otherwise: 'allow' },
    sandbox: { kind: 'auto', allowHostBash: false, network: false, programs: [], limits: sandboxLimits() },
    delegation: { enabled: true, depthMax: 1, childrenMax: 3, timeoutMs: 900_000 },
    toolSearch: {
      mode: 'auto',
      budget: 0.1,
      always: [],
      maxResults: 5,
      moreResults: 15,
      queryChars: 200,
      synonyms: [],
      autoPromote: 3,
      promotedMax: 128,
    },
    limits: { resultBytes: 1, messageBytes: 1_048_576, callTimeoutMs: 1, callTotalMs: 1, startTimeoutMs: 1 },
    sessions: { max: 8, idleMs: 60_000 },
    listings: { maxAgeMs: 0 },
    state: { url: '' },
    trustedModules: [],
    pins: { enabled: false },
    gateway: { host: '127.0.0.1', port: 8765, allowedHosts: [], allowedOrigins: [], views: [], tokens: [], limits: {} },
    require: [],
    forbid: [],
    secrets: [],
    ...more,
  }
}

export function input(more: Partial<SourceInput> = {}): SourceInput {
  return { config: config(), idleServers: new Set(), stateFolder: freshFolder(), environment: process.env, ...more }
}

/** The process ids that a plan's marker holds. */
export const markedPids = (marker: string): readonly number[] =>
  readFileSync(marker, 'utf8').trim().split('\n').map(Number)

/** False once a process has ended; one that has ended but was not collected by its parent counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
