// The suite of adapters itself: the smallest adapter passes it, and each check finds the fault it is there for.

import { describe, expect, it, test } from 'vitest'
import type { AgentThread } from '../../src/runtime/agent-thread.ts'
import { adapterConformance, type OpenAdapter } from '../../src/testing/adapter-conformance.ts'
import { scriptedProgram } from '../sources/scripted.ts'
import { ownAdapter } from './own-adapter.ts'

const program = scriptedProgram
const own =
  (changed: (thread: AgentThread) => Partial<AgentThread> = () => ({})): OpenAdapter =>
  ({ thread, model }) =>
    ownAdapter({ ...thread, ...changed(thread) }, model.openaiUrl)

describe('an adapter of three functions [R10]', () => {
  for (const check of adapterConformance('own', own(), { program })) test(check.name, check.run)
})

const exactly = 'gives the model what the thread has, request by request, and a promotion opens its tool in the next'
const middle = 'gives the model a tool that joins in the middle of a turn, no more one that left, and the prompt to it'
const refused = 'refuses a denied, a deferred and an unknown tool with our code and action, and none is reached'
const question = 'ends the turn with a question, and answers the calls beside it'

const faulty: readonly (readonly [
  fault: string,
  title: string,
  words: string,
  changed: (thread: AgentThread) => Partial<AgentThread>,
])[] = [
  ['asks for the tools once a turn', exactly, 'the tools of a request', asksOnce],
  [
    'sorts the tools',
    exactly,
    'the tools of a request',
    ({ step }) => ({
      step: async () => {
        const { tools, prompt } = await step()
        return { prompt, tools: tools.toReversed() }
      },
    }),
  ],
  [
    'tidies schemas',
    exactly,
    'the schema of',
    ({ step }) => ({
      step: async () => {
        const { tools, prompt } = await step()
        const tidy = tools.map((tool) => {
          const { description, inputSchema } = tool.definition
          const { type = 'object', ...others } = inputSchema
          return { ...tool, definition: { description, inputSchema: { ...others, type } } }
        })
        return { prompt, tools: tidy }
      },
    }),
  ],
  [
    'keeps the prompt of the first step',
    middle,
    'still names a tool that has left',
    ({ step }) => {
      const first = step()
      return { step: async () => ({ ...(await step()), prompt: (await first).prompt }) }
    },
  ],
  [
    'gives the words of the person to the model past the thread',
    'begins the turn with the words of the person, which load what they route to',
    'the words were not looked at',
    () => ({ begin: async (text) => ({ text, promoted: [] }) }),
  ],
  [
    'answers by itself where the model has no such tool',
    refused,
    '"denied" is not in',
    ({ step, call }) => ({
      call: async (request) => {
        if ((await step()).tools.some(({ name }) => name === request.name)) return call(request)
        const outcome = { kind: 'refused', code: 'no-such-tool', message: 'no such tool', action: 'none' } as const
        return { ...(await call(request)), outcome }
      },
    }),
  ],
  [
    'makes up arguments where it cannot read them',
    'answers a call whose arguments cannot be read, and the turn goes on',
    '"arguments-invalid" is not in',
    ({ call }) => ({ call: (request) => call({ ...request, args: { word: 'key' } }) }),
  ],
  [
    'gives each call the result of the first',
    'gives calls of one message their own results in the next request, errors of a tool among them',
    '"the drawer is stuck" is not in',
    ({ call }) => {
      let first: ReturnType<AgentThread['call']> | undefined
      return {
        call: (request) => {
          first ??= call(request)
          return first
        },
      }
    },
  ],
  ['goes on after a question', question, 'expects that the person says', waitsForNobody],
  [
    'goes on after a call that waits',
    'ends the turn with a call that a person must approve first',
    'the script ends after 1 answers',
    waitsForNobody,
  ],
  [
    'shows no pictures',
    'shows pictures to a model that sees',
    'the picture was not sent',
    () => ({ seesImages: () => false }),
  ],
]

function asksOnce({ step, begin }: AgentThread): Partial<AgentThread> {
  let first: ReturnType<AgentThread['step']> | undefined
  return {
    begin,
    step: () => {
      first ??= step()
      return first
    },
  }
}

function waitsForNobody({ call }: AgentThread): Partial<AgentThread> {
  return {
    call: async (request) => {
      const { waits: _, ...made } = await call(request)
      return made
    },
  }
}

describe('the conformance suite of adapters [R10]', () => {
  it.each(faulty)('finds one that %s', async (_fault, title, words, changed) => {
    const check = adapterConformance('own', own(changed), { program }).find(({ name }) => name === `own: ${title}`)
    expect(check).toBeDefined()
    await expect(check?.run()).rejects.toThrow(words)
  })
})
