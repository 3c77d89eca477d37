// What the APIs of model providers accept, and `common`, which is what holds where nobody named a target.

import type { Target, TargetFigures } from './target.ts'

const openaiFigures: TargetFigures = {
  nameMax: [64, 'D', 'API reference, ^[a-zA-Z0-9_-]{1,64}$'],
  nameCharset: ['word-dash', 'D', 'API reference; codex#8174'],
  nameStartsWithLetter: [false, 'D', 'API reference'],
  toolsMax: [128, 'O', 'opencode#4909, vscode-copilot-release#9375'],
  descriptionMax: [1024, 'O', 'sentry-mcp#106, open_deep_research#80; newer models take more (llama_index PR#18784)'],
  descriptionRequired: [false, 'U', ''],
  schemaProfile: ['openai', 'O', 'langchainjs#9804, inboxapi/cli#106, aichat#1049'],
}

/** What nearly every receiver takes; the target of a run that names none. */
export const common: Target = {
  name: 'common',
  kind: 'any',
  figures: {
    nameMax: [64, 'D', 'the least of all providers'],
    nameCharset: ['word-dash', 'D', 'what all providers take'],
    nameStartsWithLetter: [false, 'O', 'only Gemini wants a letter; name it as target for that'],
    toolsMax: [undefined, 'U', 'depends on the receiver; name it as target to have its cap met'],
    descriptionMax: [undefined, 'U', 'depends on the receiver'],
    descriptionRequired: [true, 'O', 'Bedrock wants one, and filling an empty one harms nobody'],
    schemaProfile: ['common', 'O', 'what is refused by most is mended, the rest stays'],
  },
}

export const providers: readonly Target[] = [
  { name: 'openai', kind: 'provider', figures: openaiFigures },
  {
    name: 'openai-strict',
    kind: 'provider',
    figures: {
      ...openaiFigures,
      schemaProfile: ['openai-strict', 'D', 'structured outputs guide; chatlas PR#255, dotnet/extensions#6266'],
    },
  },
  {
    name: 'anthropic',
    kind: 'provider',
    figures: {
      nameMax: [64, 'O', 'search references take 64 (claude-code#19882); plain tools 128 (copilot-cli#1879)'],
      nameCharset: ['word-dash', 'O', 'copilot-cli#1879, #2581'],
      nameStartsWithLetter: [false, 'O', 'copilot-cli#1879'],
      toolsMax: [undefined, 'U', 'no fixed cap found; choice is best below 30 to 50'],
      descriptionMax: [undefined, 'U', 'no cap found'],
      descriptionRequired: [false, 'U', ''],
      schemaProfile: ['anthropic', 'O', 'claude-code#40075, #79418, openclaw#98588'],
    },
  },
  {
    name: 'gemini',
    kind: 'provider',
    figures: {
      nameMax: [64, 'D', 'API reference; gemini-cli#6704'],
      nameCharset: ['word-dash', 'D', 'dots and colons are documented but not taken on every route'],
      nameStartsWithLetter: [true, 'D', 'API reference; gemini-cli#6704'],
      toolsMax: [512, 'O', 'gemini-cli#19083, #25440; 128 on some routes (antigravity_bypass#7)'],
      descriptionMax: [undefined, 'U', 'no cap found'],
      descriptionRequired: [false, 'U', ''],
      schemaProfile: ['gemini', 'O', 'promptfoo#6902, google_workspace_mcp#1099, opencode#11889, #14659'],
    },
  },
  {
    name: 'bedrock',
    kind: 'provider',
    figures: {
      nameMax: [64, 'D', 'ToolSpecification; awslabs/mcp#616'],
      nameCharset: ['word-dash', 'D', 'ToolSpecification'],
      nameStartsWithLetter: [false, 'D', 'ToolSpecification'],
      toolsMax: [undefined, 'U', 'follows the model'],
      descriptionMax: [undefined, 'U', 'no cap found'],
      descriptionRequired: [true, 'D', 'ToolSpecification; litellm#24668'],
      schemaProfile: ['bedrock', 'O', 'Kiro#11026, #11027'],
    },
  },
  {
    name: 'mistral',
    kind: 'provider',
    figures: {
      nameMax: [64, 'D', 'API description'],
      nameCharset: ['word-dash', 'D', 'API description'],
      nameStartsWithLetter: [false, 'D', 'API description'],
      toolsMax: [undefined, 'U', 'not found'],
      descriptionMax: [undefined, 'U', 'no cap found'],
      descriptionRequired: [false, 'U', ''],
      schemaProfile: ['mistral', 'D', 'API description: a JSON Schema object'],
    },
  },
  {
    name: 'ollama',
    kind: 'provider',
    figures: {
      nameMax: [64, 'U', 'no limit found; the common form'],
      nameCharset: ['word-dash', 'U', 'no limit found; the common form'],
      nameStartsWithLetter: [false, 'U', ''],
      toolsMax: [undefined, 'U', 'not found; small models choose badly above a few'],
      descriptionMax: [undefined, 'U', 'no cap found'],
      descriptionRequired: [false, 'U', ''],
      schemaProfile: ['ollama', 'O', 'ollama#10328, #11444, oh-my-pi#4488'],
    },
  },
]
