import type { Tool } from './tool.ts'

export const writeFile: Tool = {
  name: 'write_file',
  title: 'Write a file',
  description:
    'Writes text to a file and makes the folders on its way. An existing file is replaced, or continued with append. ' +
    'To change a part of a file use str_replace.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path of the file, such as /mnt/user-data/outputs/report.md.' },
      content: { type: 'string', description: 'The whole text to write.' },
      append: { type: 'boolean', default: false, description: 'Add the text at the end and keep what is there.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  form: 'executes',
  needs: [],
  effects: ['write'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).writeFileTool(args, context),
}
