// What tools cost in tokens: each one, each server, each source, and what deferral saves. Estimated from
// characters, unless an exact counter is handed in.

import type { Decision } from '../core/decision.ts'
import type { Surface } from '../core/surface.ts'
import { estimateTokens } from '../core/tokens.ts'

/** Counts the tokens of a text with a real tokenizer. */
export type CountTokens = (text: string) => number

export interface TokenShare {
  /** Exposed tools: eager and deferred. */
  readonly tools: number
  /** What goes out with a request: definitions of eager tools, names of deferred ones. */
  readonly tokens: number
  /** What would go out if nothing were deferred. */
  readonly ifAllEager: number
}

export interface TokenCosts {
  /** Definitions of the eager tools. */
  readonly eager: number
  /** Names of the deferred tools, one a line. */
  readonly deferredNames: number
  readonly ifAllEager: number
  /** `ifAllEager` less `eager` and `deferredNames`. */
  readonly savedByDeferral: number
  readonly bySource: { readonly [source: string]: TokenShare }
  readonly byServer: { readonly [server: string]: TokenShare }
}

/** Tokens of one definition as the model would be sent it: name, description and input schema as JSON. */
export function toolTokens(decision: Decision, count?: CountTokens): number {
  if (count === undefined)
    return Number.isFinite(decision.definitionChars) ? estimateTokens(decision.definitionChars) : 0
  const { description, inputSchema } = decision.definition
  return count(JSON.stringify({ name: decision.name, description, input_schema: inputSchema }))
}

/** All costs of a surface; every total is the sum of whole numbers per tool, so that figures add up wherever they are shown. */
export function tokenCosts(surface: Surface, count?: CountTokens): TokenCosts {
  const sum = { eager: 0, deferredNames: 0, ifAllEager: 0 }
  const bySource = new Map<string, TokenShare>()
  const byServer = new Map<string, TokenShare>()
  for (const decision of surface.decisions) {
    if (decision.outcome === 'excluded') continue
    const whole = toolTokens(decision, count)
    const name = decision.outcome === 'deferred' ? nameTokens(decision, count) : 0
    const sent = decision.outcome === 'deferred' ? name : whole
    sum.eager += sent - name
    sum.deferredNames += name
    sum.ifAllEager += whole
    const { source, server } = decision.candidate
    added(bySource, source, sent, whole)
    if (server !== undefined) added(byServer, server, sent, whole)
  }
  return {
    ...sum,
    savedByDeferral: sum.ifAllEager - sum.eager - sum.deferredNames,
    bySource: Object.fromEntries(bySource),
    byServer: Object.fromEntries(byServer),
  }
}

function nameTokens(decision: Decision, count?: CountTokens): number {
  const line = `${decision.name}\n`
  return count === undefined ? estimateTokens(line.length) : count(line)
}

function added(shares: Map<string, TokenShare>, key: string, tokens: number, whole: number): void {
  const share = shares.get(key) ?? { tools: 0, tokens: 0, ifAllEager: 0 }
  shares.set(key, {
    tools: share.tools + 1,
    tokens: share.tokens + tokens,
    ifAllEager: share.ifAllEager + whole,
  })
}
