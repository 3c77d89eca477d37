import { promptText } from '../../catalog/prompt/prompt-text.ts'
import { exposedTool } from '../exposed-tool.ts'
import type { PromptPart } from '../prompt-part.ts'

/** Who can be given work. */
export const delegation: PromptPart = {
  id: 'delegation',
  text: ({ surface, children }) => {
    const hands = exposedTool(surface, { role: 'subagent' })
    if (hands === undefined) return ''
    const list = children.map(
      ({ name, description }) =>
        `- ${promptText(name, 64)}${description === '' ? '' : `: "${promptText(description, 300)}"`}`,
    )
    return [
      `Work of several steps that stands for itself can go to a helper with ${hands.name}; independent work to several ` +
        'at the same time. A helper sees nothing of this conversation.',
      ...(list.length === 0 ? [] : ['Helpers:', ...list]),
    ].join('\n')
  },
}
