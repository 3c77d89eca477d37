// What one server of a thread may let the agent see of the host, and under which names.

import { isAbsolute, resolve } from 'node:path'
import type { Workspace } from '../workspace.ts'

export interface PathView {
  readonly workspace: Workspace
  /** Host folders whose paths are shown as they are, because the operator named them for this server; absolute. */
  readonly openRoots: readonly string[]
  /** Host folders of which nothing is shown beside the workspace and the open roots; absolute. */
  readonly privateRoots: readonly string[]
  /** The server's own folder, where its relative paths stand, when that is one of the thread. Absent: they tell nothing. */
  readonly base?: {
    readonly virtual: string
    readonly host: string
    /** True when there is a file of that relative path, without steps upwards. */
    readonly has: (path: string) => boolean
  }
  /** Where its relative paths stand when that is a folder of the operator, absolute. Absent: see `base`. */
  readonly folder?: string
  /** The folder of threads under its real name, where a link leads to it: programs tell the one or the other. */
  readonly realName?: { readonly of: string; readonly is: string }
}

/** What an operator wrote of a server that runs on this machine. */
export interface ServerPlaces {
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/**
 * The host paths that the operator named for a server: its folder, and arguments and variables that are paths, also
 * behind a flag (`--root=/srv/papers`) and in a list (`/a:/b`). Relative ones are looked up from `folder`.
 */
export function openRootsOf(server: ServerPlaces, folder: string): readonly string[] {
  const values = [...server.args, ...Object.values(server.env)].flatMap((value) => [
    value,
    ...(value.startsWith('-') && value.includes('=') ? [value.slice(value.indexOf('=') + 1)] : []),
    ...(value.includes(':') ? value.split(':') : []),
  ])
  const named = values.filter((value) => value.length > 1 && (isAbsolute(value) || relative.test(value)))
  return [
    ...new Set([...(server.cwd === undefined ? [] : [server.cwd]), ...named].map((path) => resolve(folder, path))),
  ]
}

/** A plain word may be a folder: `papers` names the folder beside the configuration. */
const relative = /^(?!-)[^\n\0]{1,1024}$/
