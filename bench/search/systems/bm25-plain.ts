import { argumentNames } from '../argument-names.ts'
import { bm25f } from '../bm25f.ts'
import type { SearchSystem } from '../system.ts'

export const bm25Plain: SearchSystem = {
  id: 'bm25-plain',
  about: 'BM25F, k1 1.2, b 0.75: name 3, description 1, argument names 0.5',
  build: (documents) =>
    bm25f(documents, {
      fields: [
        { weight: 3, text: (document) => document.originalName },
        { weight: 1, text: (document) => document.description },
        { weight: 0.5, text: (document) => argumentNames(document.inputSchema).join(' ') },
      ],
      k1: 1.2,
      b: 0.75,
    }),
}
