import { exposedTool } from '../exposed-tool.ts'
import type { PromptPart } from '../prompt-part.ts'

/** When to ask. Where nobody can answer, the tool is not there and the model decides for itself. */
export const clarification: PromptPart = {
  id: 'clarification',
  text: ({ surface }) => {
    const asks = exposedTool(surface, { role: 'ask-person' })
    if (asks !== undefined)
      return (
        `When something that you need is missing, or a wish can be read in several ways, ask with ${asks.name} before ` +
        'you begin. Your turn ends with the question.'
      )
    return surface.facts.attended.on
      ? ''
      : 'Nobody can answer questions during this run. Decide for yourself, and say what you assumed.'
  },
}
