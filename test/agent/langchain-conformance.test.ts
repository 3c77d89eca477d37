// What every adapter of an agent framework must hold, of LangChain's agent.

import { ChatOpenAI } from '@langchain/openai'
import { describe, test } from 'vitest'
import { openAgent } from '../../src/agent/open-agent.ts'
import type { WaitingFor } from '../../src/state/thread-state.ts'
import { adapterConformance, type OpenAdapter } from '../../src/testing/adapter-conformance.ts'
import { scriptedProgram } from '../sources/scripted.ts'

const langchain: OpenAdapter = ({ toolbox, owner, model: { openaiUrl } }) => {
  const model = new ChatOpenAI({ apiKey: 'none', model: 'some', maxRetries: 0, configuration: { baseURL: openaiUrl } })
  const agent = openAgent({ toolbox, owner, model })
  return {
    turn: async (message) => {
      const waitsFor: WaitingFor['kind'][] = []
      for await (const event of agent.turn(message)) {
        if (event.type === 'clarification' || event.type === 'approval') waitsFor.push(event.type)
        if (event.type === 'end' && event.because !== 'answered' && event.because !== 'waiting')
          throw new Error(`${event.because}: ${event.message}`)
      }
      return { waitsFor }
    },
  }
}

describe('the adapter of LangChain [R8] [R10]', () => {
  for (const { name, run } of adapterConformance('LangChain', langchain, { program: scriptedProgram })) test(name, run)
})
