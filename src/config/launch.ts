// How a local program is started: command, arguments, environment, folder. The same for stdio servers and ACP agents.

import { isAbsolute, resolve, win32 } from 'node:path'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { commandFault } from './command-fault.ts'
import { envFault } from './env-fault.ts'
import { holdsVariable, publicVariables } from './expand.ts'
import { expanded } from './expand-part.ts'
import type { Intake } from './intake.ts'
import { originIn, type Part, remark } from './part.ts'
import { placeAt } from './place.ts'
import { soundsSecret } from './secret-words.ts'

export interface LaunchData {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
}

export interface Launch {
  readonly command?: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/**
 * Expands and judges. With `live` false (switched off, or not approved) no variable is read: the program is not
 * started, and it must not cost anything that its variables are unset. Findings: `config-variable`, `env-forbidden`,
 * `command-shell-line`, `invalid-name`, `config-range`, `config-backslash`.
 */
export function launchOf(part: Part, given: LaunchData, intake: Intake, live: boolean, findings: Finding[]): Launch {
  const put = <T extends Json | undefined>(value: T, key: string): T =>
    live ? expanded(value, [key], part, intake, findings) : value
  const before = findings.length
  const command = put(given.command, 'command')
  const readable = live ? findings.length === before : !holdsVariable(command ?? '')
  if (command !== undefined && readable) judgeCommand(part, command, intake, findings)
  const args = put(given.args, 'args') ?? []
  judgeArgs(part, args, intake, live, findings)
  const env = put(given.env, 'env') ?? {}
  judgeEnv(part, env, intake, live, findings)
  const cwd = put(given.cwd, 'cwd')
  if (cwd !== undefined && controls.test(cwd)) {
    findings.push(remark(part, 'config-range', `"${keyOf(part, 'cwd')}" holds a control character`, { path: ['cwd'] }))
  }
  return {
    ...(command === undefined ? {} : { command: located(command, folderAt(part, 'command', intake)) }),
    args,
    env: nameless(env),
    ...(cwd === undefined ? {} : { cwd: resolve(folderAt(part, 'cwd', intake), cwd) }),
  }
}

const keyOf = (part: Part, key: string, index?: number | string): string =>
  originIn(part, index === undefined ? [key] : [key, index]).key ?? key

const folderAt = (part: Part, key: string, intake: Intake): string => intake.folderOf(placeAt(part.place, [key]).file)

function judgeCommand(part: Part, command: string, intake: Intake, findings: Finding[]) {
  const folder = folderAt(part, 'command', intake)
  const fault = commandFault(command, (path) => intake.isFile(resolve(folder, path)))
  if (fault === undefined) return
  const hint = 'put the program into command and each word after it into args'
  findings.push(
    remark(part, 'command-shell-line', `"${keyOf(part, 'command')}": ${fault}`, { path: ['command'], hint }),
  )
}

/** A path with separators starts at the file's folder; a bare name is looked up by the system. */
function located(command: string, folder: string): string {
  const isPath = command.includes('/') || command.includes('\\')
  return isPath && !isAbsolute(command) && !win32.isAbsolute(command) ? resolve(folder, command) : command
}

function judgeArgs(part: Part, args: readonly string[], intake: Intake, live: boolean, findings: Finding[]) {
  for (const [index, arg] of args.entries()) {
    const path = ['args', index]
    if (arg.includes('\u0000')) {
      findings.push(remark(part, 'config-range', `"${keyOf(part, 'args', index)}" holds a NUL character`, { path }))
    } else if (escaped.test(arg)) {
      const message = `"${keyOf(part, 'args', index)}" holds a control character, as single backslashes in quotes give`
      findings.push(
        remark(part, 'config-backslash', message, { path, severity: 'warning', hint: 'write \\\\ for a backslash' }),
      )
    }
    const secret = secretArg(arg, args[index - 1])
    if (secret !== undefined && (live || !holdsVariable(secret))) intake.secret(secret)
  }
}

function judgeEnv(
  part: Part,
  env: Readonly<Record<string, string>>,
  intake: Intake,
  live: boolean,
  findings: Finding[],
) {
  for (const [name, value] of Object.entries(env)) {
    const path = ['env', name]
    const key = keyOf(part, 'env', name)
    const loads = envFault(name)
    if (loads !== undefined) {
      const message = `"${key}" is refused: ${loads}`
      findings.push(
        remark(part, 'env-forbidden', message, {
          path,
          hint: 'start the server with a program of your own if you need it',
        }),
      )
    } else if (!variableName.test(name)) {
      findings.push(
        remark(part, 'invalid-name', `"${printable(key, 100)}" is no name of an environment variable`, { path }),
      )
    }
    if (value.includes('\u0000')) {
      findings.push(remark(part, 'config-range', `"${key}" holds a NUL character`, { path }))
    }
    if (!publicVariables.has(name) && (live || !holdsVariable(value))) intake.secret(value)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const controls = /[\u0000-\u001f\u007f]/
/** What `\b`, `\f`, `\v`, `\r` and a lone `\t` of an unescaped Windows path become. A line break is often meant. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const escaped = /[\u0001-\u0008\u000b-\u001f]|^[^\n]*\t[^\n]*$/
const variableName = /^[A-Za-z_][A-Za-z0-9_().-]*$/

/** The value of an option whose name says that it is a secret: `--token=…` or `--token` and the next argument. */
function secretArg(arg: string, before: string | undefined): string | undefined {
  const equals = arg.indexOf('=')
  if (equals > 0 && soundsSecret(arg.slice(0, equals))) return arg.slice(equals + 1)
  return before?.startsWith('-') === true && !before.includes('=') && soundsSecret(before) ? arg : undefined
}

/** Names of variables come from a file: no prototype, so that none is found which is not there. */
const nameless = (env: Readonly<Record<string, string>>): { readonly [name: string]: string } =>
  Object.assign(Object.create(null), env)
