// What the tests of external agents share: the scripted agent as a program that Node can run, entries whose agent
// follows a plan, and the workspace of a thread.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'
import { type RunAcpAgentOptions, runAcpAgent } from '../../src/acp/run-acp-agent.ts'
import type { AcpStatus } from '../../src/acp/turn-result.ts'
import type { AcpAgentConfig } from '../../src/config/config.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { AcpAgentPlan, AcpRecord, AcpStep } from '../../src/testing/scripted-acp-agent-plan.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { freshFolder, isAlive, root } from '../sources/scripted.ts'

/** The program as JavaScript, made once a test file: the oldest Node that is supported runs no TypeScript. */
export const agentProgram = (() => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const source = readFileSync(join(root, 'src/testing/scripted-acp-agent.ts'), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  writeFileSync(join(folder, 'scripted-acp-agent.js'), outputText)
  return join(folder, 'scripted-acp-agent.js')
})()

export interface Scripted {
  readonly agent: AcpAgentConfig
  readonly workspace: Workspace
  /** The host folder of /mnt/acp-workspace. */
  readonly folder: string
  readonly received: () => readonly AcpRecord[]
  /** What the steps of this kind brought, in their order. */
  readonly brought: (step: string) => readonly AcpRecord[]
  readonly pids: () => readonly number[]
  readonly run: (more?: Partial<RunAcpAgentOptions>) => Promise<Turn>
}

export interface Turn {
  readonly text: string
  readonly isError: boolean
  readonly structure: {
    readonly status: AcpStatus
    readonly agent: string
    readonly text: string
    readonly toolCalls: readonly JsonObject[]
    readonly denied: readonly string[]
    readonly stopReason?: string
    readonly reason?: string
  }
}

export const agentConfig = (more: Partial<AcpAgentConfig> = {}): AcpAgentConfig => ({
  name: 'helper',
  command: process.execPath,
  args: [],
  env: {},
  description: 'Helps.',
  permissions: 'ask',
  startTimeoutMs: 30_000,
  turnTimeoutMs: 30_000,
  origin: { in: 'toolgate.yaml', key: 'acp_agents.helper', line: 3 },
  ...more,
})

/** A thread and an agent that follows a plan. Every process of a run is gone when the run has settled. */
export async function scripted(
  plan: AcpAgentPlan | readonly AcpStep[],
  more: Partial<AcpAgentConfig> = {},
): Promise<Scripted> {
  const place = freshFolder()
  const [file, record, marker] = ['plan.json', 'record.jsonl', 'pids'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  const whole: AcpAgentPlan = { record, marker, ...(isSteps(plan) ? { steps: plan } : plan) }
  writeFileSync(file, JSON.stringify(whole))
  const workspace = await openWorkspace({
    threadsFolder: join(place, 'threads'),
    owner: { user: 'ada', thread: 't1' },
  })
  const folder = workspace.roots.find(({ virtual }) => virtual === '/mnt/acp-workspace')?.host ?? ''
  const agent = agentConfig({ args: [agentProgram, `@${file}`], ...more })
  const received = () => linesOf(record).map((line) => JSON.parse(line) as AcpRecord)
  const pids = () => linesOf(marker).map(Number)
  return {
    agent,
    workspace,
    folder,
    received,
    brought: (step) => received().filter((line) => line.step === step),
    pids,
    run: async (options = {}) => {
      try {
        return turnOf(await runAcpAgent({ agent, prompt: 'do it', workspace, ...options }))
      } finally {
        expect(pids().filter(isAlive)).toEqual([])
      }
    },
  }
}

const isSteps = (plan: AcpAgentPlan | readonly AcpStep[]): plan is readonly AcpStep[] => Array.isArray(plan)

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

export function turnOf(result: JsonObject): Turn {
  const [block, ...others] = result.content as readonly JsonObject[]
  expect(others).toEqual([])
  return {
    text: String(block?.text),
    isError: result.isError === true,
    structure: result.structuredContent as unknown as Turn['structure'],
  }
}

/** Folders and files, for a test to begin with. */
export function withFiles(folder: string, files: { readonly [path: string]: string | Buffer }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
