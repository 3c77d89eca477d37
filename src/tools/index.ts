// The subpath `toolgate/tools`: what a configuration names as `toolgate/tools:readFile`, and what authors of tools
// import. Named exports, nothing else.

export { askClarification } from './ask-clarification.ts'
export { bash } from './bash.ts'
export { glob } from './glob.ts'
export { grep } from './grep.ts'
export { invokeAcpAgent } from './invoke-acp-agent.ts'
export { ls } from './ls.ts'
export { presentFiles } from './present-files.ts'
export { readFile } from './read-file.ts'
export { strReplace } from './str-replace.ts'
export { task } from './task.ts'
export { defineTool, type Tool, type ToolCallContext, type ToolSpec } from './tool.ts'
export { toolSearch } from './tool-search.ts'
export { viewImage } from './view-image.ts'
export { writeFile } from './write-file.ts'
