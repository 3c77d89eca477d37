import type { Tool } from './tool.ts'

export const viewImage: Tool = {
  name: 'view_image',
  title: 'Look at an image',
  description:
    'Opens an image file (png, jpeg, webp, gif) so that you can see it. Use it before you describe or judge a picture.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path of the image, such as /mnt/user-data/uploads/plan.png.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  form: 'executes',
  needs: ['vision'],
  effects: ['read'],
  execute: async (args, context) => (await import('../workspace/files/view-image.ts')).viewImageTool(args, context),
}
