// The scripted server for whoever tests a client: as a command to put into a configuration, or running over HTTP.
// INVARIANT: the server is a process of its own in both cases, so that a plan that ends it ends no test.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ReceivedMessage, ServerPlan } from './scripted-plan.ts'

export interface ScriptedCommand {
  readonly command: string
  readonly args: readonly string[]
  /** What came in so far, of every process that this command started. */
  readonly received: () => readonly ReceivedMessage[]
}

export interface ScriptedServer {
  readonly url: string
  readonly pid: number
  /** What came in so far: a message is there before it is answered. */
  readonly received: () => readonly ReceivedMessage[]
  /** Ends the process. Safe to call again, and after the process ended by itself. */
  readonly close: () => Promise<void>
}

export interface ScriptedOptions {
  /** Path of the program. Absent: the one of this package. */
  readonly program?: string
}

export interface ScriptedServerOptions extends ScriptedOptions {
  /** Streamable HTTP, or the older form with one stream of events. Absent: `http`. */
  readonly wire?: 'http' | 'sse'
}

/** The types of Node do not know which streams are there when a channel is among them. */
type Started = ChildProcess & { readonly stdout: Readable }

const program = fileURLToPath(new URL('./scripted-server.mjs', import.meta.url))

/** A command that starts a server which follows a plan, over its standard input and output. */
export function scriptedServer(plan: ServerPlan, options: ScriptedOptions = {}): ScriptedCommand {
  const { file, received } = planFile(plan)
  return { command: process.execPath, args: [options.program ?? program, `@${file}`], received }
}

/** Starts a server which follows a plan, over HTTP on loopback. Rejects when the process ends before it listens. */
export async function startScriptedServer(
  plan: ServerPlan,
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const { file, received } = planFile(plan)
  const words = [options.program ?? program, `--${options.wire ?? 'http'}`, `@${file}`]
  // Through the channel it learns that this process is gone, however that ended.
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }) as Started
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGKILL')
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = urlIn(line)
    if (url === undefined) continue
    // It says nothing more there, and a server that nobody closed must not keep this process alive.
    child.stdout.destroy()
    child.channel?.unref()
    child.unref()
    return { url, pid: child.pid ?? 0, received, close }
  }
  const [code, signal] = await ended
  throw new Error(`the scripted server ended before it listened (${signal ?? `code ${code}`}); see its plan, ${file}`)
}

function urlIn(line: string): string | undefined {
  try {
    const { url } = JSON.parse(line)
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}

let folder: string | undefined
let plans = 0

/** A plan is handed over in a file, for arguments have a limit. The files are removed when this process ends. */
function planFile(plan: ServerPlan) {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'toolgate-scripted-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  plans += 1
  const file = join(folder, `plan-${plans}.json`)
  const record = plan.record ?? join(folder, `record-${plans}.jsonl`)
  writeFileSync(file, JSON.stringify({ ...plan, record }))
  return { file, received: () => linesOf(record) }
}

const linesOf = (record: string): readonly ReceivedMessage[] =>
  existsSync(record)
    ? readFileSync(record, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []
