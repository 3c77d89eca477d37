import type { Tool } from './tool.ts'

export const glob: Tool = {
  name: 'glob',
  title: 'Find files by name',
  description:
    'Finds files whose path fits a pattern: `*` stands for any part of a name, `**` for any folders, `?` for one ' +
    'character. Returns absolute paths. To look into files use grep.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'The pattern, relative to path, such as `**/*.md`.' },
      path: { type: 'string', description: 'Absolute path of the folder to look in.' },
      include_dirs: { type: 'boolean', default: false, description: 'Return folders as well.' },
      max_results: { type: 'integer', minimum: 1, maximum: 1000, default: 200, description: 'Most paths to return.' },
    },
    required: ['pattern', 'path'],
    additionalProperties: false,
  },
  form: 'executes',
  needs: [],
  effects: ['read'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).globTool(args, context),
}
