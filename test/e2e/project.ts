// A project of a test: a folder with a configuration, scripted servers and whatever else its story needs.

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Explanation } from '../../src/report/explain.ts'
import type { ToolsReport } from '../../src/report/tools-report.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { root } from './built.ts'
import { type Ran, type RunOptions, run } from './run.ts'

export interface Project {
  readonly folder: string
  /** Absolute path of a file in it. */
  readonly path: (file: string) => string
  readonly write: (file: string, text: string) => void
  readonly read: (file: string) => string
  /** The number of the first line of a file that holds a text; 0 where none does. */
  readonly lineOf: (file: string, text: string) => number
  /** Runs `toolgate` in its folder. */
  readonly run: (words: readonly string[], options?: Omit<RunOptions, 'cwd'>) => Promise<Ran>
  /** The document that a command prints with `--json`. */
  readonly json: <T>(words: readonly string[]) => Promise<T>
  readonly tools: (words?: readonly string[]) => Promise<ToolsReport>
  readonly why: (name: string, words?: readonly string[]) => Promise<Explanation>
}

/** A project with these files, in a fresh folder that is removed at the end of the test file. */
export function project(files: { readonly [file: string]: string } = {}): Project {
  const folder = freshFolder()
  const path = (file: string): string => join(folder, file)
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(path(file)), { recursive: true })
    writeFileSync(path(file), text)
  }
  for (const [file, text] of Object.entries(files)) write(file, text)
  const inside: Project['run'] = (words, options) => run(words, { ...options, cwd: folder })
  const json = async <T>(words: readonly string[]): Promise<T> => documentOf<T>(await inside([...words, '--json']))
  return {
    folder,
    path,
    write,
    read: (file) => readFileSync(path(file), 'utf8'),
    lineOf: (file, text) =>
      readFileSync(path(file), 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1,
    run: inside,
    json,
    tools: (words = []) => json<ToolsReport>(['tools', ...words]),
    why: (name, words = []) => json<Explanation>(['why', name, ...words]),
  }
}

/** The one JSON document on stdout; throws when there is anything else. */
export function documentOf<T>({ stdout, stderr }: Ran): T {
  try {
    return JSON.parse(stdout) as T
  } catch (error) {
    throw new Error(`not one JSON document (${String(error)}):\n${stdout.slice(0, 400)}\n${stderr.slice(0, 1000)}`)
  }
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, by its real path. */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-e2e-')))
  folders.push(folder)
  return folder
}

/** The scripted server as JavaScript, for the oldest Node runs no TypeScript; made once for each form of its source. */
export const scriptedProgram = await (async () => {
  const source = readFileSync(join(root, 'src/testing/scripted-server.ts'), 'utf8')
  const path = join(tmpdir(), `toolgate-scripted-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.mjs`)
  if (existsSync(path)) return path
  const { default: ts } = await import('typescript')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, ts.transpileModule(source, { compilerOptions }).outputText)
  renameSync(draft, path)
  return path
})()

/** An entry of `mcp_servers`, as flow YAML, whose server follows a plan; more keys as flow YAML too. */
export function scripted(plan: ServerPlan, more = ''): string {
  // A dollar in a configuration begins a variable.
  const args = JSON.stringify([scriptedProgram, JSON.stringify(plan)]).replaceAll('$', '$$$$')
  return `{ command: ${JSON.stringify(process.execPath)}, args: ${args}${more === '' ? '' : `, ${more}`} }`
}

/** A tool as a server lists it. */
export const listed = (name: unknown, more: object = {}): object => ({
  name,
  description: `Does ${String(name)}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
})

export const offering = (...names: readonly unknown[]): ServerPlan => ({
  pages: [{ tools: names.map((name) => (typeof name === 'string' ? listed(name) : name)) }],
})

/** `name: outcome` for each decision, in order; what asks a person first is marked. */
export const outcomes = (report: ToolsReport): string[] =>
  report.decisions.map(({ name, outcome, approval }) => `${name} ${outcome}${approval === 'ask' ? ' ask' : ''}`)
