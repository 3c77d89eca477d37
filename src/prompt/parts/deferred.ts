import { promptParts, promptTools } from '../../catalog/prompt/prompt-parts.ts'
import { promptText } from '../../catalog/prompt/prompt-text.ts'
import { exposedTool } from '../exposed-tool.ts'
import type { PromptPart } from '../prompt-part.ts'

/** Names of what can be fetched, how to fetch it, and which tool goes with which words. Last: it changes most often. */
export const deferred: PromptPart = {
  id: 'deferred',
  text: ({ surface, absent }) => {
    const search = exposedTool(surface, { role: 'tool-search' })
    const { names, hints } = promptParts(promptTools(surface))
    const gone =
      absent.length === 0
        ? ''
        : `Tools that were used earlier in this conversation and are not there any more: ${absent.map((name) => promptText(name, 128)).join(', ')}.`
    const how =
      search === undefined || names === ''
        ? ''
        : `These tools are there and not loaded. Load one with ${search.name} before you call it.`
    return [how, search === undefined ? '' : names, hints, gone].filter((part) => part !== '').join('\n')
  },
}
