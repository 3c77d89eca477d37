import { searchIndex } from '../../../src/catalog/search/search-index.ts'
import type { SearchSystem } from '../system.ts'

export const toolgate: SearchSystem = {
  id: 'toolgate',
  about: 'our engine, as it stands in this tree',
  build(documents) {
    const index = searchIndex(documents)
    return (query, limit) => index.rank(query, limit).hits.map(({ document }) => document.name)
  },
}
