// What tools cost in tokens: each one, each server, each source, and what deferral saves. Estimated, unless an exact
// counter is handed in.
//
//   sent now        definitions of eager tools, tool_search with them, and the block of deferred names in the prompt
//   if all eager    definitions of all exposed tools but tool_search, which nobody would need
//   saved           the difference: net of all that deferral itself costs; below 0 where it costs more than it saves

import { readDeferredNames } from '../catalog/prompt/deferred-names.ts'
import { promptParts, promptTools } from '../catalog/prompt/prompt-parts.ts'
import { promptTokens } from '../catalog/prompt/prompt-tokens.ts'
import { quotedName } from '../catalog/prompt/quoted-text.ts'
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
  /** Part of `ifAllEager` that deferral saves: at most 1, to four places and rounded down; below 0 where it costs. */
  readonly savedShare: number
}

export interface TokenCosts {
  /** Definitions of the eager tools. */
  readonly eager: number
  /** Of these, the definition of tool_search where it is there because something is deferred. */
  readonly searchTool: number
  /** The block of deferred names as a prompt lists them. */
  readonly deferredNames: number
  readonly ifAllEager: number
  /** `ifAllEager` less `eager` and `deferredNames`. */
  readonly savedByDeferral: number
  readonly savedShare: number
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
  const sum = { eager: 0, searchTool: 0, deferredNames: 0, ifAllEager: 0 }
  const bySource = new Map<string, Parts>()
  const byServer = new Map<string, Parts>()
  const block = nameBlock(surface, count)
  for (const decision of surface.decisions) {
    const { outcome, candidate } = decision
    if (outcome === 'excluded') continue
    const whole = toolTokens(decision, count)
    const isSearch = block !== undefined && outcome === 'eager' && candidate.role === 'tool-search'
    const defined = outcome === 'eager' ? whole : 0
    const named = (outcome === 'deferred' ? block?.nameTokens(decision.name) : 0) ?? 0
    const framed = block?.owner === decision ? block.frameTokens : 0
    const instead = isSearch ? 0 : whole
    sum.eager += defined
    sum.searchTool += isSearch ? whole : 0
    sum.deferredNames += named + framed
    sum.ifAllEager += instead
    const { source, server } = candidate
    added(bySource, source, defined + named + framed, instead)
    if (server !== undefined) added(byServer, server, defined + named + framed, instead)
  }
  const savedByDeferral = sum.ifAllEager - sum.eager - sum.deferredNames
  return {
    eager: sum.eager,
    searchTool: sum.searchTool,
    deferredNames: sum.deferredNames,
    ifAllEager: sum.ifAllEager,
    savedByDeferral,
    savedShare: shareOf(savedByDeferral, sum.ifAllEager),
    bySource: sharesOf(bySource),
    byServer: sharesOf(byServer),
  }
}

interface NameBlock {
  /** Of the line of a name; 0 for one that the prompt leaves out for want of room. */
  readonly nameTokens: (name: string) => number
  /** Of what stands around the names. */
  readonly frameTokens: number
  /** Whose cost the frame is: tool_search, else the first deferred tool. */
  readonly owner: Decision | undefined
}

/** What the list of names in a prompt costs; undefined where nothing is deferred. */
function nameBlock(surface: Surface, count: CountTokens | undefined): NameBlock | undefined {
  const deferred = surface.withOutcome('deferred')
  if (deferred.length === 0) return undefined
  // Names have far fewer characters a token than definitions, so they have an estimate of their own.
  const tokensOf = count ?? ((text: string) => Math.round(promptTokens(text)))
  const block = promptParts(promptTools(surface)).names
  const listed = new Set(readDeferredNames(block))
  return {
    nameTokens: (name) => (listed.has(name) ? tokensOf(lineOf(name)) : 0),
    frameTokens: Math.max(0, tokensOf(block) - tokensOf([...listed].map(lineOf).join(''))),
    owner: surface.withOutcome('eager').find(({ candidate }) => candidate.role === 'tool-search') ?? deferred[0],
  }
}

/** The line of a name as the block writes it. */
const lineOf = (name: string): string => `${quotedName(name)}\n`

type Parts = Omit<TokenShare, 'savedShare'>

function added(shares: Map<string, Parts>, key: string, tokens: number, whole: number): void {
  const share = shares.get(key) ?? { tools: 0, tokens: 0, ifAllEager: 0 }
  shares.set(key, {
    tools: share.tools + 1,
    tokens: share.tokens + tokens,
    ifAllEager: share.ifAllEager + whole,
  })
}

const sharesOf = (parts: ReadonlyMap<string, Parts>): { readonly [key: string]: TokenShare } =>
  Object.fromEntries(
    [...parts].map(([key, part]) => [
      key,
      { ...part, savedShare: shareOf(part.ifAllEager - part.tokens, part.ifAllEager) },
    ]),
  )

const shareOf = (saved: number, whole: number): number => (whole === 0 ? 0 : Math.floor((saved / whole) * 1e4) / 1e4)
