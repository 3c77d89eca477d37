// Starts bubblewrap with a plan and a command, and keeps hold of both ends: its first process, and bubblewrap itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'
import { holdFolder } from '../held-folder.ts'
import type { VirtualRoot } from '../workspace.ts'
import { findProgram } from './find-program.ts'
import { type FirstProcess, firstGone, firstProcess, killFirst } from './first-process.ts'
import { firstWords, goWord } from './first-words.ts'
import { type OutputPipe, outputPipe } from './output-pipe.ts'
import { type MountedFolder, madeFiles, type SandboxSettings, sandboxPlan } from './sandbox-plan.ts'
import { systemCallFilter } from './system-call-filter.ts'

export interface Sandbox {
  readonly first: FirstProcess
  readonly output: Readable
  /** Lets the command begin. */
  readonly go: () => void
  /** Ends all of it at once. */
  readonly kill: () => void
  /** Resolves when nothing of it runs any more: with the exit code of the command, or without one when it was ended. */
  readonly over: Promise<number | undefined>
  /** What the sandbox itself said, printable; empty when all went well. */
  readonly complaint: () => string
}

export const sandboxFailed = (why: string): ToolgateError =>
  new ToolgateError(finding('sandbox-failed', 'error', `the sandbox could not be started: ${printable(why, 300)}`))

/** Descriptors of bubblewrap beside the three of every program. */
const statusAt = 3
const optionsAt = 4
const filterAt = 5
const filesAt = 6
const foldersAt = filesAt + madeFiles.length

/**
 * Starts a sandbox that waits to be told to go. Throws a ToolgateError: `sandbox-failed`, or the error of a folder of
 * the thread that is none any more.
 */
export async function startSandbox(
  command: string,
  roots: readonly VirtualRoot[],
  settings: SandboxSettings,
): Promise<Sandbox> {
  const bubblewrap = needed('bwrap')
  const pipe = await outputPipe(needed('mkfifo')).catch((error: unknown) => {
    throw sandboxFailed(`no pipe can be made: ${error instanceof Error ? error.message : String(error)}`)
  })
  const held: number[] = []
  try {
    const folders = roots.map((root): MountedFolder => {
      const { virtual, writable, host } = root
      // There may be hundreds of skills, and each descriptor is one of few.
      if (root.anchor === undefined) return { virtual, writable, from: host }
      held.push(heldDescriptor(root))
      return { virtual, writable, from: foldersAt + held.length - 1 }
    })
    const filter = systemCallFilter()
    const plan = [
      ...sandboxPlan(
        settings,
        mountOrder(folders),
        madeFiles.map((_, index) => filesAt + index),
      ),
      ...['--json-status-fd', String(statusAt)],
      ...(filter === undefined ? [] : ['--seccomp', String(filterAt)]),
    ]
    const words = firstWords(command, { ...shellHere(), limits: settings.limits })
    const child = started(bubblewrap, words, [pipe.writer, ...held])
    feed(child, plan, filter)
    return await known(child, pipe)
  } catch (error) {
    pipe.reader.destroy()
    throw error
  } finally {
    pipe.closeWriter()
    for (const descriptor of held) closeSync(descriptor)
  }
}

function needed(program: string): string {
  const path = findProgram(program)
  if (path === undefined) throw sandboxFailed(`there is no ${program} on this machine`)
  return path
}

/** What is above another folder is mounted before it. */
const mountOrder = (folders: readonly MountedFolder[]): readonly MountedFolder[] =>
  [...folders].sort((a, b) => a.virtual.length - b.virtual.length)

/** The folder of a root, opened without following a link below its anchor. */
function heldDescriptor(root: VirtualRoot): number {
  const folder = holdFolder(root, [])
  try {
    return openSync(folder.path, constants.O_RDONLY | constants.O_DIRECTORY)
  } finally {
    folder.close()
  }
}

/** The shell as it is seen inside, where folders of the system are those of this machine. */
function shellHere(): { readonly shell: string; readonly isBash: boolean } {
  const bash = findProgram('bash', ['/usr/bin', '/bin'])
  return { shell: bash ?? '/bin/sh', isBash: bash !== undefined }
}

/** Bubblewrap gets no variable and no argument that tells of this machine: the command can read both. */
function started(bubblewrap: string, words: readonly string[], [output, ...folders]: readonly number[]): ChildProcess {
  const files = madeFiles.map(() => 'pipe' as const)
  try {
    return spawn(bubblewrap, ['--args', String(optionsAt), '--', ...words], {
      cwd: '/',
      env: {},
      stdio: ['pipe', output, 'pipe', 'pipe', 'pipe', 'pipe', ...files, ...folders],
      detached: true,
    })
  } catch (error) {
    throw sandboxFailed(error instanceof Error ? error.message : String(error))
  }
}

function feed(child: ChildProcess, plan: readonly string[], filter: Buffer = Buffer.alloc(0)): void {
  const write = (at: number, text: string | Buffer): void => {
    const stream = child.stdio[at] as Writable | null | undefined
    // Who is gone does not read; its exit tells more than the broken pipe.
    stream?.on('error', () => {})
    stream?.end(text)
  }
  write(optionsAt, plan.map((word) => `${word}\0`).join(''))
  write(filterAt, filter)
  for (const [index, { text }] of madeFiles.entries()) write(filesAt + index, text)
  child.stdin?.on('error', () => {})
}

const wordsMax = 4096
/** Starting takes some thirty milliseconds; a machine that is out of everything takes seconds. */
const startMsMax = 20_000

/** Resolves when the first process is known by number: bubblewrap says so when it ends with us. */
function known(child: ChildProcess, { reader }: OutputPipe): Promise<Sandbox> {
  const status = child.stdio[statusAt] as Readable
  let complaint = ''
  let told = ''
  let first: FirstProcess | undefined
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString('utf8')}`.slice(0, wordsMax)
  })
  status.on('error', () => {})
  const kill = (): void => {
    if (first !== undefined) killFirst(first)
    child.kill('SIGKILL')
  }
  const left = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      complaint = error.message
      resolve()
    })
  })
  const said = (): string => printable(complaint.trim().split('\n').at(-1) ?? '', 300)

  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      kill()
      reject(sandboxFailed(`it did not begin within ${startMsMax / 1000} seconds`))
    }, startMsMax)
    void left.then(() => {
      clearTimeout(late)
      reject(sandboxFailed(said() === '' ? 'bubblewrap ended without a word' : said()))
    })
    status.on('data', (chunk: Buffer) => {
      told = `${told}${chunk.toString('latin1')}`.slice(0, wordsMax)
      const pid = /"child-pid": (\d+)/.exec(told)?.[1]
      if (pid === undefined || first !== undefined) return
      first = firstProcess(Number(pid))
      if (first === undefined) return
      clearTimeout(late)
      const one = first
      const over = left.then(async () => {
        await firstGone(one)
        const code = /"exit-code": (\d+)/.exec(told)?.[1]
        return code === undefined ? undefined : Number(code)
      })
      resolve({ first, output: reader, go: () => child.stdin?.end(goWord), kill, over, complaint: said })
    })
  })
}
