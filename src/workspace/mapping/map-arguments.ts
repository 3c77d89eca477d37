// Arguments on their way to a server of the thread: virtual paths become the host paths that it works with. Only
// folders that the agent may write are mapped, because a server cannot be kept from writing where it reads.

import type { Json, JsonObject } from '../../core/json.ts'
import type { PathView } from './path-view.ts'

/**
 * The arguments with every virtual path mapped, at the borders of path segments. A path that leads upwards is left
 * as it stands: on the host there is nothing of that name.
 */
export function hostArguments(args: JsonObject, view: PathView): JsonObject {
  const writable = view.workspace.roots.filter((root) => root.writable)
  const hosts = new Map(writable.map(({ virtual, host }) => [virtual, host]))
  hosts.set('/mnt/user-data', view.workspace.userData)
  // What it wrote where it starts is its own; what others wrote there is not.
  if (view.base !== undefined) hosts.set(view.base.virtual, view.base.host)
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return mapped(value, hosts)
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(walk)
    return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, walk(item as Json)]))
  }
  return walk(args) as JsonObject
}

function mapped(text: string, hosts: ReadonlyMap<string, string>): string {
  if (!text.includes('/mnt/')) return text
  return text.replace(virtualRoot, (root: string, at: number) => {
    const host = text.startsWith('/servers', at + root.length) ? undefined : hosts.get(root)
    if (host === undefined || upwards.test(restOfPath(text, at + root.length))) return root
    return text.endsWith('file://', at) ? encodeURI(host) : host
  })
}

/** Up to the end of the line or a quote: a path may hold blanks, and a step upwards behind one is a step all the same. */
function restOfPath(text: string, from: number): string {
  pathEnd.lastIndex = from
  const end = pathEnd.exec(text)?.index ?? text.length
  return text.slice(from, end)
}

/** A root as a whole segment, at the beginning of a path or of a file URL. */
const virtualRoot =
  /(?<![A-Za-z0-9_.~%-])(?:(?<!\/)|(?<=file:\/\/))(?:\/mnt\/user-data\/(?:workspace|uploads|outputs|servers\/[A-Za-z0-9_+-]+)|\/mnt\/user-data|\/mnt\/acp-workspace)(?![A-Za-z0-9_.~%-])/g
const pathEnd = /[\n"'`]/g
/** A percent sign may stand for a dot where the path is a part of a URL. */
const upwards = /(?:^|[\\/])\.\.(?:[\\/\s]|$)|%2e/i
