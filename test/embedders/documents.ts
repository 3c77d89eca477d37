// Documents for tests of embedding, and the index of words over them.

import type { SearchDocument } from '../../src/catalog/search/search-document.ts'

export const documentOf = (name: string, description: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  name: `files__${name}`,
  originalName: name,
  server: 'files',
  description,
  inputSchema: { type: 'object', properties: {} },
  keywords: [],
  priority: 0,
  definitionHash: `hash of ${name} ${description}`,
  ...more,
})

export const someDocuments: readonly SearchDocument[] = [
  documentOf('get_forecast', 'Tells the weather of a city'),
  documentOf('erase_document', 'Takes it away for good'),
  documentOf('send_note', 'Hands a message to a person'),
  documentOf('list_issues', 'Open issues of a repository'),
]
