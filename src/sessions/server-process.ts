// A server process and everything it starts: one process group, begun without a shell and ended as a whole.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { printable } from '../core/printable.ts'
import { groupRuns, guardGroup, releaseGroup, signalGroup } from './live-groups.ts'
import { windowsLaunch } from './windows-launch.ts'

export interface ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when the process is gone and its output is read, with words such as `exited with code 3`. */
  readonly gone: Promise<string>
  /** The last line of its standard error, printable; empty when it said nothing. */
  readonly lastWords: () => string
  /** Ends the whole group: closed input, TERM, KILL. Resolves when nobody is left; safe to call again. */
  readonly end: () => Promise<void>
}

export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** Absolute. */
  readonly cwd: string
}

/** The process could not be started; the message says whether it was the program or the folder. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

const stderrMax = 2048
/** Time for a server to leave by itself once its input is closed. */
const graceMs = 100
/** Time between TERM and KILL. */
const termMs = 1500
const killMs = 1000
const pollMs = 15

/** Starts the program in a group of its own. Rejects with a StartFailure. */
export async function startProcess(spec: ProcessSpec): Promise<ServerProcess> {
  if (statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartFailure(`its working folder ${printable(spec.cwd, 160)} is not there`)
  }
  const child = spawned(spec)
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw startFailure(error, spec)
  }
  const { pid, stdin, stdout, stderr } = child
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    throw new StartFailure(`command "${printable(spec.command)}" gave no process`)
  }
  guardGroup(pid)
  // A server that is gone closes its end of the pipe; what it left unread is told by `gone`.
  stdin.on('error', () => {})
  stdout.on('error', () => {})
  const tail = tailOf(stderr)
  let ending: Promise<void> | undefined
  return {
    pid,
    stdin,
    stdout,
    gone: goneOf(child),
    lastWords: () => printable(tail().trimEnd().split('\n').at(-1)?.trim() ?? '', 200),
    end: () => {
      ending ??= endGroup(child, pid)
      return ending
    },
  }
}

function spawned(spec: ProcessSpec): ChildProcess {
  const windows = process.platform === 'win32'
  const launch = windows
    ? windowsLaunch(spec.command, spec.args, { cwd: spec.cwd, env: spec.env })
    : { command: spec.command, args: spec.args, verbatim: false }
  try {
    return spawn(launch.command, launch.args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: launch.verbatim,
    })
  } catch (error) {
    throw startFailure(error, spec)
  }
}

function startFailure(error: unknown, spec: ProcessSpec): StartFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const command = `command "${printable(spec.command, 100)}"`
  if (code === 'ENOENT' && spec.env.PATH === undefined && spec.env.Path === undefined) {
    return new StartFailure(`${command} was not found, for PATH is not set`)
  }
  if (code === 'ENOENT') return new StartFailure(`${command} was not found`)
  if (code === 'EACCES') return new StartFailure(`${command} may not be executed`)
  return new StartFailure(
    `${command} could not be started: ${printable(error instanceof Error ? error.message : String(error), 160)}`,
  )
}

/** Keeps the last bytes of a stream, and so keeps it flowing. */
function tailOf(stream: Readable): () => string {
  let tail = Buffer.alloc(0)
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrMax)
  })
  return () => tail.toString('utf8')
}

/** A grandchild may hold the pipes open after the process itself has left: they are waited for only a moment. */
async function goneOf(child: ChildProcess): Promise<string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (child.stdout?.closed !== true || child.stderr?.closed !== true) {
    const left = new AbortController()
    await Promise.race([once(child, 'close', { signal: left.signal }), sleep(200, undefined, left)]).catch(() => {})
    left.abort()
  }
  return code === null ? `was ended by ${signal}` : `exited with code ${code}`
}

async function endGroup(child: ChildProcess, leader: number): Promise<void> {
  child.stdin?.end()
  if (!(await left(leader, child, graceMs))) {
    signalGroup(leader, 'SIGTERM')
    if (!(await left(leader, child, termMs))) {
      signalGroup(leader, 'SIGKILL')
      await left(leader, child, killMs)
    }
  }
  releaseGroup(leader)
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.unref()
}

/** True once the process has left and nobody else is in its group. */
async function left(leader: number, child: ChildProcess, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs
  for (;;) {
    const exited = child.exitCode !== null || child.signalCode !== null
    if (exited && !groupRuns(leader)) return true
    if (performance.now() >= until) return false
    await sleep(pollMs)
  }
}
