// A model of the AI SDK that speaks OpenAI's Chat Completions to the scripted server: the thinnest provider there can be,
// so that what goes over the wire is what the SDK hands it.

import { type LanguageModel, simulateStreamingMiddleware, wrapLanguageModel } from 'ai'

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
type Asked = Parameters<Model['doGenerate']>[0]
type Answered = Awaited<ReturnType<Model['doGenerate']>>
type Message = Asked['prompt'][number]
type Part = Extract<Message, { readonly role: 'assistant' }>['content'][number]
type Output = Extract<Part, { readonly type: 'tool-result' }>['output']

interface Completion {
  readonly choices: readonly {
    readonly finish_reason: string
    readonly message: {
      readonly content: string | null
      readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
    }
  }[]
}

/** `baseUrl`: as clients of OpenAI take it. */
export function chatModel(baseUrl: string): Model {
  const model: Model = {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'some',
    supportedUrls: {},
    doGenerate: async (asked) => {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(asked)),
        ...(asked.abortSignal === undefined ? {} : { signal: asked.abortSignal }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return answerOf(JSON.parse(text))
    },
    doStream: () => Promise.reject(new Error('streams are made of whole answers')),
  }
  return wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() })
}

const bodyOf = ({ prompt, tools = [] }: Asked) => ({
  model: 'some',
  messages: prompt.flatMap(messagesOf),
  tools: tools.flatMap((tool) =>
    tool.type !== 'function'
      ? []
      : [
          {
            type: 'function',
            function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
          },
        ],
  ),
})

function messagesOf(message: Message): readonly object[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }]
  const parts: readonly Part[] = message.content.filter((part): part is Part => part.type !== 'tool-approval-response')
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  if (message.role === 'user') return [{ role: 'user', content: text }]
  if (message.role === 'tool')
    return parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ role: 'tool', tool_call_id: part.toolCallId, content: contentOf(part.output) }]
        : [],
    )
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.toolCallId,
            type: 'function',
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  )
  return [{ role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }]
}

function contentOf(output: Output): unknown {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type !== 'content') return JSON.stringify(output)
  return output.value.map((part) =>
    part.type === 'image-data'
      ? { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } }
      : part,
  )
}

function answerOf({ choices }: Completion): Answered {
  const choice = choices[0]
  const calls = choice?.message.tool_calls ?? []
  const text = choice?.message.content ?? ''
  return {
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, function: { name, arguments: input } }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
      })),
    ],
    finishReason: { unified: calls.length === 0 ? 'stop' : 'tool-calls', raw: choice?.finish_reason },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  }
}
