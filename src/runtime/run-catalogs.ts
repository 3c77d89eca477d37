// The catalog of each surface, made when it is first asked for. A program that only lists tools never makes an index.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Catalog, catalogOf } from '../catalog/catalog.ts'
import { catalogDocuments } from '../catalog/search/catalog-documents.ts'
import { type SearchIndex, searchIndexInSteps } from '../catalog/search/search-index.ts'
import type { Config } from '../config/config.ts'
import type { Surface } from '../core/surface.ts'
import { sha256 } from '../sources/sha256.ts'

export interface RunCatalog {
  readonly catalog: Catalog
  /** Made in short steps when it is first asked for, so that thousands of tools stop nobody else. */
  readonly index: () => Promise<SearchIndex>
}

export interface RunCatalogs {
  readonly of: (surface: Surface, settings: Pick<Config['toolSearch'], 'synonyms'>) => RunCatalog
}

/** Catalogs of one program: the index of a later surface reads only what is new in it. */
export function runCatalogs(): RunCatalogs {
  const made = new WeakMap<Surface, RunCatalog>()
  let previous: SearchIndex | undefined
  return {
    of: (surface, { synonyms }) => {
      const known = made.get(surface)
      if (known !== undefined) return known
      const catalog = catalogOf(surface, sha256)
      let index: Promise<SearchIndex> | undefined
      const indexed = async (): Promise<SearchIndex> => {
        const options = { synonyms, ...(previous === undefined ? {} : { previous }) }
        const made = await searchIndexInSteps(catalogDocuments(catalog.entries), options, nextTurn)
        previous = made
        return made
      }
      const own: RunCatalog = {
        catalog,
        index: () => {
          index ??= indexed()
          return index
        },
      }
      made.set(surface, own)
      return own
    },
  }
}
