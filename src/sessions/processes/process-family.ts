// All that a server is: its process, the group it leads, and what has left that group.
//
//   the group      known to the system, signalled as a whole
//   the marked     on Linux: whoever bears the session's mark in its environment, such as a daemon
//   the known      whoever was once seen below one of these: it has a parent there, or had when it was last looked at
//
// A process that has cleared its environment, left the group and lost its parent before it was ever looked at cannot
// be told from a stranger, and is left alone. INVARIANT: nobody is signalled but by its pid and start time.

import { isGuarded, releaseGroup, signalGroup } from './live-groups.ts'
import { bearsMarker } from './process-marker.ts'
import { type ProcessTable, processTable, type RunningProcess, readStat, stillRuns } from './process-table.ts'

export interface Family {
  /** Those that run now; they are known from now on. */
  readonly look: () => Promise<readonly RunningProcess[]>
  /** False when none of these runs any more; costs little. */
  readonly anyRuns: (members: readonly RunningProcess[]) => boolean
  readonly signal: (members: readonly RunningProcess[], signal: NodeJS.Signals) => void
  /** To be asked when the leader has left: notices that the group has ended, after which it is never signalled again. */
  readonly groupRuns: () => boolean
}

/** The family of a process that leads a group and bears a mark. The process must not have been collected yet. */
export function familyOf(leader: number, marker: string): Family {
  const since = startOf(leader)
  const known = new Map<number, number>()
  let over = false

  const groupRuns = (): boolean => {
    if (over) return false
    if (signalGroup(leader, 0)) return true
    over = true
    void releaseGroup(leader)
    return false
  }

  const look = async (): Promise<readonly RunningProcess[]> => {
    const grouped = groupRuns()
    const table = await processTable()
    if (table === undefined) return grouped ? [wholeGroup(leader)] : []
    const members = new Map<number, RunningProcess>()
    const others: RunningProcess[] = []
    for (const entry of table.running.values()) {
      if ((grouped && entry.group === leader) || known.get(entry.pid) === entry.start) members.set(entry.pid, entry)
      // No process can enter the group of another server from outside.
      else if (entry.start >= since && entry.pid !== process.pid && !isGuarded(entry.group)) others.push(entry)
    }
    for (const entry of await marked(others, marker, table)) members.set(entry.pid, entry)
    for (const member of members.values()) {
      for (const child of table.childrenOf(member.pid)) if (child.start >= member.start) members.set(child.pid, child)
    }
    for (const member of members.values()) known.set(member.pid, member.start)
    return [...members.values()]
  }

  const isGrouped = (member: RunningProcess): boolean => member.group === leader

  return {
    look,
    groupRuns,
    anyRuns: (members) => members.some((member) => (member.start === unknown ? groupRuns() : stillRuns(member))),
    signal: (members, signal) => {
      if (members.some(isGrouped) && groupRuns()) signalGroup(leader, signal)
      for (const member of members) if (!isGrouped(member)) signalProcess(member, signal)
    },
  }
}

const unknown = -1
/** Stands for a group whose members cannot be seen. */
const wholeGroup = (leader: number): RunningProcess => ({ pid: leader, parent: 0, group: leader, start: unknown })

/** Environments that are read at one time. */
const readersMax = 8

async function marked(
  candidates: readonly RunningProcess[],
  marker: string,
  table: ProcessTable,
): Promise<readonly RunningProcess[]> {
  const result: RunningProcess[] = []
  const rest = candidates.values()
  const read = async () => {
    for (const entry of rest) {
      const marks = table.marksOf(entry)
      if (bearsMarker(typeof marks === 'string' ? marks : await marks, marker)) result.push(entry)
    }
  }
  await Promise.all(Array.from({ length: readersMax }, read))
  return result
}

/** Time since which something of the leader can have started. */
function startOf(leader: number): number {
  try {
    return (process.platform === 'linux' ? readStat(leader)?.start : undefined) ?? 0
  } catch {
    return 0
  }
}

function signalProcess(member: RunningProcess, signal: NodeJS.Signals): void {
  if (member.pid <= 1 || member.pid === process.pid || !stillRuns(member)) return
  try {
    process.kill(member.pid, signal)
  } catch {
    // It has ended, or belongs to a user whom we may not touch.
  }
}
