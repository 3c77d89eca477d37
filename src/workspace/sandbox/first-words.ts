// What runs first in a sandbox: a few lines of shell that wait for the word to go, close what was inherited, set the
// limits, and become the command.
//
// The word: until it comes nothing of the command runs, and it is said only when the first process is known by number
// and ends with us. If we are gone by then, the input ends and so does the sandbox.

import type { ShellLimits } from './shell.ts'

/** The word to go, as it is written to the standard input. */
export const goWord = 'go\n'

/** Options of bash by which it reads no file of its own when it starts. */
export const noFiles = ['--noprofile', '--norc'] as const

/** Descriptors of one process; what most systems give. */
const filesMax = 1024
const kibibyte = 1024

// Descriptors without "close on exec" come from whoever started us. Shells other than bash can name only the first ten.
// What goes wrong here is told on standard error, which the command never gets.
const script = `fail() { echo "$1" >&2; exit 125; }
IFS= read -r word && [ "$word" = go ] || fail 'nobody waits for it'
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -gt 2 ] || continue
  case "$1$fd" in bash*|sh?) eval "exec $fd>&-" 2>/dev/null ;; *) [ ! -e "/proc/self/fd/$fd" ] || fail 'a file is open' ;; esac
done
ulimit -c 0 && ulimit -n ${filesMax} && ulimit -d "$2" && ulimit -f "$3" || fail 'a limit cannot be set'
case $1 in bash) ulimit -u "$4" ;; *) ulimit -p "$4" ;; esac || fail 'a limit cannot be set'
exec "$5" -c "$6" "$1" </dev/null 2>&1`

/**
 * The program and its arguments for a command. `shell` is a path inside the sandbox, `isBash` what it is. The limit of
 * memory counts what a process may write to, not what it has set aside: Node and Java set aside hundreds of gigabytes.
 */
export function firstWords(
  command: string,
  { shell, isBash, limits }: { readonly shell: string; readonly isBash: boolean; readonly limits: ShellLimits },
): readonly string[] {
  const memory = Math.floor(limits.memoryBytes / kibibyte)
  // Blocks of a file are of 1,024 bytes to bash and of 512 to POSIX.
  const file = Math.floor(limits.fileBytes / (isBash ? kibibyte : kibibyte / 2))
  const words = [isBash ? 'bash' : 'sh', memory, file, limits.processes, shell, command]
  // Bash reads ~/.bashrc where its input is a socket, as that of the first words is; there it is the agent's to write.
  return [shell, ...(isBash ? noFiles : []), '-c', script, 'sandbox', ...words.map(String)]
}
