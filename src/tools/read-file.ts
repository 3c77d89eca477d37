import type { Tool } from './tool.ts'

export const readFile: Tool = {
  name: 'read_file',
  title: 'Read a file',
  description:
    'Reads a text file and returns its content. For a long file give start_line and end_line and read it in parts. ' +
    'Files that are no text are not returned.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path of the file, such as /mnt/user-data/workspace/notes.md.' },
      start_line: {
        type: 'integer',
        minimum: 1,
        description: 'First line to return, counted from 1. Default: the first.',
      },
      end_line: {
        type: 'integer',
        minimum: 1,
        description: 'Last line to return, itself included. Default: the last.',
      },
    },
    required: ['path'],
    additionalProperties: false,
  },
  form: 'executes',
  role: 'file-read',
  needs: [],
  effects: ['read'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).readFileTool(args, context),
}
