// The command line as people use it: a process of its own, with its streams and its exit code.

import { spawn } from 'node:child_process'
import { ensureBuilt, mainFile, root } from './built.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Absent: the repository. */
  readonly cwd?: string
  /** Laid over the environment of the tests, from which everything about colours and widths is taken first. */
  readonly env?: { readonly [name: string]: string | undefined }
  /** After this the process is killed and the promise rejects. Absent: 30 s. */
  readonly timeoutMs?: number
}

const timeoutMsDefault = 30_000
const aboutTerminals = ['NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'TERM', 'CI', 'NODE_OPTIONS']

/** Runs `toolgate` with the words. */
export function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  ensureBuilt()
  return runProgram(process.execPath, [mainFile, ...words], options)
}

/** Runs any program to its end. Rejects when it cannot be started or takes too long. */
export function runProgram(program: string, words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = root, env = {}, timeoutMs = timeoutMsDefault } = options
  const base = Object.fromEntries(Object.entries(process.env).filter(([name]) => !aboutTerminals.includes(name)))
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env: { ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${words.join(' ')} did not end within ${timeoutMs} ms`))
    }, timeoutMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') })
    })
  })
}
