import type { Json } from '../core/json.ts'

/**
 * Plain data without the places it was written at (`origin`, `origins`, `…Origin`): what is compared when a line
 * that moved in a file is no difference.
 */
export function withoutOrigins(value: Json | undefined): Json | undefined {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: Json) => withoutOrigins(item) ?? null)
  const kept: [string, Json | undefined][] = []
  for (const [key, item] of Object.entries(value)) {
    if (key === 'origin' || key === 'origins' || key.endsWith('Origin')) continue
    kept.push([key, withoutOrigins(item as Json | undefined)])
  }
  return Object.fromEntries(kept)
}
