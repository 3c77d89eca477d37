// A chat model from `use` and `args` of a model entry. Loaded only when a run needs it; the packages are the operator's.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ModelConfig } from '../../config/config.ts'
import { finding, ToolgateError } from '../../errors.ts'
import { isLoadFault, loadExport } from '../../sources/load-export.ts'

/** Packages of the framework's own house that a model may come from without being listed in `trusted_modules`. */
const knownPackages = [
  '@langchain/openai',
  '@langchain/anthropic',
  '@langchain/google-genai',
  '@langchain/ollama',
] as const

export interface LoadModelOptions {
  /** The configuration's folder, absolute. */
  readonly folder: string
  readonly trustedModules: readonly string[]
}

const loadTimeoutMs = 20_000

/** Throws a ToolgateError that says what to set or install. */
export async function loadModel(model: ModelConfig, options: LoadModelOptions): Promise<BaseChatModel> {
  const { use, origin } = model
  if (use === undefined)
    throw new ToolgateError(
      finding('model-unusable', 'error', `model "${model.name}" has no \`use\`, so nothing can run it`, {
        subject: model.name,
        hint: 'give it use: "@langchain/openai:ChatOpenAI" and args',
        origin,
      }),
    )
  const trusted = [...options.trustedModules, ...knownPackages]
  const loaded = await loadExport(use, { folder: options.folder, trusted, timeoutMs: loadTimeoutMs })
  if (isLoadFault(loaded))
    throw new ToolgateError(finding(loaded.code, 'error', loaded.message, { subject: model.name, origin }))
  try {
    return made(loaded.value, model)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new ToolgateError(
      finding('model-unusable', 'error', `model "${model.name}" cannot be made: ${said}`, {
        subject: model.name,
        hint: 'see its args; keys of providers usually come from the environment',
        origin,
      }),
    )
  }
}

function made(value: unknown, { args, name }: ModelConfig): BaseChatModel {
  if (typeof value === 'function') return new (value as new (args: object) => BaseChatModel)({ ...args })
  if (typeof value === 'object' && value !== null && 'invoke' in value) return value as BaseChatModel
  throw new Error(`what model "${name}" names is no chat model`)
}
