import type { Tool } from './tool.ts'

export const toolSearch: Tool = {
  name: 'tool_search',
  title: 'Find a tool',
  description:
    'Fetches the full definitions of tools of which you know only the name; until then they cannot be called. ' +
    'Queries: `select:name_a,name_b` fetches exactly these; `+word more words` wants the word in the name; plain ' +
    'words find the tools that fit best. Call the found tool in the next step.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'What to look for, in one of the three forms.',
      },
      max_results: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        default: 5,
        description: 'Most tools to fetch; select: has no limit.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  form: 'updates-state',
  role: 'tool-search',
  needs: [],
  effects: [],
}
