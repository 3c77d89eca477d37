// One turn under the AI SDK, as docs/adapters.md shows it.

import { generateText, type LanguageModel, type ModelMessage } from 'ai'
import { aiTurn } from '../../src/adapters/ai/index.ts'
import type { AgentThread } from '../../src/runtime/agent-thread.ts'

interface Conversation {
  readonly thread: AgentThread
  readonly model: LanguageModel
  readonly history: ModelMessage[]
}

export async function answered({ thread, model, history }: Conversation, message: string) {
  // docs
  const turn = await aiTurn({ thread, message })
  history.push(turn.message)
  const { text, response } = await generateText({ model, messages: history, ...turn.settings })
  history.push(...response.messages)
  const waitsFor = turn.waitsFor() // a question or an approval that ended the turn; []: none
  // end
  return { text, waitsFor }
}
