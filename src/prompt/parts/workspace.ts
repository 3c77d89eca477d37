import { exposedTool } from '../exposed-tool.ts'
import type { PromptPart } from '../prompt-part.ts'

/** Where files are. Only for a model that can do something with a file. */
export const workspace: PromptPart = {
  id: 'workspace',
  text: ({ surface }) => {
    const reads = exposedTool(surface, { role: 'file-read' })
    const edits = exposedTool(surface, { role: 'file-edit' })
    const shell = exposedTool(surface, { role: 'shell' })
    if (reads === undefined && edits === undefined && shell === undefined) return ''
    const presents = exposedTool(surface, { id: 'builtin:present_files' })
    return [
      'Files of this conversation have absolute paths:',
      '- /mnt/user-data/uploads: what the person gave you',
      '- /mnt/user-data/workspace: where you work',
      `- /mnt/user-data/outputs: what is meant for the person${presents === undefined ? '' : `; show it with ${presents.name} once it is finished`}`,
    ].join('\n')
  },
}
