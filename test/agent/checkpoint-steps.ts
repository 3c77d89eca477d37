// A graph of three nodes for tests of what a conversation keeps: one, and then two in one step.

import { appendFileSync } from 'node:fs'
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph'
import { conversationId } from '../../src/agent/langchain/checkpoint-saver.ts'

export const owner = { user: 'ada', thread: 't1' }
export const at = { configurable: { thread_id: conversationId('main', '') }, durability: 'sync' as const }

const State = Annotation.Root({
  done: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
})

/** Each node writes its name into `log` when it runs. The last waits for `inThird`. */
export function threeSteps(checkpointer: BaseCheckpointSaver, log: string, inThird: () => Promise<void>) {
  const named = (name: string) => async () => {
    appendFileSync(log, `${name}\n`)
    if (name === 'third') await inThird()
    return { done: [name] }
  }
  return new StateGraph(State)
    .addNode('first', named('first'))
    .addNode('second', named('second'))
    .addNode('third', named('third'))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('first', 'third')
    .addEdge('second', END)
    .addEdge('third', END)
    .compile({ checkpointer })
}
