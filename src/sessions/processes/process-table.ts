// Who runs on this machine: one look at all processes. INVARIANT: a look begins after it was asked for, and those who
// ask meanwhile share the next, so that dozens of servers that end together cost a few looks and not dozens.
//
//   Linux     /proc, read by slices so that thousands of processes do not hold up the event loop
//   macOS     ps
//   Windows   none

import { execFile } from 'node:child_process'
import { close, closeSync, open, openSync, read, readSync, statSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { markerName } from './process-marker.ts'

export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Grows with time, in a unit of the system. Together with the pid it names one process and never another. */
  readonly start: number
}

/** All processes that ran at one moment. Those that have ended and were not collected by their parent are left out. */
export interface ProcessTable {
  readonly running: ReadonlyMap<number, RunningProcess>
  readonly childrenOf: (pid: number) => readonly RunningProcess[]
  /** The marks that a process bears in its environment; empty when it bears none or may not be read. */
  readonly marksOf: ReadMarks
}

let looking: Promise<ProcessTable | undefined> | undefined
let next: Promise<ProcessTable | undefined> | undefined
let restUntil = 0
/** After a look, twice its time passes before the next, and no more than this. */
const restMsMax = 20

/** A look that begins now or later. Undefined where there is none: on Windows, without /proc, at the limit of open files. */
export function processTable(): Promise<ProcessTable | undefined> {
  next ??= (looking ?? Promise.resolve(undefined)).then(async () => {
    const restMs = restUntil - performance.now()
    if (restMs > 0) await sleep(restMs)
    looking = next
    next = undefined
    const begun = performance.now()
    const table = await look()
    const ended = performance.now()
    restUntil = ended + Math.min(2 * (ended - begun), restMsMax)
    return table
  })
  return next
}

async function look(): Promise<ProcessTable | undefined> {
  try {
    if (process.platform === 'linux') return tableOf(await readProc(), marksInEnvironment)
    if (process.platform === 'win32') return undefined
    return tableOf(await askPs(), () => '')
  } catch {
    return undefined
  }
}

type ReadMarks = (process: RunningProcess) => string | Promise<string>

function tableOf(list: readonly RunningProcess[], marksIn: ReadMarks): ProcessTable {
  const running = new Map(list.map((entry) => [entry.pid, entry]))
  const marks = new Map<number, string | Promise<string>>()
  let children: Map<number, RunningProcess[]> | undefined
  for (const [pid, { start }] of unmarked) if (running.get(pid)?.start !== start) unmarked.delete(pid)
  return {
    running,
    childrenOf: (pid) => {
      children ??= byParent(list)
      return children.get(pid) ?? []
    },
    marksOf: (entry) => {
      const known = marks.get(entry.pid) ?? marksIn(entry)
      marks.set(entry.pid, known)
      return known
    },
  }
}

function byParent(list: readonly RunningProcess[]): Map<number, RunningProcess[]> {
  const result = new Map<number, RunningProcess[]>()
  for (const entry of list) {
    const siblings = result.get(entry.parent)
    if (siblings === undefined) result.set(entry.parent, [entry])
    else siblings.push(entry)
  }
  return result
}

/** Processes read before others have a turn: about a millisecond. */
const slice = 64

async function readProc(): Promise<readonly RunningProcess[]> {
  // A /proc of another namespace numbers other processes.
  if ((await readlink('/proc/self')) !== String(process.pid)) throw new Error('not our /proc')
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const result: RunningProcess[] = []
  for (const [at, name] of names.entries()) {
    if (at > 0 && at % slice === 0) await turn()
    const entry = readStat(Number(name))
    if (entry !== undefined) result.push(entry)
  }
  return result
}

/** True while this very process runs, and not another that was given its number. Where it cannot be told: while any runs. */
export function stillRuns(member: RunningProcess): boolean {
  if (process.platform !== 'linux') return exists(member.pid)
  try {
    return readStat(member.pid)?.start === member.start
  } catch {
    return true
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const stat = Buffer.alloc(1024)

/** One process out of /proc; undefined when it has ended. Reading `stat` waits for nobody. Throws when no file can be opened. */
export function readStat(pid: number): RunningProcess | undefined {
  let text: string
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r')
    try {
      text = stat.toString('latin1', 0, readSync(file, stat))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error))) return undefined
    throw error
  }
  // The name before the fields may hold blanks and parentheses. Fields of proc(5): state 3, parent 4, group 5,
  // threads 20, start 22. A first thread that has ended while others go on looks like a dead process.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (/[ZXx]/.test(fields[0] ?? '') && Number(fields[17]) <= 1) return undefined
  return { pid, parent: Number(fields[1]), group: Number(fields[2]), start: Number(fields[19]) }
}

/**
 * Those that bear no mark, which holds as long as they run. One whose environment is empty is looked at again: it may
 * be about to become another program.
 */
const unmarked = new Map<number, RunningProcess>()

function marksInEnvironment(entry: RunningProcess): string | Promise<string> {
  return unmarked.get(entry.pid)?.start === entry.start ? '' : readMarks(entry)
}

/** Read without blocking: the kernel makes the reader wait while the process changes its memory. */
async function readMarks(entry: RunningProcess): Promise<string> {
  try {
    if (!ours(entry.pid)) return ''
    const environment = await readWhole(`/proc/${entry.pid}/environ`)
    const mark = environment.split('\0').find((candidate) => candidate.startsWith(`${markerName}=`))
    if (mark === undefined && environment !== '') unmarked.set(entry.pid, entry)
    return mark?.slice(markerName.length + 1) ?? ''
  } catch {
    return ''
  }
}

const openFile = promisify(open)
const readFile = promisify(read)
const closeFile = promisify(close)
const chunkBytes = 16 * 1024

/** A third of what `readFile` of Node costs, which counts where there are hundreds. */
async function readWhole(path: string): Promise<string> {
  const file = await openFile(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let text = ''
    for (;;) {
      const { bytesRead } = await readFile(file, buffer, 0, chunkBytes, null)
      text += buffer.toString('latin1', 0, bytesRead)
      if (bytesRead < chunkBytes) return text
    }
  } finally {
    await closeFile(file)
  }
}

/** Processes of others cannot be read. To root all belong: a server may have taken another user. */
function ours(pid: number): boolean {
  const user = process.getuid?.()
  return user === 0 || statSync(`/proc/${pid}`).uid === user
}

const run = promisify(execFile)

/** The table as ps tells it. */
export async function askPs(): Promise<readonly RunningProcess[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], {
    env: { PATH: `${process.env.PATH ?? ''}:/usr/bin:/bin`, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, start] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line) ?? []
    if (pid === undefined || state === undefined || start === undefined || state.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), start: Date.parse(start) }]
  })
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
