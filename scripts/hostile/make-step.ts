import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'

/** One step of a case, with host paths. */
export interface Step {
  readonly op: string
  readonly at: string
  readonly to?: string
  readonly text?: string
  /** Octal. */
  readonly mode?: string
}

/** Makes it, and gives what takes back whatever outlives its files. */
export async function makeStep(step: Step): Promise<() => Promise<void> | void> {
  const make = Object.hasOwn(steps, step.op) ? steps[step.op] : undefined
  if (make === undefined) throw new Error(`the runner knows no step "${step.op}"`)
  mkdirSync(dirname(step.at), { recursive: true })
  const undo = await make(step)
  if (step.mode !== undefined) chmodSync(step.at, Number.parseInt(step.mode, 8))
  return undo ?? (() => {})
}

const steps: { readonly [op: string]: (step: Step) => Promise<() => Promise<void>> | void } = {
  file: ({ at, text = '' }) => writeFileSync(at, text),
  dir: ({ at }) => void mkdirSync(at, { recursive: true }),
  symlink: ({ at, to = '' }) => symlinkSync(to, at),
  hardlink: ({ at, to = '' }) => linkSync(to, at),
  fifo: ({ at }) => void execFileSync('mkfifo', [at]),
  socket: async ({ at }) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at, resolve))
    return () => new Promise((resolve) => server.close(() => resolve()))
  },
  'replace-dir-with-symlink': ({ at, to = '' }) => {
    renameSync(at, `${at}.away`)
    symlinkSync(to, at)
  },
  // The act fills the disk itself, in a place that only its own process sees.
  'tmpfs-full': () => {},
}
