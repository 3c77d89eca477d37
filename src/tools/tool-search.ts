import type { Tool } from './tool.ts'

export const toolSearch: Tool = {
  name: 'tool_search',
  title: 'Find a tool',
  description:
    'Loads the definitions of tools of which you know only the name; until then they cannot be called. Name the ' +
    'service and the action in 2 to 6 words, one need a query: `github create issue`. `select:name_a,name_b` loads ' +
    'exactly these; `+word more words` wants the word in the name of the tool or its server; `/pattern/` is a regular ' +
    'expression. Call what was found in your next step.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for, in one of these forms.' },
      max_results: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        description: 'Most definitions to load (5 if you do not say); `select:` loads all that it names.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  form: 'updates-state',
  role: 'tool-search',
  needs: [],
  effects: [],
  execute: async ({ query, max_results: maxResults }, { catalog }) => {
    if (catalog === undefined) throw new Error('there is no catalog to search')
    return catalog.search({ query, ...(typeof maxResults === 'number' ? { maxResults } : {}) })
  },
}
