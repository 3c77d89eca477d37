// The keys of a server as other products spell them. Each known synonym is read as our key and said so; nothing is
// guessed beyond the table and the spelling of words (`includeTools` for `include_tools`).

import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { type Part, remark } from './part.ts'
import type { Place } from './place.ts'
import { freePrefix, serverKeys } from './schema.ts'

/** Other spellings in configurations that people have (reference: data/client-configs). */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['transport', 'type'],
  ['cmd', 'command'],
  ['environment', 'env'],
  ['envs', 'env'],
  ['working_directory', 'cwd'],
  ['server_url', 'url'],
  ['http_url', 'url'],
  ['uri', 'url'],
  ['endpoint', 'url'],
  ['http_headers', 'headers'],
  ['disabled', 'enabled'],
  ['allowed_tools', 'include_tools'],
  ['enabled_tools', 'include_tools'],
  ['disabled_tools', 'exclude_tools'],
])

/** The part with our keys, and a finding for each that was read as another. Places move with their keys. */
export function withOurKeys(part: Part): { readonly part: Part; readonly findings: readonly Finding[] } {
  const { value } = part
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { part, findings: [] }
  const entries = value as JsonObject
  const findings: Finding[] = []
  const renamed: Record<string, Json> = {}
  const inside = new Map<string | number, Place>()
  for (const [key, item] of Object.entries(entries)) {
    if (item === undefined) continue
    const ours = ourKey(key)
    const own = key === ours ? item : inverted(key, item)
    if (key !== ours && (Object.hasOwn(entries, ours) || Object.hasOwn(renamed, ours))) {
      if (entries[ours] === own) continue
      const message = `"${printable(key, 40)}" and "${ours}" mean the same key and differ`
      findings.push(remark(part, 'config-conflict', message, { path: [key], hint: `keep "${ours}"` }))
      continue
    }
    renamed[ours] = own
    const place = part.place.inside?.get(key)
    if (place !== undefined) inside.set(ours, place)
    if (key !== ours) {
      const message = `"${printable(key, 40)}" was read as "${ours}"`
      findings.push(remark(part, 'config-synonym', message, { path: [key], severity: 'info', hint: `write "${ours}"` }))
    }
  }
  return { part: { ...part, value: renamed, place: { ...part.place, inside } }, findings }
}

function ourKey(key: string): string {
  if (serverKeys.includes(key) || key.startsWith(freePrefix)) return key
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const ours = synonyms.get(snake) ?? snake
  return serverKeys.includes(ours) ? ours : key
}

/** `disabled` says the opposite of `enabled`; anything but a boolean stays for the schema to refuse. */
const inverted = (key: string, item: Json): Json => (key === 'disabled' && typeof item === 'boolean' ? !item : item)

/** What other products call the transports that we call `stdio`, `http` and `sse`. */
const transports: ReadonlyMap<string, 'stdio' | 'http' | 'sse'> = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['sse', 'sse'],
  ['local', 'stdio'],
  ['remote', 'http'],
  ['streamable-http', 'http'],
  ['streamable_http', 'http'],
  ['streamablehttp', 'http'],
  ['http-stream', 'http'],
])

/** The transport that a word means, or nothing when it is one that we do not speak. */
export function transportOf(word: string): 'stdio' | 'http' | 'sse' | undefined {
  return transports.get(word.toLowerCase())
}
