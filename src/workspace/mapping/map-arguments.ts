// Arguments on their way to a server of the thread: virtual paths become the host paths that it works with. Only
// folders that the agent may write are mapped, because a server cannot be kept from writing where it reads.
//
// INVARIANT: a host path that comes out of here lies in a mapped folder, however the rest of the path is read.

import type { Json, JsonObject } from '../../core/json.ts'
import type { PathView } from './path-view.ts'
import { virtualText } from './rewrite-result.ts'

/**
 * The arguments with every virtual path mapped, at the borders of path segments, in names of objects too. A path that
 * leads upwards is left as it stands: on the host there is nothing of that name.
 */
export function hostArguments(args: JsonObject, view: PathView): JsonObject {
  const writable = view.workspace.roots.filter((root) => root.writable)
  const hosts = new Map(writable.map(({ virtual, host }) => [virtual, host]))
  // Whoever may write in none of them is told of none.
  if (writable.length > 0) hosts.set(wholeRoot, view.workspace.userData)
  // What it wrote where it starts is its own; what others wrote there is not.
  if (view.base !== undefined) hosts.set(view.base.virtual, view.base.host)
  return eachText(args, (text) => mapped(text, hosts))
}

/**
 * The arguments as the agent would write them: paths of the thread's files on the host become virtual. Nothing else is
 * changed, and nothing is left out: what is judged in this form must be all of it.
 */
export function virtualArguments(args: JsonObject, view: PathView): JsonObject {
  const known = bare.get(view) ?? { ...view, privateRoots: [] }
  bare.set(view, known)
  return eachText(args, (text) => virtualText(text, known))
}

const bare = new WeakMap<PathView, PathView>()

function eachText(args: JsonObject, change: (text: string) => string): JsonObject {
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return change(value)
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(walk)
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, item]) => [change(key), walk(item as Json)]),
    )
  }
  return walk(args) as JsonObject
}

const wholeRoot = '/mnt/user-data'

function mapped(text: string, hosts: ReadonlyMap<string, string>): string {
  if (!text.includes('/mnt/')) return text
  return text.replace(virtualRoot, (root: string, at: number) => {
    const host = hosts.get(root)
    const rest = restOfPath(text, at, root)
    if (host === undefined || upwards.test(rest)) return root
    // Below the folder that holds them all, only those that have a root of their own are anybody's to write.
    if (root === wholeRoot && !nothingBelow.test(rest)) return root
    return text.slice(0, at).toLowerCase().endsWith('file://') ? encodeURI(host) : host
  })
}

/**
 * What may belong to the path behind its root. A text that is a path is one to its end, whatever stands in it; one in
 * quotes ends where they do; any other may hold blanks and quotes, and ends with its line at the latest.
 */
function restOfPath(text: string, at: number, root: string): string {
  const from = at + root.length
  const before = text.slice(0, at)
  if (before === '' || before.toLowerCase() === 'file://') return text.slice(from)
  const quote = before.at(-1) ?? ''
  const end = quotes.has(quote) ? endOfQuote(text, from, quote) : text.indexOf('\n', from)
  return end === -1 ? text.slice(from) : text.slice(from, end)
}

const quotes: ReadonlySet<string> = new Set(['"', "'", '`'])

/** A quote behind a backslash does not end the path. */
function endOfQuote(text: string, from: number, quote: string): number {
  let end = text.indexOf(quote, from)
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf(quote, end + 1)
  return end
}

/** A root as a whole segment, at the beginning of a path or of a file URL. */
const virtualRoot =
  /(?<![A-Za-z0-9_.~%-])(?:(?<!\/)|(?<=file:\/\/))(?:\/mnt\/user-data\/(?:workspace|uploads|outputs|servers\/[A-Za-z0-9_+-]+)|\/mnt\/user-data|\/mnt\/acp-workspace)(?![A-Za-z0-9_.~%-])/gi
/** Two dots as a segment; what follows may be anything that is no part of a name. A percent sign may stand for a dot. */
const upwards = /(?:^|[\\/]|%2f|%5c)\.\.(?![A-Za-z0-9_~-]|\.[^.])|%2e/i
const nothingBelow = /^(?:[\\/.]*)(?:$|[^\\/.%A-Za-z0-9_~-])/
