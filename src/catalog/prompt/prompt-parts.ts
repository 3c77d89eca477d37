// The blocks of a prompt that belong to a catalog: the names of what is deferred, then the hints. Both are bounded,
// and say how much they leave out, so that ten thousand tools cost no more than some thousand tokens.
//
// Sorted by name, not in the order of sources: a server that lists its tools in another order tomorrow, or a server
// that is written in another place of the file, leaves the bytes and with them the provider's cache as they are; and
// names that begin with their server stand together. Names stay listed after promotion for the same reason.

import type { Surface } from '../../core/surface.ts'
import { deferredNames } from './deferred-names.ts'
import { promptTokens } from './prompt-tokens.ts'
import { quotedName } from './quoted-text.ts'
import { type HintedTool, hintGroups, hintLine, routingHints } from './routing-hints.ts'

/** A tool as a prompt tells of it. A catalog entry is one. */
export interface PromptTool extends HintedTool {
  readonly server?: string
}

export interface PromptLimits {
  /** Most tokens of the block of names, estimated. Absent: 8,000, about 1,000 names. */
  readonly namesMax?: number
  /** Most tokens of the block of hints, estimated. Absent: 2,000. */
  readonly hintsMax?: number
}

export interface PromptParts {
  /** `''`: nothing is deferred. */
  readonly names: string
  /** `''`: nothing has keywords. */
  readonly hints: string
  /** Both, as they stand in a prompt. */
  readonly text: string
  /** Deferred tools that are not listed. */
  readonly namesLeftOut: number
  /** Tools with keywords that are not listed. */
  readonly hintsLeftOut: number
}

/** What a prompt tells of a surface: its deferred tools, and the eager ones that have keywords. */
export function promptTools(surface: Surface): readonly PromptTool[] {
  return surface.decisions.flatMap(({ candidate, name, outcome }): PromptTool[] => {
    const keywords = candidate.routing?.keywords ?? []
    if (outcome === 'excluded' || (outcome === 'eager' && keywords.length === 0)) return []
    return [
      {
        name,
        keywords,
        priority: candidate.routing?.priority ?? 0,
        ...(candidate.server === undefined ? {} : { server: candidate.server }),
        ...(outcome === 'eager' ? { eager: true } : {}),
      },
    ]
  })
}

/** The blocks for these tools; the order in which they are given makes no difference. No tools: no text. */
export function promptParts(tools: readonly PromptTool[], limits: PromptLimits = {}): PromptParts {
  const deferred = tools.filter(({ eager }) => eager !== true)
  const listed = namesThatFit(deferred, (limits.namesMax ?? 8000) - frameTokens)
  const hinted = hintsThatFit(tools, (limits.hintsMax ?? 2000) - frameTokens)
  const namesLeftOut = deferred.length - listed.length
  const hintsLeftOut = tools.filter(({ keywords }) => keywords.length > 0).length - hinted.length
  const names = deferredNames(listed, namesLeftOut)
  const hints = routingHints(hinted, hintsLeftOut)
  const text = [names, hints].filter((part) => part !== '').join('\n')
  return { names, hints, text, namesLeftOut, hintsLeftOut }
}

/** What a block takes without its lines, the line about what is left out included. It is there whatever the limit. */
const frameTokens = 40

/**
 * The names that are listed, sorted. Where not all have room, every server gets the same number of places, those of
 * higher priority first: a server of which nothing is listed would not be searched for.
 */
function namesThatFit(tools: readonly PromptTool[], room: number): readonly string[] {
  let left = room
  const fits = tools.every(({ name }) => {
    left -= lineTokens(name)
    return left >= 0
  })
  if (fits) return tools.map(({ name }) => name).sort()

  left = room
  const listed: string[] = []
  for (const { name } of inTurn(tools)) {
    if (left < leastTokens) break
    const cost = lineTokens(name)
    if (cost > left) continue
    left -= cost
    listed.push(name)
  }
  return listed.sort()
}

const lineTokens = (name: string): number => promptTokens(`${quotedName(name)}\n`)

/** No line takes less, so that nothing more is tried when so little is left. */
const leastTokens = 1

/** The first tool of each server, then the second of each, and so on. */
function inTurn(tools: readonly PromptTool[]): readonly PromptTool[] {
  const turns = new Map<string, number>()
  return [...tools]
    .sort((a, b) => b.priority - a.priority || byName(a, b))
    .map((tool) => {
      const turn = turns.get(tool.server ?? '') ?? 0
      turns.set(tool.server ?? '', turn + 1)
      return { tool, turn }
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ tool }) => tool)
}

/** The tools whose hints are listed: as many as have room, the highest priority first. */
function hintsThatFit(tools: readonly PromptTool[], room: number): readonly HintedTool[] {
  const listed: HintedTool[] = []
  let left = room
  for (const group of hintGroups(tools)) {
    let line = promptTokens(`${hintLine(group, [])}\n`)
    for (const tool of group.tools) {
      if (left < leastTokens) return listed
      const cost = line + promptTokens(`${quotedName(tool.name)}, `)
      if (cost > left) continue
      left -= cost
      line = 0
      listed.push(tool)
    }
  }
  return listed
}

const byName = (a: PromptTool, b: PromptTool): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
