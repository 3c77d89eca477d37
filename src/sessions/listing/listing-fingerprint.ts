// Whether two listings say the same. What is compared is what may reach a model: icons and `_meta` are not read, and
// some servers put the time into them.

import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../core/json.ts'

const read = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/**
 * SHA-256 over the tools of a listing, whatever their order: servers that keep them in a hash table list them in another
 * one each time. The tools are JSON of bounded depth.
 */
export function listingFingerprint(tools: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const text of tools.map(textOf).sort()) hash.update(text).update('\n')
  return hash.digest('hex')
}

function textOf(tool: unknown): string {
  if (tool === null || typeof tool !== 'object' || Array.isArray(tool)) return canonicalJson(tool as Json)
  const from = tool as { readonly [key: string]: Json | undefined }
  return canonicalJson(Object.fromEntries(read.map((key) => [key, from[key]])))
}
