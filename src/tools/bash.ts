import type { Tool } from './tool.ts'

export const bash: Tool = {
  name: 'bash',
  title: 'Run a command',
  description:
    'Runs a bash command in the workspace of this conversation and returns its output and exit code. Each call is a ' +
    'new shell: no working folder and no variable is kept. To read, write and find files use the tools for that.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1, description: 'The command line.' },
      timeout_s: {
        type: 'integer',
        minimum: 1,
        maximum: 600,
        default: 120,
        description: 'Seconds after which it is ended.',
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  form: 'executes',
  role: 'shell',
  needs: ['shell'],
  effects: ['read', 'write', 'execute', 'network'],
  execute: async (args, context) => (await import('../workspace/sandbox/bash-tool.ts')).bashTool(args, context),
}
