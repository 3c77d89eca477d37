// What travels in `_meta` beside a message belongs to whoever put it there, but for the keys that the protocol reserves
// for the two ends of one connection: they end where it ends.

import type { JsonObject } from '../../core/json.ts'

/** The namespace of the protocol's own keys; in a key of `_meta` it stands before the slash. */
const reserved = 'io.modelcontextprotocol'

/** The severity from which on logs are wanted, with each request of 2026-07-28. */
export const logLevelKey = `${reserved}/logLevel`
export const serverInfoKey = `${reserved}/serverInfo`

/** What of `_meta` may be passed on to another connection. Nothing: there is none of it. */
export function metaPassedOn(meta: JsonObject): JsonObject | undefined {
  const kept = Object.entries(meta).filter(([key]) => key !== 'progressToken' && key.split('/', 1)[0] !== reserved)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Params whose `_meta`, where there is one, may be passed on. */
export function paramsPassedOn(params: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = params
  if (meta === undefined || meta === null || typeof meta !== 'object' || Array.isArray(meta)) return rest
  const kept = metaPassedOn(meta as JsonObject)
  return kept === undefined ? rest : { ...rest, _meta: kept }
}
