// Every process group that is running for us. INVARIANT: when this process ends, by whatever way lets it say a last
// word, no group is left. A kill that lets it say nothing closes the servers' standard input, which ends most.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const groups = new Set<number>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** From now on the group of this leader ends with us. */
export function guardGroup(leader: number): void {
  if (groups.size === 0) {
    process.on('exit', killAll)
    for (const signal of signals) process.on(signal, onSignal)
  }
  groups.add(leader)
}

/** The group has ended. */
export function releaseGroup(leader: number): void {
  if (!groups.delete(leader) || groups.size > 0) return
  process.off('exit', killAll)
  for (const signal of signals) process.off(signal, onSignal)
}

/** Sends a signal to a whole group; false when nobody is left in it. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return signalTree(leader, signal)
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * True while somebody of a group is running. The dead that nobody has collected yet do not count: in a container
 * whose first process collects none they would stay for ever.
 */
export function groupRuns(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    const [state, , group] = statusOf(name)
    return group === String(leader) && state !== 'Z' && state !== 'X'
  })
}

/** State, parent and group of a process; the name before them may hold blanks and parentheses. */
function statusOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3)
  } catch {
    return []
  }
}

/** Windows has no groups: the tree below a process is ended by the system's own program. */
function signalTree(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(leader, 0)
    if (signal !== 0) spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { windowsHide: true })
    return true
  } catch {
    return false
  }
}

function killAll(): void {
  for (const leader of groups) signalGroup(leader, 'SIGKILL')
}

/** Without a listener the signal would have ended us; so it does, once the groups are gone. Others who listen decide for themselves. */
function onSignal(signal: NodeJS.Signals): void {
  killAll()
  process.off(signal, onSignal)
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
}
