// A chat model of this process that does what it is told: so many calls of one tool, one a request, and then an answer.

import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'

export interface CallingModelOptions {
  /** Calls of one turn. */
  readonly steps: number
  readonly call: { readonly name: string; readonly args: { readonly [key: string]: unknown } }
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
    return this.withConfig({ ...options, tools })
  }

  /** Throws when it is not given the tool that it calls. */
  override async _generate(messages: BaseMessage[], { tools = [] }: this['ParsedCallOptions']): Promise<ChatResult> {
    const { steps, call } = this.#options
    if (!tools.some((one) => 'name' in one && one.name === call.name)) throw new Error('the tool is not there')
    const made = messages.filter((message) => message.getType() === 'tool').length
    const message =
      made < steps
        ? new AIMessage({ content: '', tool_calls: [{ id: `call-${made}`, type: 'tool_call', ...call }] })
        : new AIMessage('done')
    return { generations: [{ text: message.text, message }] }
  }
}
