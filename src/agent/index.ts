// The subpath `toolgate/agent`: an agent that has exactly its surface. Apart, because it loads the agent framework.

export type { AgentEvent } from './agent-event.ts'
export { type AgentOnInput, agentOn } from './agent-on.ts'
export { type Agent, type AgentInput, openAgent } from './open-agent.ts'
