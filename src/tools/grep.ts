import type { Tool } from './tool.ts'

export const grep: Tool = {
  name: 'grep',
  title: 'Search in files',
  description:
    'Finds lines in text files that match a regular expression, or a plain text with literal. Returns path, line ' +
    'number and line. Letter case does not count unless case_sensitive is set.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 1, description: 'A regular expression, or the plain text to look for.' },
      path: { type: 'string', description: 'Absolute path of the file or folder to search.' },
      glob: { type: 'string', description: 'Search only files whose path fits this pattern, such as `*.ts`.' },
      literal: { type: 'boolean', default: false, description: 'Take the pattern as plain text.' },
      case_sensitive: { type: 'boolean', default: false, description: 'Let letter case count.' },
      max_results: { type: 'integer', minimum: 1, maximum: 500, default: 100, description: 'Most lines to return.' },
    },
    required: ['pattern', 'path'],
    additionalProperties: false,
  },
  form: 'executes',
  needs: [],
  effects: ['read'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).grepTool(args, context),
}
