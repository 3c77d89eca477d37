// The agent of a toolbox as its configuration describes it: its model, its words, its skills and its helpers.

import { agentOf, modelOf } from '../assembly/facts-of.ts'
import type { Config } from '../config/config.ts'
import type { PromptChild } from '../prompt/prompt-part.ts'
import type { Calls, Toolbox } from '../runtime/toolbox.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { loadModel } from './langchain/load-model.ts'
import { type Agent, openAgent } from './open-agent.ts'

export interface AgentOnInput {
  readonly toolbox: Toolbox
  readonly owner: ThreadOwner
  readonly calls: Calls
}

/** Throws a ToolgateError that says what to set, install or start when the model cannot be run. */
export async function agentOn({ toolbox, owner, calls }: AgentOnInput): Promise<Agent> {
  const { config, run } = toolbox.current()
  const { facts } = run.surface
  const own = agentOf(config, facts.agent.name === 'default' ? undefined : facts.agent.name)
  const model = await loadModel(modelOf(config, facts.model.name === 'default' ? undefined : facts.model.name), config)
  return openAgent({
    toolbox,
    owner,
    calls,
    model,
    instructions: own.description,
    skills: [],
    children: childrenOf(config, own),
    today: new Date().toISOString().slice(0, 10),
  })
}

const childrenOf = (config: Config, own: ReturnType<typeof agentOf>): readonly PromptChild[] =>
  config.agents
    .filter(({ name }) => name !== own.name && own.children?.includes(name) !== false)
    .map(({ name, description }) => ({ name, description }))
