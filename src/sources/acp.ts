// External agents that speak the Agent Client Protocol: one delegating tool for all of them. Nothing is started
// to offer it; an agent runs only while it is called.

import { cleanText } from '../text/clean-text.ts'
import { invokeAcpAgent, type Tool } from '../tools/index.ts'
import { candidateOf } from './candidate-of.ts'
import type { Source } from './source.ts'

/** The source `acp`: the candidate `invoke_acp_agent` when at least one agent is configured, else nothing. */
export const acp: Source = {
  kind: 'acp',
  collect: async ({ config }) => {
    const [first] = config.acpAgents
    if (first === undefined) return { candidates: [], findings: [], servers: [] }
    const agents = config.acpAgents.map(({ name, description }) => ({ name, description: cleanText(description).text }))
    const tool: Tool = invokeAcpAgent(agents)
    const candidate = candidateOf({
      id: `acp:${tool.name}`,
      source: 'acp',
      protocol: 'acp',
      originalName: tool.name,
      name: tool.name,
      form: tool.form,
      needs: tool.needs,
      effects: tool.effects,
      effectsBy: 'declared',
      availability: { state: 'available' },
      definition: { title: tool.title ?? tool.name, description: tool.description, inputSchema: tool.inputSchema },
      origin: first.origin,
      owner: { source: 'acp', agents: config.acpAgents.map(({ name, command, args }) => ({ name, command, args })) },
    })
    return { candidates: [candidate], findings: [], servers: [], invokers: new Map([[candidate.id, tool]]) }
  },
}
