// The first process of a namespace, seen from outside: who ends it ends all that run in it, sessions of their own and
// daemons as well, for the kernel lets none of them live longer. It counts as ended when the last of them has.

import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FirstProcess {
  readonly pid: number
  /** Together with the pid it names one process and never another. */
  readonly start: string
}

/** Undefined when there is none of that number any more. */
export function firstProcess(pid: number): FirstProcess | undefined {
  const start = startOf(pid)
  return start === undefined ? undefined : { pid, start }
}

const runs = ({ pid, start }: FirstProcess): boolean => startOf(pid) === start

export function killFirst(first: FirstProcess): void {
  if (!runs(first)) return
  try {
    process.kill(first.pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const pauseMs = 3

/** Resolves when nothing runs in its namespace. */
export async function firstGone(first: FirstProcess): Promise<void> {
  while (runs(first)) await sleep(pauseMs)
}

/** What all processes of a namespace use together. */
export interface TreeUse {
  /** Processes and threads. */
  readonly tasks: number
  /** Memory that is theirs alone, and shared memory that they have mapped; pages that several map count for each. */
  readonly memoryBytes: number
}

/** Looks at a process and all below it; stops counting where there are more tasks than `tasksMax`. */
export function treeUse({ pid }: FirstProcess, tasksMax: number): TreeUse {
  let tasks = 0
  let memoryBytes = 0
  const open = [pid]
  for (let next = open.pop(); next !== undefined && tasks <= tasksMax; next = open.pop()) {
    memoryBytes += memoryOf(next)
    for (const task of tasksOf(next)) {
      tasks += 1
      // A child belongs to the thread that started it. Who loses its parent becomes a child of the first process.
      const children = read(`/proc/${next}/task/${task}/children`).split(' ').filter(isNumber)
      if (tasks + children.length > tasksMax) return { tasks: tasks + children.length, memoryBytes }
      open.push(...children.map(Number))
    }
  }
  return { tasks, memoryBytes }
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function memoryOf(pid: number): number {
  let bytes = 0
  for (const [, kibibytes] of read(`/proc/${pid}/status`).matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm))
    bytes += Number(kibibytes) * 1024
  return bytes
}

/** Fields of proc(5) behind the name, which may hold blanks: state 3, start 22. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === undefined || state === '' || /[ZXx]/.test(state) ? undefined : fields[18]
}

const buffer = Buffer.alloc(64 * 1024)

/** These files wait for nobody. Empty: the process has ended. */
function read(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      return buffer.toString('latin1', 0, readSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
