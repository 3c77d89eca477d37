// The sources in the order of precedence: the first of a name wins. A new source is one file and one line here.

import type { JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import type { Introduction } from '../sessions/listing/listing.ts'
import type { Tool } from '../tools/tool.ts'
import { acp } from './acp.ts'
import { builtin } from './builtin.ts'
import { configTools } from './config-tools.ts'
import { mcp } from './mcp.ts'
import type { Source, SourceInput, SourceResult } from './source.ts'

export const sourceOrder: readonly Source[] = [
  configTools, // what the operator wrote down, tool by tool
  builtin, //     what every run has
  mcp, //         what servers offer
  acp, //         external agents, last: one tool that can do anything
]

export interface Collected extends SourceResult {
  readonly invokers: ReadonlyMap<string, Tool>
  readonly introductions: ReadonlyMap<string, Introduction>
  readonly extras: ReadonlyMap<string, JsonObject>
}

/** What all sources offer: collected side by side, put together in their order. A source that fails costs only itself. */
export async function collectAll(input: SourceInput, sources: readonly Source[] = sourceOrder): Promise<Collected> {
  const results = await Promise.all(sources.map((source) => collected(source, input)))
  return {
    candidates: results.flatMap((result) => result.candidates),
    findings: results.flatMap((result) => result.findings),
    servers: results.flatMap((result) => result.servers),
    invokers: new Map(results.flatMap((result) => [...(result.invokers ?? [])])),
    extras: new Map(results.flatMap((result) => [...(result.extras ?? [])])),
    introductions: new Map(results.flatMap((result) => [...(result.introductions ?? [])])),
  }
}

async function collected(source: Source, input: SourceInput): Promise<SourceResult> {
  try {
    return await source.collect(input)
  } catch (error) {
    const said = printable(error instanceof Error ? error.message : String(error), 200)
    return {
      candidates: [],
      findings: [finding('internal-error', 'error', `source "${source.kind}" failed: ${said}`)],
      servers: [],
    }
  }
}
