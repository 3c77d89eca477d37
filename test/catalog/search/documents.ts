import type { SearchDocument } from '../../../src/catalog/search/search-document.ts'

/** A document of a few fields; a server makes the surface name `server__original`. */
export function aDocument(original: string, description = '', more: Partial<SearchDocument> = {}): SearchDocument {
  return {
    name: more.server === undefined ? original : `${more.server}__${original}`,
    originalName: original,
    description,
    inputSchema: { type: 'object' },
    keywords: [],
    priority: 0,
    definitionHash: `${more.server ?? ''} ${original} ${description}`,
    ...more,
  }
}

/** Two servers that share a few names, and tools of nobody. */
export const shelf: readonly SearchDocument[] = [
  aDocument('read_file', 'Read the complete contents of a file.', { server: 'disk' }),
  aDocument('write_file', 'Write text to a file, replacing what it holds.', { server: 'disk' }),
  aDocument('list_directory', 'List the files and folders of a directory.', { server: 'disk' }),
  aDocument('read_file', 'Read a file of a repository.', { server: 'forge' }),
  aDocument('createIssue', 'Open a new issue in a repository.', {
    server: 'forge',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Headline of the issue.' },
        severity: { type: 'string', enum: ['blocker', 'trivial'] },
      },
    },
  }),
  aDocument('list_issues', 'List the issues of a repository.', { server: 'forge' }),
  aDocument('merge_pull_request', 'Merge a pull request.', { server: 'forge' }),
  aDocument('get_forecast', 'Weather for the next days at a place.', { server: 'sky' }),
  aDocument('convert_currency', 'Converts an amount of money from one currency to another.'),
  aDocument('translate_text', '翻译文本。'),
  aDocument('search', 'Full-text search over the company wiki.'),
]

export const namesOf = (documents: readonly SearchDocument[]): readonly string[] => documents.map(({ name }) => name)
