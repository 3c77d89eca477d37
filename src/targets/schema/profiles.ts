// The schema profiles, in the order in which they are told and reported. A profile is one file and one line here.

import { anthropic } from './profiles/anthropic.ts'
import { bedrock } from './profiles/bedrock.ts'
import { common } from './profiles/common.ts'
import { gemini } from './profiles/gemini.ts'
import { mistral } from './profiles/mistral.ts'
import { ollama } from './profiles/ollama.ts'
import { openai } from './profiles/openai.ts'
import { openaiStrict } from './profiles/openai-strict.ts'
import type { SchemaProfile } from './schema-rule.ts'

export const schemaProfiles: readonly SchemaProfile[] = [
  common,
  openai,
  openaiStrict,
  anthropic,
  gemini,
  bedrock,
  mistral,
  ollama,
]

/** The profile of a name in `TargetFacts.schemaProfile`; undefined for a name that is not known. */
export const profileNamed = (name: string): SchemaProfile | undefined =>
  schemaProfiles.find((profile) => profile.name === name)
