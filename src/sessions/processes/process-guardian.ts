// What ends the servers when we are killed without a last word: one small shell beside us that is told whom to end,
// and learns of our end because the pipe to it closes. It starts with the first server and leaves with the last one.
// There is none on Windows and where /bin/sh is missing; closed input ends most servers there.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A group, named by its leader, or what bears a mark. */
export type Charge = { readonly group: number } | { readonly marker: string }

/**
 * Lines in: `+ 123` and `- 123` for a group, `+ mXY` and `- mXY` for a mark. At the end of the input whatever was not
 * taken back is told to end and, a second later, killed. Marks are looked for where there is a /proc and a grep.
 * Plain POSIX, and only what dash, busybox and the shell of macOS agree on: `kill -TERM -123` is such, `--` is not.
 */
export const guardianScript = `# Ends the servers of a Toolgate process once that is gone.
trap '' INT TERM HUP QUIT
all=' '
while read -r sign one; do
  case $sign in
    +) all="$all$one " ;;
    -) case $all in *" $one "*) all="\${all%%" $one "*} \${all#*" $one "}" ;; esac ;;
  esac
done
groups= marks=
for one in $all; do
  case $one in m*) marks="$marks -e \${one#m}" ;; *) groups="$groups -$one" ;; esac
done
[ -n "$groups$marks" ] || exit 0
groups() { found=1; for one in $groups; do kill "-$1" "$one" && found=0; done; return $found; }
marked() { grep -lsF $marks /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do kill "-$1" "$pid"; done; }
pause() { sleep "$1" || sleep 1; }
groups TERM
for turn in 1 2 3 4 5 6 7 8 9 10; do groups 0 || break; pause 0.1; done
groups KILL
if [ -n "$marks" ]; then marked TERM; pause 0.5; marked KILL; pause 0.2; marked KILL; fi
`

const charges = new Set<string>()
let guardian: ChildProcess | undefined

/** From now on this is ended when we are killed. Resolves when the guardian will know of it, whatever happens to us. */
export function entrust(charge: Charge): Promise<void> {
  const word = wordOf(charge)
  charges.add(word)
  if (guardian !== undefined) return tell(guardian, `+ ${word}\n`)
  guardian = begin()
  return guardian === undefined ? Promise.resolve() : tell(guardian, everything())
}

/** It has ended. For the last one the guardian leaves, and the promise resolves when it has. */
export async function relieve(charge: Charge): Promise<void> {
  const word = wordOf(charge)
  if (!charges.delete(word) || guardian === undefined) return
  if (charges.size > 0) return tell(guardian, `- ${word}\n`)
  const leaving = guardian
  guardian = undefined
  const left = once(leaving, 'exit').catch(() => {})
  leaving.ref()
  leaving.stdin?.end(`- ${word}\n`)
  const patience = new AbortController()
  await Promise.race([left, sleep(answerMs, undefined, patience).catch(() => {})])
  patience.abort()
  leaving.unref()
}

const wordOf = (charge: Charge): string => ('group' in charge ? String(charge.group) : `m${charge.marker}`)
const everything = (): string => [...charges].map((word) => `+ ${word}\n`).join('')

/** A guardian that somebody has stopped must not hold up a server. */
const answerMs = 1000
/** One that ends sooner is not begun again by itself. */
const lifeMsMin = 1000

function begin(): ChildProcess | undefined {
  if (process.platform === 'win32' || !existsSync('/bin/sh')) return undefined
  const startedAt = performance.now()
  try {
    const child = spawn('/bin/sh', ['-c', guardianScript, 'toolgate-guardian', String(process.pid)], {
      // A session of its own, so that no signal of a terminal reaches it; nothing of ours, so that it bears no mark
      // of an outer Toolgate and holds no folder.
      detached: true,
      cwd: '/',
      env: { PATH: `${process.env.PATH ?? ''}:/usr/bin:/bin`, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const over = () => {
      if (guardian !== child) return
      guardian = charges.size > 0 && performance.now() - startedAt > lifeMsMin ? begin() : undefined
      if (guardian !== undefined) void tell(guardian, everything())
    }
    child.on('error', over)
    child.on('exit', over)
    child.stdin.on('error', () => {})
    child.unref()
    // It waits for us, we do not wait for it.
    const pipe: Writable & Partial<Pick<Socket, 'unref'>> = child.stdin
    pipe.unref?.()
    return child
  } catch {
    return undefined
  }
}

function tell({ stdin }: ChildProcess, lines: string): Promise<void> {
  return new Promise((resolve) => {
    if (stdin?.writable !== true) return resolve()
    const patience = setTimeout(resolve, answerMs)
    stdin.write(lines, () => {
      clearTimeout(patience)
      resolve()
    })
  })
}
