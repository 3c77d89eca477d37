// The protocols that the scripted model speaks. A new one is a file here and a line below.

import { anthropicMessages } from './anthropic-messages.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Wire } from './wire.ts'

export const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages]
