// A pipe for the output of a command. Node gives its children sockets, and a socket cannot be opened by name:
// `echo problem > /dev/stderr` and `tee /dev/stdout` would fail. So it is a pipe with a name, which is gone again before
// anything is started.

import { execFile } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

export interface OutputPipe {
  readonly reader: Readable
  /** For the child; to be closed by `closeWriter` once it has been started. */
  readonly writer: number
  readonly closeWriter: () => void
}

const run = promisify(execFile)

/** Throws an Error of the system when none can be made. `program` is the host's mkfifo. */
export async function outputPipe(program: string): Promise<OutputPipe> {
  const folder = ownFolder()
  const name = join(folder, 'output')
  try {
    await run(program, ['-m', '600', name], { env: {} })
    // Without waiting for the other end, which only then can be opened without waiting too.
    const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
    const reader = new Socket({ fd: reading, readable: true, writable: false })
    const writer = openSync(name, constants.O_WRONLY)
    return { reader, writer, closeWriter: () => closeSync(writer) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The command can read the name of its output: where it can be had, one that tells nothing of this machine. */
function ownFolder(): string {
  try {
    return mkdtempSync('/tmp/pipe-')
  } catch {
    return mkdtempSync(join(tmpdir(), 'pipe-'))
  }
}
