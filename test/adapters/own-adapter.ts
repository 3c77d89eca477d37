// The smallest adapter there can be, as docs/adapters.md shows it: a loop of one's own around a model.

import type { Decision } from '../../src/core/decision.ts'
import type { AgentThread } from '../../src/runtime/agent-thread.ts'
import { type ModelContent, modelContent } from '../../src/runtime/model-content.ts'
import type { ToolRequest } from '../../src/runtime/tool-call.ts'
import type { DrivenAdapter } from '../../src/testing/adapter-conformance.ts'

interface Asked {
  readonly prompt: string
  readonly tools: readonly Decision[]
  readonly history: object[]
}

interface Reply {
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
}

/** `url`: of OpenAI's Chat Completions. */
export function ownAdapter(thread: AgentThread, url: string): DrivenAdapter {
  const history: object[] = []
  const ask = (asked: Asked) => calledBy(url, asked)
  return {
    // docs
    turn: async (message) => {
      history.push({ role: 'user', content: (await thread.begin(message)).text })
      for (;;) {
        const { tools, prompt } = await thread.step()
        const calls = await ask({ prompt, tools, history }) // adds the answer of the model; gives its calls
        const made = await Promise.all(calls.map((call) => thread.call(call)))
        for (const [at, { outcome }] of made.entries())
          history.push(resultOf(calls[at], modelContent(outcome, thread.seesImages())))
        const waitsFor = made.flatMap(({ waits }) => waits?.kind ?? [])
        if (calls.length === 0 || waitsFor.length > 0) return { waitsFor }
      }
    },
    // end
  }
}

async function calledBy(url: string, { prompt, tools, history }: Asked): Promise<readonly ToolRequest[]> {
  const body = {
    messages: [{ role: 'system', content: prompt }, ...history],
    tools: tools.map(({ name, definition: { description, inputSchema } }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  }
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  const { choices } = (await response.json()) as { readonly choices: readonly [{ readonly message: Reply }] }
  const { message } = choices[0]
  history.push({ role: 'assistant', ...message })
  return (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    callId: id,
    name,
    args: jsonOr(args),
  }))
}

const resultOf = (call: ToolRequest | undefined, content: readonly ModelContent[]): object => ({
  role: 'tool',
  tool_call_id: call?.callId,
  content: content.map((part) =>
    part.type === 'text'
      ? part
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  ),
})

/** What cannot be read goes on as it was written: the thread says that it is no object. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
