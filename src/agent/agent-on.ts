// The agent of a toolbox as its configuration describes it: its models, its words, its skills and its helpers.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { modelOf } from '../assembly/facts-of.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { Script } from '../testing/scripted-model/script.ts'
import type { ScriptPlayer } from '../testing/scripted-model/script-player.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { loadModel } from './langchain/load-model.ts'
import { scriptedChatModel } from './langchain/scripted-chat-model.ts'
import { type Agent, openAgent } from './open-agent.ts'

export interface AgentOnInput {
  readonly toolbox: Toolbox
  readonly owner: ThreadOwner
  /** A written conversation in the place of every model. Absent: the models of the configuration. */
  readonly script?: Script | ScriptPlayer
}

/** Throws a ToolgateError that says what to set, install or start when the model of the agent cannot be run. */
export async function agentOn({ toolbox, owner, script }: AgentOnInput): Promise<Agent> {
  if (script !== undefined) return openAgent({ toolbox, owner, model: scriptedChatModel(script) })
  const { config, run } = toolbox.current()
  const models = new Map<string, Promise<BaseChatModel>>()
  const model = (name: string): Promise<BaseChatModel> => {
    const known = models.get(name)
    if (known !== undefined) return known
    const entry = modelOf(config, config.models.some((one) => one.name === name) ? name : undefined)
    const made = loadModel(entry, config)
    models.set(name, made)
    made.catch(() => models.delete(name))
    return made
  }
  // What cannot be run is told now, and not in the middle of a turn.
  await model(run.surface.facts.model.name)
  return openAgent({ toolbox, owner, model })
}
