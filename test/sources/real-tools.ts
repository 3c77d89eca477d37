// What real servers listed, where that is at hand: ../shared/data/mcp-catalogs beside the repository.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'

const folder = resolve(import.meta.dirname, '../../../shared/data/mcp-catalogs')

export const areRealToolsHere = existsSync(folder)

/** Tools by server, as they were listed. */
export function realServers(): ReadonlyMap<string, readonly JsonObject[]> {
  const servers = new Map<string, readonly JsonObject[]>()
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.json')) continue
    const { tools } = JSON.parse(readFileSync(resolve(folder, file), 'utf8')) as { readonly tools?: unknown }
    if (Array.isArray(tools)) servers.set(file.replace('.json', '').replace(/[^A-Za-z0-9]+/g, '-'), tools)
  }
  return servers
}
