// What the latest message of the person opens without a search. It opens definitions and nothing else: only what is
// in the catalog is looked at, and the catalog is made after policy, so that no word of a message lifts a deny.

import { estimateTokens } from '../../core/tokens.ts'
import type { Catalog } from '../catalog.ts'
import type { Promotion } from '../promotion.ts'
import { latestUserMessage, type RoutingMessage } from './latest-user-message.ts'
import { type RoutedTool, type RouteOptions, type RoutingIndex, routingIndex } from './routing-index.ts'

/** The tools that the latest real user message promotes, with the keywords and figures that say why, best first. */
export function autoRouted(
  messages: readonly RoutingMessage[],
  catalog: Catalog,
  { top }: RouteOptions,
): readonly RoutedTool[] {
  const message = latestUserMessage(messages)
  return message === undefined || top <= 0 ? [] : indexOf(catalog).route(message, { top })
}

/** The same as promotions, for the reducer. No match: none. */
export function autoPromotions(
  messages: readonly RoutingMessage[],
  catalog: Catalog,
  options: RouteOptions,
): readonly Promotion[] {
  return autoRouted(messages, catalog, options).flatMap(({ name }): Promotion[] => {
    const entry = catalog.find(name)
    if (entry === undefined) return []
    const { definitionHash, definitionChars } = entry
    return [{ name, definitionHash, by: 'routing', tokens: estimateTokens(definitionChars) }]
  })
}

/** A catalog never changes, and is asked before each call of the model. */
const indexes = new WeakMap<Catalog, RoutingIndex>()

function indexOf(catalog: Catalog): RoutingIndex {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  // Left out before the best are taken: a tool that opted out takes nobody's place.
  const index = routingIndex(catalog.entries.filter(({ autoPromote }) => autoPromote !== false))
  indexes.set(catalog, index)
  return index
}
