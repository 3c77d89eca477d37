import type { Tool } from './tool.ts'

export const strReplace: Tool = {
  name: 'str_replace',
  title: 'Change a part of a file',
  description:
    'Replaces a piece of text in a file. old_str must occur exactly once, letter by letter with its blanks and line ' +
    'breaks; with replace_all every occurrence is replaced. Read the file first.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path of the file.' },
      old_str: { type: 'string', minLength: 1, description: 'The text as it stands in the file.' },
      new_str: { type: 'string', description: 'The text to put in its place. Empty: the old text is taken out.' },
      replace_all: {
        type: 'boolean',
        default: false,
        description: 'Replace every occurrence instead of the only one.',
      },
    },
    required: ['path', 'old_str', 'new_str'],
    additionalProperties: false,
  },
  form: 'executes',
  role: 'file-edit',
  needs: [],
  effects: ['read', 'write'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).strReplaceTool(args, context),
}
