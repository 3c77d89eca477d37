// The file of records: JSON lines in the state folder, only ever appended to, and of bounded size. Calls do not wait
// for it: a record is taken at once and written soon, and what cannot be written is tried again with the next one.
//
//   <state>/calls.jsonl      the youngest
//   <state>/calls.1.jsonl …  older ones; the oldest is removed
//
// INVARIANT: `add` neither waits nor throws.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { callLine } from '../../report/call-record.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import type { CallEntry } from './call-entry.ts'

export interface CallLogLimits {
  /** Bytes after which another file is begun. */
  readonly fileBytes: number
  /** Files, the youngest included; at least 2. */
  readonly files: number
  /** Records that wait to be written; of more, the oldest are lost. */
  readonly waiting: number
}

export interface CallLogInput {
  /** Absolute; made when something is first written. */
  readonly folder: string
  /** Told once when the file cannot be written, and again only after it could be. */
  readonly tell: (line: string) => void
  /** Absent: 8 MiB, 4 files, 10,000 records. */
  readonly limits?: CallLogLimits
  /** Absent: the clock of the system. */
  readonly now?: () => Date
  /** Milliseconds after a write in which nothing is written, so that what comes meanwhile goes together. Absent: 20. */
  readonly restMs?: number
  /** Absent: made of the number of the process and chance. */
  readonly writer?: string
}

export interface CallLog {
  readonly add: (owner: ThreadOwner, entry: CallEntry) => void
  /** Resolves when everything that can be written is. Never rejects. */
  readonly close: () => Promise<void>
}

const usualLimits: CallLogLimits = { fileBytes: 8 * 1024 * 1024, files: 4, waiting: 10_000 }

export function callLog(input: CallLogInput): CallLog {
  const { folder, tell, limits = usualLimits, now = () => new Date(), restMs = 20 } = input
  const writer = input.writer ?? `${process.pid}-${randomBytes(4).toString('hex')}`
  let seq = 0
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  let hasFailed = false
  let isClosing = false
  let endRest = () => {}
  // A write opens and closes the file, which costs as much as the rest of a call.
  const rest = async (): Promise<void> => {
    if (isClosing) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs)
      endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting
      waiting = []
      try {
        // What failed before may have left half a line.
        await append(folder, `${hasFailed ? '\n' : ''}${lines.join('\n')}\n`, limits)
        hasFailed = false
        await rest()
      } catch (error) {
        waiting = [...lines, ...waiting].slice(-limits.waiting)
        if (!hasFailed) tell(`calls are not recorded: ${error instanceof Error ? error.message : String(error)}`)
        hasFailed = true
        return
      }
    }
  }
  const start = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }
  return {
    add: ({ user, thread }, entry) => {
      seq += 1
      const at = new Date(now().getTime() - entry.ms).toISOString()
      waiting.push(callLine({ seq, writer, at, user, thread, ...entry }))
      if (waiting.length > limits.waiting) waiting.shift()
      void start()
    },
    close: async () => {
      isClosing = true
      endRest()
      await writing
      await start()
    },
  }
}

const nameOf = (age: number): string => (age === 0 ? 'calls.jsonl' : `calls.${age}.jsonl`)

async function append(folder: string, text: string, limits: CallLogLimits): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, nameOf(0))
  let file = await opened(path)
  try {
    const { size, ino } = await file.stat()
    if (size > 0 && size + Buffer.byteLength(text) > limits.fileBytes) {
      await file.close()
      await rotate(folder, ino, limits.files)
      file = await opened(path)
    }
    const bytes = Buffer.from(text)
    // As a rule one write, so that the lines of several programs do not mix.
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
  } finally {
    await file.close()
  }
}

/** For appending, whoever else does so. A link, a pipe or a device is no such file. */
async function opened(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('the file of calls is no regular file')
}

/** Everything becomes one older. Not where another program has just done so: the file at the place is another then. */
async function rotate(folder: string, ino: number, files: number): Promise<void> {
  if ((await lstat(join(folder, nameOf(0)))).ino !== ino) return
  for (let age = files - 2; age >= 0; age -= 1) {
    try {
      await rename(join(folder, nameOf(age)), join(folder, nameOf(age + 1)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
