import type { Tool } from './tool.ts'

export const presentFiles: Tool = {
  name: 'present_files',
  title: 'Hand files to the person',
  description:
    'Shows finished files to the person, as results to open or download. Only files under /mnt/user-data/outputs can ' +
    'be shown; call it once the files are written.',
  inputSchema: {
    type: 'object',
    properties: {
      paths: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 100,
        description: 'Absolute paths of the files, the most important first.',
      },
    },
    required: ['paths'],
    additionalProperties: false,
  },
  form: 'updates-state',
  needs: [],
  effects: ['read'],
  execute: async (args, context) =>
    (await import('../workspace/files/present-files.ts')).presentFilesTool(args, context),
}
