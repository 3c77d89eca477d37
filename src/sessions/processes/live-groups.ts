// Every process group that is running for us. INVARIANT: when this process ends, by whatever way, no group is left.
// What lets it say a last word is seen to here; a kill that lets it say nothing, by the guardian beside us.

import { spawnSync } from 'node:child_process'
import { entrust, relieve } from './process-guardian.ts'

const groups = new Set<number>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** From now on the group of this leader ends with us. Resolves when that holds for a kill as well. */
export function guardGroup(leader: number): Promise<void> {
  if (groups.size === 0) {
    process.on('exit', killAll)
    for (const signal of signals) process.on(signal, onSignal)
  }
  groups.add(leader)
  return entrust({ group: leader })
}

/** The group has ended. To be said at once: its number may be given to others. */
export async function releaseGroup(leader: number): Promise<void> {
  if (!groups.delete(leader)) return
  if (groups.size === 0) {
    process.off('exit', killAll)
    for (const signal of signals) process.off(signal, onSignal)
  }
  await relieve({ group: leader })
}

/** True for the group of a server that runs for us. */
export const isGuarded = (leader: number): boolean => groups.has(leader)

/** Sends a signal to a whole group; false when nobody is left in it, not even one that was not collected. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return signalTree(leader, signal)
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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

/**
 * Without a listener the signal would have ended us; so it does, once the groups are gone. Others who listen decide
 * for themselves what it means, and need their servers for that; when they end us, the groups end too.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listeners(signal).some((listener) => !(own in listener))) return
  killAll()
  process.off(signal, onSignal)
  process.kill(process.pid, signal)
}

/** A second copy of this file in one process is no listener that decides. */
const own = Symbol.for('toolgate.live-groups')
Object.defineProperty(onSignal, own, { value: true })
