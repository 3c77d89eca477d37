// The embedder that a configuration names: loaded when something is first searched, shared by all catalogs of the
// program, and ended with it. Whatever is wrong with it is told once, and search goes on by words.

import { join } from 'node:path'
import { type EmbeddedIndex, embeddedIndex } from '../catalog/embedding/embedded-index.ts'
import { asEmbedder, type Embedder } from '../catalog/embedding/embedder.ts'
import type { VectorCache } from '../catalog/embedding/vector-cache.ts'
import type { SearchIndex } from '../catalog/search/search-index.ts'
import type { Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import { finding, ToolgateError } from '../errors.ts'
import { isLoadFault, loadExport } from '../sources/load-export.ts'

export interface SearchEmbedder {
  /** The index with meaning beside words; undefined where no embedder is configured, or it cannot be had. */
  readonly over: (index: SearchIndex) => Promise<EmbeddedIndex | undefined>
  /** Ends what it started. Safe to call again. */
  readonly close: () => Promise<void>
}

export interface SearchEmbedderInput {
  readonly config: Pick<Config, 'folder' | 'trustedModules'> & {
    readonly toolSearch: Pick<Config['toolSearch'], 'embedder'>
  }
  /** Absolute; vectors are kept in it. */
  readonly stateFolder: string
  readonly tell: (line: string) => void
}

const loadTimeoutMs = 5000

export function searchEmbedder({ config, stateFolder, tell }: SearchEmbedderInput): SearchEmbedder {
  const { embedder: configured } = config.toolSearch
  if (configured === undefined) return { over: async () => undefined, close: async () => {} }
  const { use, origin } = configured
  const told = new Set<string>()
  const onFinding = (found: Finding): void => {
    if (told.has(found.code)) return
    told.add(found.code)
    tell(`${found.message}${found.hint === undefined ? '' : `; ${found.hint}`}`)
  }
  const load = async (): Promise<Embedder> => {
    const loaded = await loadExport(use, {
      folder: config.folder,
      trusted: config.trustedModules,
      timeoutMs: loadTimeoutMs,
    })
    if (isLoadFault(loaded)) throw new ToolgateError(finding(loaded.code, 'error', loaded.message, { origin }))
    return asEmbedder(loaded.value, use)
  }
  let loading: Promise<{ readonly embedder: Embedder; readonly cache: VectorCache } | undefined> | undefined
  const loaded = () => {
    loading ??= Promise.all([load(), import('../embedders/vector-file.ts')])
      .then(([embedder, { vectorFiles }]) => ({ embedder, cache: vectorFiles(join(stateFolder, 'vectors')) }))
      .catch((error: unknown) => {
        tell(`${error instanceof Error ? error.message : String(error)}; search goes on by words alone`)
        return undefined
      })
    return loading
  }
  /** The index of now; one before it is of a catalog that nobody asks any more, or finishes its query by words. */
  let current: { readonly index: SearchIndex; readonly embedded: EmbeddedIndex } | undefined
  return {
    over: async (index) => {
      const parts = await loaded()
      if (parts === undefined) return undefined
      if (current?.index !== index) {
        await current?.embedded.close()
        current = { index, embedded: embeddedIndex(index, parts.embedder, { cache: parts.cache, onFinding }) }
      }
      return current.embedded
    },
    close: async () => {
      await current?.embedded.close()
      await (await loading)?.embedder.close?.()
    },
  }
}
