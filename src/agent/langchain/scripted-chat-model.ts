// A written conversation as a chat model of this process: no server, no key, no package of a provider. What it is asked
// is read into the same form as over a wire, and the same player finds the step.

import { setTimeout as after } from 'node:timers/promises'
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import { piecesOf } from '../../testing/scripted-model/pieces.ts'
import { type Script, type ScriptFailure, scriptedModelName } from '../../testing/scripted-model/script.ts'
import { type PlayedStep, type ScriptPlayer, scriptPlayer } from '../../testing/scripted-model/script-player.ts'
import { everyProvider } from '../../testing/scripted-model/wires/history-objection.ts'
import { scriptedNote } from '../../testing/scripted-model/wires/wire.ts'
import { modelRequest } from './model-request.ts'

export interface ScriptedChatModelOptions {
  /** What the condition `when.model` of a child is compared with. Absent: `script`. */
  readonly model?: string
}

interface CallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[]
}

/**
 * Answers as the script has it. A request that the script does not have rejects with one sentence: which step, what was
 * expected, what came; a step that fails rejects with its message, after half of its answer where it fails within.
 * Several models of one player share what is counted. Throws a ToolgateError `script-invalid`.
 */
export function scriptedChatModel(
  script: Script | ScriptPlayer,
  options: ScriptedChatModelOptions = {},
): BaseChatModel<CallOptions> {
  return new ScriptedChatModel('answer' in script ? script : scriptPlayer(script), options.model ?? scriptedModelName)
}

/** A class, because the framework knows models by theirs. */
class ScriptedChatModel extends BaseChatModel<CallOptions> {
  readonly #player: ScriptPlayer
  readonly #model: string

  constructor(player: ScriptPlayer, model: string) {
    super({})
    this.#player = player
    this.#model = model
  }

  override _llmType(): string {
    return 'toolgate-script'
  }

  override bindTools(tools: BindToolsInput[], options: Partial<CallOptions> = {}) {
    return this.withConfig({ ...options, tools })
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined
    for await (const chunk of this.#chunks(messages, options, false)) whole = whole?.concat(chunk) ?? chunk
    return { generations: whole === undefined ? [] : [whole] }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const chunk of this.#chunks(messages, options, true)) {
      yield chunk
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk })
    }
  }

  async *#chunks(
    messages: BaseMessage[],
    { tools = [], signal }: this['ParsedCallOptions'],
    isStream: boolean,
  ): AsyncGenerator<ChatGenerationChunk> {
    const asked = modelRequest(messages, tools, { model: this.#model, stream: isStream })
    const played = this.#player.answer(asked, everyProvider)
    if ('objection' in played) throw new Error(played.objection)
    const { step, failure } = played
    await pause(step.delay_ms, signal)
    const pieces = [...piecesOfAnswer(played)]
    const isBegun = failure !== undefined && failure.status === undefined && failure.cut !== 'start'
    const given = failure === undefined ? pieces : pieces.slice(0, isBegun ? Math.max(1, pieces.length >> 1) : 0)
    for (const message of given) {
      yield new ChatGenerationChunk({ text: message.text, message })
      if (isStream) await pause(step.pace_ms, signal)
    }
    if (failure !== undefined) throw failed(failure)
  }
}

/** The parts of a message as a stream brings them: its text, then the calls one by one, then what was used. */
function* piecesOfAnswer({ answer: { id, say, calls, usage } }: PlayedStep): Iterable<AIMessageChunk> {
  for (const content of piecesOf(say)) yield new AIMessageChunk({ id, content })
  for (const [index, call] of calls.entries()) {
    yield callPiece(id, { index, id: call.id, name: call.tool, args: '' })
    for (const args of piecesOf(call.args)) yield callPiece(id, { index, args })
  }
  const { input, output } = usage
  yield new AIMessageChunk({
    id,
    content: '',
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { model_name: scriptedModelName, system_fingerprint: scriptedNote },
  })
}

interface CallPiece {
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly args: string
}

const callPiece = (id: string, piece: CallPiece): AIMessageChunk =>
  new AIMessageChunk({ id, content: '', tool_call_chunks: [{ ...piece, type: 'tool_call_chunk' }] })

/** With the status where the script has one, as the errors of clients have. */
function failed({ status, message = 'the script has a failure here' }: ScriptFailure): Error {
  return Object.assign(new Error(message), status === undefined ? {} : { status })
}

async function pause(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (ms !== undefined && ms > 0) await after(ms, undefined, signal === undefined ? {} : { signal })
}
