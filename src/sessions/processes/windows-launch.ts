// On Windows `npx` and its like are batch files, which only the command interpreter can run, and Node refuses to
// start them otherwise. A program is looked up the way Windows does it; a batch file is handed to the interpreter
// with every argument quoted twice: once for the program, once against the interpreter's own signs.

import { statSync } from 'node:fs'
import { win32 } from 'node:path'

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** The arguments are one ready command line, to be passed on as it is. */
  readonly verbatim: boolean
}

type Environment = { readonly [name: string]: string | undefined }
type IsFile = (path: string) => boolean

const isFileOnDisk: IsFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** How a program is started on Windows. A program that is not found is passed on, so that starting it says so. */
export function windowsLaunch(
  command: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Environment; readonly isFile?: IsFile },
): Launch {
  const { cwd, env, isFile = isFileOnDisk } = place
  const found = lookUp(command, cwd, env, isFile)
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) return { command: found ?? command, args, verbatim: false }
  const line = [escaped(win32.normalize(found)), ...args.map((arg) => escaped(escaped(quoted(arg))))].join(' ')
  return { command: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

function lookUp(command: string, cwd: string, env: Environment, isFile: IsFile): string | undefined {
  const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '')
  const folders = /[\\/]/.test(command)
    ? [cwd]
    : (variable(env, 'PATH') ?? '').split(';').filter((folder) => folder !== '')
  const named = win32.extname(command) !== ''
  for (const folder of folders) {
    const path = win32.resolve(folder, command)
    if (named && isFile(path)) return path
    const ending = endings.find((candidate) => isFile(path + candidate))
    if (ending !== undefined) return path + ending
  }
  return undefined
}

/** Names of variables have no letter case on Windows. */
const variable = (env: Environment, name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]

/** One argument as the C runtime of a program reads it: in quotes, with the backslashes before a quote doubled. */
function quoted(arg: string): string {
  let result = '"'
  let backslashes = 0
  for (const char of arg) {
    if (char === '\\') backslashes += 1
    else {
      result += '\\'.repeat(char === '"' ? backslashes * 2 + 1 : backslashes) + char
      backslashes = 0
    }
  }
  return `${result}${'\\'.repeat(backslashes * 2)}"`
}

/** The interpreter's signs lose their meaning behind a caret. Twice for a batch file, which reads its arguments again. */
const escaped = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&')
