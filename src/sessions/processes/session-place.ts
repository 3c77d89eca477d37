// Where a server of a thread starts: its folder, its variables, and its command line as it means the same in every
// folder. What a server writes by relative names belongs to the thread; its own program and settings lie beside the
// configuration. So it starts in a folder of the thread that is its own, and what its command line names beside the
// configuration is named in full.
//
//   folder        `cwd` of its entry; else its folder in the thread; else the folder of the configuration
//   arguments     with `cwd` as written; else those that name something beside the configuration in full
//   variables     a base of names, what its entry sets, and temporary files inside the workspace
//
// The choice and what it costs: docs/decisions/0008-where-a-server-starts.md.

import { statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { McpServerConfig } from '../../config/config.ts'
import { serverEnvironment } from './base-environment.ts'

export interface SessionPlace {
  /** The entry with its command line as it is started. */
  readonly server: McpServerConfig
  /** Absolute. */
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
}

/** A thread as the place of one of its servers. */
export interface ThreadPlace {
  /** The folder of this server, absolute. */
  readonly cwd: string
  /** That of temporary files. */
  readonly temp: string
  /** The text with virtual paths of the thread as paths of the host. Absent: as it is. */
  readonly hostOf?: (text: string) => string
}

export interface PlaceOptions {
  /** Absent: no thread, as for a listing. */
  readonly workspace?: ThreadPlace
  /** Folder of the configuration, absolute. */
  readonly configFolder: string
  /** The environment of this process. */
  readonly environment: { readonly [name: string]: string | undefined }
  readonly platform?: NodeJS.Platform
  /** Whether a file or a folder is there. Absent: the disk is asked. */
  readonly exists?: (path: string) => boolean
}

/** Where and how a server starts. One that is reached by a URL is left as it is. */
export function sessionPlace(entry: McpServerConfig, options: PlaceOptions): SessionPlace {
  const { workspace, configFolder, environment, platform = process.platform, exists = isThere } = options
  if (entry.transport !== 'stdio') return { server: entry, cwd: configFolder, env: {} }
  const server = onHost(entry, workspace?.hostOf)
  const env = serverEnvironment(environment, server.env, platform)
  if (workspace !== undefined) pinTemporary(env, server.env, workspace.temp)
  if (server.cwd !== undefined) return { server, cwd: server.cwd, env }
  const place = { folder: configFolder, platform, exists }
  if (workspace !== undefined) anchorPath(env, place)
  const { command } = server
  const launch = {
    ...(command === undefined ? {} : { command: anchoredCommand(command, place) }),
    args: anchoredArguments(server.args, place),
  }
  return { server: { ...server, ...launch }, cwd: workspace?.cwd ?? configFolder, env }
}

/** The entry with its virtual paths as paths of the host. */
function onHost(server: McpServerConfig, hostOf: ThreadPlace['hostOf']): McpServerConfig {
  if (hostOf === undefined) return server
  const { args, env, cwd } = server
  return {
    ...server,
    args: args.map(hostOf),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, hostOf(value)])),
    ...(cwd === undefined ? {} : { cwd: hostOf(cwd) }),
  }
}

/** A path of a program begins at the folder; a name alone is looked up in PATH. */
function anchoredCommand(command: string, { folder, platform }: Anchor): string {
  const isPath = platform === 'win32' ? /[\\/]/.test(command) : command.includes('/')
  return isPath ? pathsOf(platform).resolve(folder, command) : command
}

interface Anchor {
  /** Absolute. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly exists: (path: string) => boolean
}

/**
 * Arguments that name something in the folder, in full: whatever begins with `./` or `../` (also behind the `=` of an
 * option), and any other relative path of a file or folder that is there. Everything else stays letter by letter.
 */
export const anchoredArguments = (args: readonly string[], anchor: Anchor): readonly string[] =>
  args.map((arg) => {
    const { value, before } = optionValue(arg)
    if (isExplicit(value, anchor.platform)) return before + inFull(value, anchor)
    return before === '' && namesSomething(arg, anchor) ? inFull(arg, anchor) : arg
  })

/** Splits `--name=value`; any other argument is all value. */
function optionValue(arg: string): { readonly before: string; readonly value: string } {
  const equals = arg.startsWith('-') ? arg.indexOf('=') : -1
  return { before: arg.slice(0, equals + 1), value: arg.slice(equals + 1) }
}

const isExplicit = (text: string, platform: NodeJS.Platform): boolean =>
  (platform === 'win32' ? /^\.\.?(?:[\\/]|$)/ : /^\.\.?(?:\/|$)/).test(text)

function namesSomething(arg: string, { folder, platform, exists }: Anchor): boolean {
  const path = pathsOf(platform)
  // A drive of Windows without a backslash is relative to a folder of that drive, not to ours.
  const isOther = arg === '' || arg.startsWith('-') || path.isAbsolute(arg) || (path === win32 && /^[a-z]:/i.test(arg))
  return !isOther && exists(path.resolve(folder, arg))
}

function inFull(text: string, { folder, platform }: Anchor): string {
  const path = pathsOf(platform)
  const whole = path.resolve(folder, text)
  return /[\\/]$/.test(text) && !whole.endsWith(path.sep) ? whole + path.sep : whole
}

/**
 * INVARIANT: no program is looked up in the workspace, where an agent may have put it. Relative folders of PATH mean
 * the folder of the configuration, as they do without a workspace; an empty one means none.
 */
function anchorPath(env: { [name: string]: string }, { folder, platform }: Anchor): void {
  const path = pathsOf(platform)
  for (const [name, value] of Object.entries(env)) {
    if ((platform === 'win32' ? name.toUpperCase() : name) !== 'PATH') continue
    const folders = value.split(path.delimiter).filter((entry) => entry !== '')
    env[name] = folders.map((entry) => path.resolve(folder, entry)).join(path.delimiter)
  }
}

const temporaryNames = ['TMPDIR', 'TMP', 'TEMP']

/** An entry that sets one of the three names decides about temporary files itself. */
function pinTemporary(
  env: { [name: string]: string },
  configured: { readonly [name: string]: string },
  temp: string,
): void {
  const isTemporary = (name: string): boolean => temporaryNames.includes(name.toUpperCase())
  if (Object.keys(configured).some(isTemporary)) return
  for (const name of Object.keys(env)) if (isTemporary(name)) delete env[name]
  for (const name of temporaryNames) env[name] = temp
}

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix)

/** Texts that are no path of any system are not there. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
