import type { Tool } from './tool.ts'

export const ls: Tool = {
  name: 'ls',
  title: 'List a folder',
  description:
    'Lists the files and folders below a folder, two levels deep; folders end with a slash. Folders of version ' +
    'control, dependencies and build results are left out.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path of the folder, such as /mnt/user-data/workspace.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  form: 'executes',
  needs: [],
  effects: ['read'],
  execute: async (args, context) => (await import('../workspace/files/file-tools.ts')).lsTool(args, context),
}
