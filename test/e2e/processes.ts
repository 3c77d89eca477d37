// Which processes run on this machine, to see that none of a test's is left.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The command lines that hold a word, once those that are about to end have had their time. Empty: nobody is left. */
export async function leftRunning(word: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (running(word).length === 0) return []
    await sleep(50)
  }
  return running(word)
}

/** The command lines that hold a word now. */
const running = (word: string): readonly string[] => commandLines().filter((line) => line.includes(word))

/** True while a process runs; one that has ended and was not collected does not. */
export function isRunning(pid: string): boolean {
  if (process.platform === 'linux') return commandLine(pid) !== ''
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

function commandLines(): readonly string[] {
  if (process.platform !== 'linux') return execFileSync('ps', ['-Ao', 'args'], { encoding: 'utf8' }).split('\n')
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => commandLine(pid))
}

/** Empty for a process that ended meanwhile. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
