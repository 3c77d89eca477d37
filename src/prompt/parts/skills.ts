import { promptText } from '../../catalog/prompt/prompt-text.ts'
import { exposedTool } from '../exposed-tool.ts'
import type { PromptPart } from '../prompt-part.ts'

/** Skills by name and purpose; their text is read when it is needed, so it is offered only to a model that can read. */
export const skills: PromptPart = {
  id: 'skills',
  text: ({ surface, skills: all }) => {
    const reads = exposedTool(surface, { role: 'file-read' })
    if (reads === undefined || all.length === 0) return ''
    const lines = [...all]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        ({ name, description, path, active }) =>
          `- ${promptText(name, 64)}${active ? ' (in use)' : ''}: "${promptText(description, 500)}" in ${promptText(path, 300)}`,
      )
    return [
      '<skills>',
      `How to do certain work. Before you do work that one describes, read its file with ${reads.name} and follow it.`,
      ...lines,
      '</skills>',
    ].join('\n')
  },
}
