// Catalogs for tests of promotions: made by the real gates out of what servers offer.

import { type Catalog, catalogOf } from '../../src/catalog/catalog.ts'
import type { Promotion } from '../../src/catalog/promotion.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Json } from '../../src/core/json.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { aCandidate, aSearchTool, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'

export interface Offer {
  readonly name: string
  /** Absent: `files`. */
  readonly server?: string
  readonly description?: string
  /** Names of its arguments, all texts. Absent: `q`. */
  readonly takes?: readonly string[]
}

export const offered = ({ name, server = 'files', description = 'x', takes = ['q'] }: Offer): Candidate =>
  aCandidate({
    server,
    originalName: name,
    name,
    definition: {
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(takes.map((word): [string, Json] => [word, { type: 'string' }])),
      },
    },
  })

/** The catalog of a run that defers all it can. */
export function catalogWith(offers: readonly (Offer | string)[], facts: FactsOverrides = {}): Catalog {
  const tools = offers.map((offer) => offered(typeof offer === 'string' ? { name: offer } : offer))
  const run = someFacts({ deferral: { mode: 'on', budgetTokens: 0, always: [] }, ...facts })
  return catalogOf(assemble(run, [aSearchTool(), ...tools], gateOrder.default, { sha256 }), sha256)
}

/** What a search of that catalog promotes. */
export const found = (catalog: Catalog, ...names: readonly string[]): readonly Promotion[] =>
  names.flatMap((name) => {
    const entry = catalog.find(name)
    return entry === undefined
      ? []
      : [
          {
            name,
            definitionHash: entry.definitionHash,
            by: 'select',
            tokens: estimateTokens(entry.definitionChars),
          } as const,
        ]
  })
