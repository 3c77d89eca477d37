import { wrong } from '../tool-arguments.ts'

/** Linux takes no longer argument of a program, its last byte being zero (MAX_ARG_STRLEN). */
const commandBytesMax = 128 * 1024 - 1

/** Throws a ToolgateError `arguments-invalid` when the system would not take it as a command. */
export function refuseUnlessCommand(command: string): void {
  if (command.includes('\0')) throw wrong('command', 'holds a zero byte, which no command can')
  if (Buffer.byteLength(command) > commandBytesMax)
    throw wrong('command', `is over ${commandBytesMax} bytes; write it to a file and run that`)
}
