// What a server of a shared file would run or call. Approval by name (`approved_servers`) says nothing of the command
// behind the name, and the file may come with somebody else's repository: with pins on, the launch that was approved
// is kept by its hash, and another one is not started.

import { isAbsolute, relative, sep } from 'node:path'
import type { Config, McpServerConfig } from '../config/config.ts'
import { redactor, secretLengthMin } from '../config/redact.ts'
import type { Availability } from '../core/candidate.ts'
import { canonicalJson, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { sha256 } from './sha256.ts'
import type { ApprovedLaunch, SourceInput } from './source.ts'

export interface ServerLaunch extends ApprovedLaunch {
  readonly server: string
}

type Environment = { readonly [name: string]: string | undefined }

/** The state `not-approved`, with what was changed. */
type Refusal = Extract<Availability, { readonly detail: string }>

const shownMax = 1000

/** True for a server that came with a file of `mcp_config_files`; the configuration says what its own servers run. */
export const isShared = (server: McpServerConfig): boolean => server.origins.approved !== undefined

/**
 * The launch of a server: the hash covers way, command, arguments, folder, URL, variables and headers, each as it is
 * written. Values that variables gave count by the name of the variable, so that a renewed token needs no new
 * approval, and another variable in its place does. Paths inside the folder of the configuration are taken relative to
 * it, so that a project can be moved.
 */
export function launchOf(
  server: McpServerConfig,
  config: Pick<Config, 'folder' | 'secrets'>,
  environment: Environment,
): ServerLaunch {
  const named = byVariable(config.secrets, environment)
  const placed = (path: string): string => inside(path, config.folder)
  const { name, transport, command, args, cwd, url } = server
  const texts = (values: { readonly [key: string]: string }): JsonObject =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, named(value)]))
  const launch = {
    transport,
    command: command === undefined ? undefined : named(placed(command)),
    args: args.map(named),
    cwd: cwd === undefined ? undefined : placed(cwd),
    url: url === undefined ? undefined : named(url),
    env: texts(server.env),
    headers: texts(server.headers),
  }
  const redacted = redactor(config.secrets)
  return { server: name, launchHash: sha256(canonicalJson(launch)), shown: shownOf(launch, redacted) }
}

/**
 * Why a server of a shared file is not started: what it would run is not what was approved. `undefined`: nothing
 * stands against it.
 */
export function launchRefusal(server: McpServerConfig, input: SourceInput): Refusal | undefined {
  const { approvedLaunches, config, environment } = input
  if (approvedLaunches === undefined || !isShared(server)) return undefined
  const refused = (detail: string): Refusal => ({
    state: 'not-approved',
    detail,
    origin: server.origins.command ?? server.origins.url ?? server.origin,
  })
  if (approvedLaunches === 'unreadable') return refused('the file of approvals cannot be read')
  const approved = approvedLaunches.get(server.name)
  if (approved === undefined) return undefined
  const launch = launchOf(server, config, environment)
  if (launch.launchHash === approved.launchHash) return undefined
  return refused(`what it runs was changed since it was approved: ${launchChange(approved.shown, launch.shown)}`)
}

/** `"node a.js" -> "node b.js"`, each around the place where they part when they are long. */
export function launchChange(before: string, after: string): string {
  if (before === after) return `"${printable(after, 160)}", with other values of its variables or headers`
  let from = 0
  while (before[from] === after[from]) from += 1
  const start = Math.max(0, from - 60)
  const part = (text: string): string => `${start > 0 ? '…' : ''}${printable(text.slice(start), 140)}`
  return `"${part(before)}" -> "${part(after)}"`
}

function shownOf(
  launch: {
    readonly command: string | undefined
    readonly args: readonly string[]
    readonly cwd: string | undefined
    readonly url: string | undefined
    readonly env: JsonObject
    readonly headers: JsonObject
  },
  redacted: (text: string) => string,
): string {
  const { command, args, cwd, url, env, headers } = launch
  const words = command === undefined ? [url ?? ''] : [command, ...args]
  const line = words.map((word) => quotedWord(redacted(word))).join(' ')
  const more = [
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...listedAs('with', Object.keys(env)),
    ...listedAs('headers', Object.keys(headers)),
  ]
  return printable(more.length === 0 ? line : `${line} (${more.join(', ')})`, shownMax)
}

const quotedWord = (word: string): string => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))

const listedAs = (word: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${word} ${names.join(' ')}`]

/** A path below the folder of the configuration, relative to it; any other text as it is. */
function inside(path: string, folder: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(folder, path)
  return short === '' || (!isAbsolute(short) && short !== '..' && !short.startsWith(`..${sep}`))
    ? `./${short.split(sep).join('/')}`
    : path
}

/**
 * Puts `${NAME}` where the value of a variable stands that the configuration holds as a secret. Shorter values stand in
 * too many innocent texts. Of several variables with one value the first by name is taken.
 */
function byVariable(secrets: readonly string[], environment: Environment): (text: string) => string {
  const known = new Set(secrets.filter((secret) => secret.length >= secretLengthMin))
  const names = new Map<string, string>()
  for (const name of Object.keys(environment).sort()) {
    const value = environment[name]
    if (value !== undefined && known.has(value) && !names.has(value)) names.set(value, name)
  }
  // Longer values first: one may be a part of another.
  const values = [...names].sort(([a], [b]) => b.length - a.length)
  return (text) => values.reduce((out, [value, name]) => out.replaceAll(value, () => `\${${name}}`), text)
}
