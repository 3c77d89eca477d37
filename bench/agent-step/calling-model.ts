// A chat model of this process that does what it is told: so many calls of one tool, one a request, and then an answer.
// It puts the request into the form of a provider, as every client does, and sends it nowhere.

import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'

export interface CallingModelOptions {
  /** Calls of one turn. */
  readonly steps: number
  readonly call: { readonly name: string; readonly args: { readonly [key: string]: unknown } }
  /** False: it looks at nothing that it is given, so that only the work around it is left. */
  readonly writes: boolean
}

interface CallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[]
}

export const callingModel = (options: CallingModelOptions): BaseChatModel<CallOptions> => new CallingModel(options)

/** A class, because the framework knows models by theirs. */
class CallingModel extends BaseChatModel<CallOptions> {
  readonly #options: CallingModelOptions

  constructor(options: CallingModelOptions) {
    super({})
    this.#options = options
  }

  override _llmType(): string {
    return 'bench'
  }

  override bindTools(tools: BindToolsInput[], options: Partial<CallOptions> = {}) {
    return this.withConfig({ ...options, tools: this.#options.writes ? tools.map(wireTool) : tools })
  }

  /** Throws when it is not given tools. */
  override async _generate(messages: BaseMessage[], { tools = [] }: this['ParsedCallOptions']): Promise<ChatResult> {
    const { steps, call, writes } = this.#options
    const body = writes ? JSON.stringify({ messages: messages.map(wireMessage), tools }) : ''
    if (tools.length === 0 || (writes && !body.includes(`"${call.name}"`))) throw new Error('the tool is not there')
    const made = messages.filter((message) => message.getType() === 'tool').length
    const message =
      made < steps
        ? new AIMessage({ content: '', tool_calls: [{ id: `call-${made}`, type: 'tool_call', ...call }] })
        : new AIMessage('done')
    return { generations: [{ text: message.text, message }] }
  }
}

const wireTool = (tool: BindToolsInput): BindToolsInput =>
  convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0])

const wireMessage = (message: BaseMessage): object => ({
  role: message.getType(),
  content: message.text,
  ...(AIMessage.isInstance(message) ? { tool_calls: message.tool_calls } : {}),
})
