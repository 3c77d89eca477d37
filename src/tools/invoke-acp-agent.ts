import type { Tool } from './tool.ts'

/**
 * The one tool through which all configured ACP agents are reached; its description and the values of `agent` name
 * them. Agents in the order of the configuration. An external agent may do anything: all effects.
 */
export function invokeAcpAgent(agents: readonly { readonly name: string; readonly description: string }[]): Tool {
  const list = agents.map((agent) => `- ${agent.name}: ${agent.description}`)
  return {
    name: 'invoke_acp_agent',
    title: 'Hand over to an external agent',
    description: [
      'Gives a task to an agent outside this program and returns its answer. It works in a folder of its own and sees ' +
        'neither this conversation nor the files under /mnt/user-data: say everything it must know. What it leaves ' +
        'behind can be read under /mnt/acp-workspace. Agents:',
      ...list,
    ].join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: agents.map((agent) => agent.name), description: 'Which agent takes the task.' },
        prompt: { type: 'string', minLength: 1, description: 'The whole task: goal, what is known, what to return.' },
      },
      required: ['agent', 'prompt'],
      additionalProperties: false,
    },
    form: 'delegates',
    needs: [],
    effects: ['read', 'write', 'execute', 'network'],
  }
}
