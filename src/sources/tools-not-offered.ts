import type { McpServerConfig } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'

/**
 * Names in a server's include_tools, exclude_tools and tools that the server does not offer: a slip of the pen would
 * otherwise leave a tool in, or out, without a word. `offered` are the original names of a listing.
 */
export function toolsNotOffered(server: McpServerConfig, offered: readonly string[]): readonly Finding[] {
  const known = new Set(offered)
  const { includeTools = [], excludeTools, tools, origin, origins } = server
  const written: readonly { readonly key: string; readonly name: string; readonly origin: Origin }[] = [
    ...includeTools.map((name) => ({ key: 'include_tools', name, origin: origins.includeTools ?? origin })),
    ...excludeTools.map((name) => ({ key: 'exclude_tools', name, origin: origins.excludeTools ?? origin })),
    ...tools.map((tool) => ({ key: 'tools', name: tool.name, origin: tool.origin })),
  ]
  return written
    .filter(({ name }) => !known.has(name))
    .map(({ key, name, origin: place }) => {
      const meant = bare(server.name, name, known) ?? nearest(name, offered, 1)[0]
      const offer =
        meant === undefined ? 'run `toolgate tools` to see what it offers' : `did you mean "${printable(meant, 80)}"?`
      const message = `${key} names "${printable(name, 80)}", which server "${server.name}" does not offer`
      return finding('tool-not-offered', 'warning', message, {
        subject: `${server.name}/${printable(name, 80)}`,
        hint: offer,
        origin: place,
      })
    })
}

/** The original name in one that was written as the model sees it, or as a rule names it. */
function bare(server: string, name: string, known: ReadonlySet<string>): string | undefined {
  const prefix = [`mcp__${server}__`, `${server}__`, `${server}/`, `${server}_`].find((candidate) =>
    name.startsWith(candidate),
  )
  const inner = prefix === undefined ? '' : name.slice(prefix.length)
  return known.has(inner) ? inner : undefined
}
