import MiniSearch from 'minisearch'
import { argumentNames } from '../argument-names.ts'
import type { SearchSystem } from '../system.ts'
import { isQueryStop, isTextStop, stem, words } from '../words.ts'

export const minisearchTuned: SearchSystem = {
  id: 'minisearch-tuned',
  about: 'MiniSearch with our baselines’ words, stop-words and stem; boosts, fuzzy and prefix search',
  build(documents) {
    const index = new MiniSearch({
      idField: 'id',
      fields: ['name', 'server', 'description', 'arguments'],
      tokenize: words,
      processTerm: (word) => (isTextStop(word) ? null : stem(word)),
      searchOptions: {
        boost: { name: 3, server: 1.5, description: 1, arguments: 0.5 },
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        prefix: (term) => term.length > 3,
        processTerm: (word) => (isQueryStop(word) ? null : stem(word)),
      },
    })
    index.addAll(
      documents.map(({ name, originalName, server = '', description, inputSchema }) => ({
        id: name,
        name: originalName,
        server,
        description,
        arguments: argumentNames(inputSchema).join(' '),
      })),
    )
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id))
  },
}
