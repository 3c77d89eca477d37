import type { Tool } from './tool.ts'

export const askClarification: Tool = {
  name: 'ask_clarification',
  title: 'Ask the person',
  description:
    'Asks the person a question and ends this turn; the answer comes with the next message. Use it when something ' +
    'that is needed is missing, a wish can be read in several ways, or a step is risky. Ask before the work, not after.',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, description: 'One clear question.' },
      kind: {
        type: 'string',
        enum: ['missing-information', 'ambiguous-request', 'choice-of-approach', 'risk', 'suggestion'],
        description: 'Why it is asked.',
      },
      context: { type: 'string', description: 'What the person must know to answer.' },
      options: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 12,
        description: 'Answers to choose from; the person can always write another.',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
  form: 'interrupts',
  role: 'ask-person',
  needs: ['person'],
  effects: [],
  // The question is in the arguments; whoever runs the agent ends the turn with it. Nothing waits here.
  execute: () => 'The question is put to the person. Your turn ends here; the answer comes with the next message.',
}
