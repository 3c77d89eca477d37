// The short Markdown form of the second seed: flags, the count, the first fifteen. Unlike its model it says how
// many more there are and who took the others away.

import { type Origin, originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { Run } from './run.ts'
import { exclusionsByGate, type ToolsTotals } from './tools-report.ts'

export interface ToolPool {
  readonly schema: 'toolgate.tool-pool/1'
  readonly simpleMode: boolean
  readonly includeMcp: boolean
  readonly preset: string
  readonly surface: string
  /** Exposed tools: eager and deferred. */
  readonly count: number
  readonly deferred: number
  readonly excluded: number
  readonly byGate: ToolsTotals['byGate']
  /** All exposed tools in the order of sources; `hint` says where each comes from. */
  readonly tools: readonly { readonly name: string; readonly hint: string }[]
}

/** The pool of a run. An inventory's own `source_hint` is the hint, where the entry has one. */
export function toolPool({ surface, preset }: Run): ToolPool {
  const exposed = surface.decisions.filter((decision) => decision.outcome !== 'excluded')
  return {
    schema: 'toolgate.tool-pool/1',
    simpleMode: surface.facts.simpleMode.on,
    includeMcp: surface.facts.mcp.on,
    preset,
    surface: surface.hash,
    count: exposed.length,
    deferred: surface.totals.deferred,
    excluded: surface.totals.excluded,
    byGate: exclusionsByGate(surface.decisions),
    tools: exposed.map(({ name, candidate }) => {
      const hint = candidate.meta?.source_hint
      const { server, source } = candidate
      const owner = server === undefined ? source : `${source} ${server}`
      return { name, hint: typeof hint === 'string' ? hint : `${owner}, ${placeOf(candidate.origin)}` }
    }),
  }
}

export interface PoolOptions {
  /** Most tools that are listed. Absent: 15, as in the seed. */
  readonly limit?: number
  /** Every tool, whatever the limit. */
  readonly all?: boolean
}

/** The pool as Markdown: the first tools, and how many more there are. */
export function toolPoolMarkdown(pool: ToolPool, { limit = 15, all = false }: PoolOptions = {}): string {
  const first = all ? pool.count : Math.max(0, Math.floor(limit))
  const gates = Object.entries(pool.byGate).map(([gate, codes]) => {
    return `${gate} ${Object.values(codes).reduce((sum, count) => sum + count, 0)}`
  })
  const more = pool.count - first
  return [
    '# Tool Pool',
    '',
    `Simple mode: ${flag(pool.simpleMode)}`,
    `Include MCP: ${flag(pool.includeMcp)}`,
    `Tool count: ${pool.count}`,
    ...(pool.deferred > 0 ? [`Deferred: ${pool.deferred}`] : []),
    ...(pool.excluded > 0 ? [`Left out: ${pool.excluded} (${gates.join(', ')})`] : []),
    '',
    ...pool.tools.slice(0, first).map(({ name, hint }) => `- ${inMarkdown(name)} — ${inMarkdown(hint)}`),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ].join('\n')
}

/** As the seed's program writes them, so that the two can be laid side by side. */
const flag = (on: boolean): string => (on ? 'True' : 'False')

/** Foreign text cannot become a link, code, emphasis or markup. */
const inMarkdown = (text: string): string => printable(text, 200).replace(/[\\`*[\]<>|]/g, (char) => `\\${char}`)

/** File and line: the key says little here. */
const placeOf = ({ key: _key, ...place }: Origin): string => originText(place)
