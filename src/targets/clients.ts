// What MCP clients accept of a server. A client puts text of its own before a name, so the limit given here is the
// client's less that text, for a server that is called `toolgate` there (8 characters).

import type { Figure, Target, TargetFigures } from './target.ts'

const noCap: Figure<undefined> = [undefined, 'U', 'no limit found']

/** Where nothing is known of a client: the common form. */
const unknown: TargetFigures = {
  nameMax: [64, 'U', 'no limit found; the common form'],
  nameCharset: ['word-dash', 'U', 'no limit found; the common form'],
  nameStartsWithLetter: [false, 'U', ''],
  toolsMax: noCap,
  descriptionMax: noCap,
  descriptionRequired: [false, 'U', ''],
  schemaProfile: ['common', 'U', 'the client adapts schemas to the model that is chosen in it'],
}

export const clients: readonly Target[] = [
  {
    name: 'cursor',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [52, 'O', '60 for server and tool together, else left out (mcp-playwright#145)'],
      nameCharset: ['word', 'O', 'warns on other characters (webstudio#5960)'],
      toolsMax: [40, 'O', 'only the first 40 arrived (mcp-testrail#6); later versions 80 (cocos-mcp-server#11)'],
    },
  },
  {
    name: 'vscode',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [51, 'O', '64 with `mcp_toolgate_` before it; other characters are remapped (vscode#243602)'],
      toolsMax: [128, 'O', 'vscode-copilot-release#9375; above it the client groups or searches'],
    },
  },
  {
    name: 'windsurf',
    kind: 'client',
    figures: { ...unknown, toolsMax: [100, 'D', 'Cascade documentation'] },
  },
  {
    name: 'zed',
    kind: 'client',
    figures: { ...unknown, toolsMax: [128, 'O', 'gitlab-mcp-zed#8'] },
  },
  {
    name: 'claude-code',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [49, 'O', '64 in search references (claude-code#19882) with `mcp__toolgate__` before it; 128 elsewhere'],
      nameCharset: ['word-dash', 'D', 'MCP documentation of the client'],
      toolsMax: [undefined, 'D', 'searches from a share of the context on'],
      descriptionMax: [2048, 'D', 'MCP documentation of the client; claude-code#81268'],
      schemaProfile: ['anthropic', 'O', 'claude-code#40075, #79418: schemas go to the API as they are'],
    },
  },
  {
    name: 'claude-desktop',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [64, 'O', 'orchard-mcp#14, ImmichMCP#4'],
      nameCharset: ['word-dash', 'O', 'no dots (loomle#168)'],
      schemaProfile: ['anthropic', 'O', 'the same API as claude-code'],
    },
  },
  {
    name: 'codex',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [49, 'U', "64 of OpenAI's API with `mcp__toolgate__` before it"],
      nameCharset: ['word-dash', 'O', 'codex#8174'],
      schemaProfile: ['openai', 'U', "OpenAI's API stands behind it"],
    },
  },
  {
    name: 'gemini-cli',
    kind: 'client',
    figures: {
      ...unknown,
      nameMax: [50, 'D', '63, cut in the middle, with `mcp_toolgate_` before it (documentation of the client)'],
      toolsMax: [512, 'O', 'built-ins first (gemini-cli PR#26869)'],
    },
  },
]
