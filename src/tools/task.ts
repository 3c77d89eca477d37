import type { Tool } from './tool.ts'

/** No effects of its own: a child has its own surface, inside its parent's, and each of its calls is judged there. */
export const task: Tool = {
  name: 'task',
  title: 'Hand over a task',
  description:
    'Gives a task of several steps to a helper agent and returns its result. The helper sees nothing of this ' +
    'conversation: say everything it must know. Independent tasks can be given at the same time. Do not use it for ' +
    'what one or two calls can do.',
  inputSchema: {
    type: 'object',
    properties: {
      description: {
        type: 'string',
        minLength: 1,
        description: 'The task in three to six words, shown to the person.',
      },
      prompt: { type: 'string', minLength: 1, description: 'The whole task: goal, what is known, what to return.' },
      agent: { type: 'string', description: 'Which helper takes it. Default: one for general work.' },
    },
    required: ['description', 'prompt'],
    additionalProperties: false,
  },
  form: 'delegates',
  role: 'subagent',
  needs: [],
  effects: [],
  execute: async ({ agent, description, prompt }, { children }) => {
    if (children === undefined) throw new Error('nothing here runs agents')
    const named = typeof agent === 'string' ? { agent } : {}
    return children.run({ ...named, description: String(description), prompt: String(prompt) })
  },
}
