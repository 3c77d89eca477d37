// A server process and everything it starts: begun without a shell in a group of its own, and ended as a whole. What a
// server leaves behind that ends by itself is ended as well.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { printable } from '../../core/printable.ts'
import { guardGroup, releaseGroup } from './live-groups.ts'
import { endFamily, within } from './process-ending.ts'
import { familyOf } from './process-family.ts'
import { entrust, relieve } from './process-guardian.ts'
import { markerName, markerValue, newMarker } from './process-marker.ts'
import { StartFailure, startFailure } from './process-start-failure.ts'
import { windowsLaunch } from './windows-launch.ts'

export { StartFailure } from './process-start-failure.ts'

export interface ServerProcess {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when the process is gone and its output is read, with words such as `exited with code 3`. */
  readonly gone: Promise<string>
  /** The last line of its standard error, printable; empty when it said nothing. */
  readonly lastWords: () => string
  /**
   * Ends it and all that it has started: closed input, TERM, KILL. Resolves when nobody is left, within about three
   * seconds; safe to call again.
   */
  readonly end: () => Promise<void>
}

export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  /** Absolute. */
  readonly cwd: string
}

const stderrMax = 2048
/** Time for the pipes to close once the process has left: a grandchild may hold them open for ever. */
const pipesMs = 200

/** Starts the program in a group of its own. Rejects with a StartFailure. */
export async function startProcess(spec: ProcessSpec): Promise<ServerProcess> {
  if (statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StartFailure(`its working folder ${printable(spec.cwd, 160)} is not there`)
  }
  const marker = newMarker()
  // Before it starts: a kill that comes between the two finds it by its mark.
  const markerTold = entrust({ marker })
  try {
    const child = spawned(spec, marker)
    const groupTold = child.pid === undefined ? undefined : guardGroup(child.pid)
    await once(child, 'spawn')
    // It may leave at any moment: from here on somebody listens.
    const server = serverOf(child, marker, spec)
    await Promise.all([markerTold, groupTold])
    return server
  } catch (error) {
    await relieve({ marker })
    throw startFailure(error, spec)
  }
}

function serverOf(child: ChildProcess, marker: string, spec: ProcessSpec): ServerProcess {
  const { pid, stdin, stdout, stderr } = child
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    throw new StartFailure(`command "${printable(spec.command)}" gave no process`)
  }
  const family = familyOf(pid, marker)
  // A server that is gone closes its end of the pipe; what it left unread is told by `gone`.
  stdin.on('error', () => {})
  stdout.on('error', () => {})
  const tail = tailOf(stderr)
  const left = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const gone = goneOf(child, left)
  let clearing: Promise<void> | undefined
  let ending: Promise<void> | undefined
  const clear = () => {
    clearing ??= endFamily(family, left, () => stdin.end()).then(async () => {
      await releaseGroup(pid)
      await relieve({ marker })
    })
    return clearing
  }
  void left.then(() => family.groupRuns())
  void gone.then(clear)
  return {
    pid,
    stdin,
    stdout,
    gone,
    lastWords: () => printable(tail().trimEnd().split('\n').at(-1)?.trim() ?? '', 200),
    end: () => {
      ending ??= clear().then(() => {
        stdout.destroy()
        stderr.destroy()
        child.unref()
      })
      return ending
    },
  }
}

function spawned(spec: ProcessSpec, marker: string): ChildProcess {
  const windows = process.platform === 'win32'
  const launch = windows
    ? windowsLaunch(spec.command, spec.args, { cwd: spec.cwd, env: spec.env })
    : { command: spec.command, args: spec.args, verbatim: false }
  const { [markerName]: _, ...env } = spec.env
  try {
    return spawn(launch.command, launch.args, {
      cwd: spec.cwd,
      env: { [markerName]: markerValue(marker, process.env[markerName]), ...env },
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

/** Keeps the last bytes of a stream, and so keeps it flowing. */
function tailOf(stream: Readable): () => string {
  let tail = Buffer.alloc(0)
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrMax)
  })
  return () => tail.toString('utf8')
}

async function goneOf(child: ChildProcess, left: Promise<void>): Promise<string> {
  await left
  if (child.stdout?.closed !== true || child.stderr?.closed !== true) await within(once(child, 'close'), pipesMs)
  return child.exitCode === null ? `was ended by ${child.signalCode}` : `exited with code ${child.exitCode}`
}
