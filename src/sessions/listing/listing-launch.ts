// What would be started, as far as the disk and the configuration can tell: a listing of another program, script,
// settings file or variable is not served. What a program loads by itself (the modules of a script, a package that
// `npx` fetches) is not seen here; a listing therefore has an age as well.

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import type { McpServerConfig } from '../../config/config.ts'
import { canonicalJson } from '../../core/json.ts'

export interface LaunchStamp {
  /** SHA-256 over the folder and the size and times of the files that the command line names. */
  readonly files: string
  /** Random, so that equal values in two stores do not look equal. */
  readonly salt: string
  /**
   * 16 bits over the values of variables and headers: enough to see nearly every change, and too few to find a token
   * by trying, for thousands of guesses out of any list fit as well.
   */
  readonly values: string
}

export interface LaunchPlace {
  /** Where servers start that name no folder. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/** The stamp of what would be started now; with the salt of another stamp the two can be compared. Never rejects. */
export async function launchStamp(
  server: McpServerConfig,
  place: LaunchPlace,
  salt: string = randomBytes(8).toString('hex'),
): Promise<LaunchStamp> {
  const cwd = server.cwd ?? place.folder
  const files = server.transport === 'stdio' ? await filesOf(server, cwd, place.environment) : []
  const { env, headers } = server
  return {
    files: createHash('sha256').update(canonicalJson({ cwd, files })).digest('hex'),
    salt,
    values: createHmac('sha256', salt).update(canonicalJson({ env, headers })).digest('hex').slice(0, 4),
  }
}

/** True when both were made with one salt and nothing changed between them. */
export const isSameLaunch = (one: LaunchStamp, other: LaunchStamp): boolean =>
  one.salt === other.salt && one.files === other.files && one.values === other.values

async function filesOf(
  server: McpServerConfig,
  cwd: string,
  environment: LaunchPlace['environment'],
): Promise<readonly string[]> {
  const { command = '', args, env } = server
  // What its entry sets beats what it inherits.
  const setting = (name: string): string | undefined => variable(env, name) ?? variable(environment, name)
  const named = [...new Set(args.flatMap(pathsIn))].map((path) => resolve(cwd, path))
  const [program, ...rest] = await Promise.all([
    programOf(command, cwd, setting),
    ...named.map((path) => regularFile(path)),
  ])
  return [program ?? `no program ${command}`, ...rest.filter((file) => file !== undefined)]
}

/** The texts in an argument that may be the path of a file: all of it, what follows `=`, what follows a leading `@`. */
function pathsIn(arg: string): readonly string[] {
  const equals = arg.indexOf('=')
  const texts = [arg, ...(equals > 0 ? [arg.slice(equals + 1)] : []), ...(arg.startsWith('@') ? [arg.slice(1)] : [])]
  return texts.filter((text) => text !== '' && text.length <= pathMax && !text.includes('\0'))
}

/** The longest path that systems take; a whole document in an argument is none. */
const pathMax = 4096

/** The file that the command means: a path, or the first of that name in the folders of PATH. */
async function programOf(
  command: string,
  cwd: string,
  setting: (name: string) => string | undefined,
): Promise<string | undefined> {
  const endings = windows ? ['', ...(setting('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';')] : ['']
  const isPath = command.includes('/') || (windows && command.includes('\\'))
  const folders = isPath ? ['.'] : (setting('PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const folder of folders) {
    for (const ending of endings) {
      const file = await regularFile(resolve(cwd, folder, command + ending), !windows)
      if (file !== undefined) return file
    }
  }
  return undefined
}

const windows = process.platform === 'win32'

/** Names of variables have no letter case on Windows. */
const variable = (env: { readonly [name: string]: string | undefined }, name: string): string | undefined =>
  env[name] ?? (windows ? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] : undefined)

/**
 * Path, size and times of a file; `undefined` for what is none. Compared for equality, so a file that was put back
 * from an older copy counts as changed. The time of change counts beside the time of writing, because installers set
 * the latter to a fixed date.
 */
async function regularFile(path: string, executable = false): Promise<string | undefined> {
  try {
    const about = await stat(path, { bigint: true })
    if (!about.isFile() || (executable && (about.mode & 0o111n) === 0n)) return undefined
    return `${path} ${about.size} ${about.mtimeNs} ${about.ctimeNs}`
  } catch {
    return undefined
  }
}
