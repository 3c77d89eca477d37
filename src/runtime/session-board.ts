// The sessions of a running program, for `toolgate servers` in another terminal: one small file in the state folder,
// written on each change, removed at the end. A file whose writer is gone is removed by whoever finds it.
//
//   <state>/running/<process id>-<random>.json

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionState } from '../sessions/pool/pool.ts'

const schema = 'toolgate.running/1'
const folderName = 'running'
const writeDelayMs = 100

export interface RunningProgram {
  readonly pid: number
  /** ISO 8601. */
  readonly startedAt: string
  /** What it is, such as `serve`. */
  readonly program: string
  readonly sessions: readonly SessionState[]
}

export interface SessionBoard {
  /** Something changed; it is written soon. */
  readonly changed: () => void
  /** Removes the file. */
  readonly close: () => Promise<void>
}

export interface BoardInput {
  readonly stateFolder: string
  readonly program: string
  readonly sessions: () => readonly SessionState[]
  /** Takes secrets out of a text: servers print their surroundings when they fail. */
  readonly redacted: (text: string) => string
}

/** Sessions as people may see them. */
export const shownSessions = (
  sessions: readonly SessionState[],
  redacted: (text: string) => string,
): readonly SessionState[] =>
  sessions.map((session) =>
    session.lastError === undefined ? session : { ...session, lastError: redacted(session.lastError) },
  )

/** A board that cannot be written costs nothing: it is a convenience for people. */
export function sessionBoard({ stateFolder, program, sessions, redacted }: BoardInput): SessionBoard {
  const folder = join(stateFolder, folderName)
  // One process may keep several configurations in service.
  const path = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}.json`)
  const startedAt = new Date().toISOString()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let writing = Promise.resolve()

  const write = async () => {
    const board = { schema, pid: process.pid, startedAt, program, sessions: shownSessions(sessions(), redacted) }
    const temporary = `${path}.tmp`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(temporary, JSON.stringify(board), { mode: 0o600 })
    await rename(temporary, path)
  }
  return {
    changed: () => {
      if (closed || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        writing = writing.then(write).catch(() => {})
      }, writeDelayMs)
      timer.unref()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await writing
      await rm(path, { force: true }).catch(() => {})
    },
  }
}

/** Every program that runs with this state folder, oldest first. What cannot be read is passed over. */
export async function runningPrograms(stateFolder: string): Promise<readonly RunningProgram[]> {
  const folder = join(stateFolder, folderName)
  const names = await readdir(folder).catch(() => [])
  const found: RunningProgram[] = []
  for (const name of names) {
    const pid = Number(/^(\d+)-[0-9a-f]{8}\.json$/.exec(name)?.[1])
    if (!Number.isInteger(pid)) continue
    if (!lives(pid)) await rm(join(folder, name), { force: true }).catch(() => {})
    else found.push(...(await read(join(folder, name), pid)))
  }
  return found.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

async function read(path: string, pid: number): Promise<readonly RunningProgram[]> {
  try {
    const board = JSON.parse(await readFile(path, 'utf8')) as RunningProgram & { readonly schema?: unknown }
    const { schema: form, sessions, program, startedAt } = board
    const sound = form === schema && board.pid === pid && isText(program) && isText(startedAt)
    if (!sound || !Array.isArray(sessions) || !sessions.every(isSession)) return []
    return [board]
  } catch {
    return []
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The state folder may have come with a repository: what is shown from it must have the form of what we write. */
function isSession(value: unknown): value is SessionState {
  if (value === null || typeof value !== 'object') return false
  const { server, phase, since, owner, pid, busy, starts, lastError } = value as { readonly [key: string]: unknown }
  const { user, thread } = (owner ?? {}) as { readonly [key: string]: unknown }
  const counts = [pid, busy, starts].every((count) => count === undefined || Number.isInteger(count))
  return counts && [server, phase, since, user, thread].every(isText) && (lastError === undefined || isText(lastError))
}

/** Another user's process answers with EPERM, and lives. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
