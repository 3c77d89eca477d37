import { mergeUnion } from '../merge-union.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * No combinator at the root: OpenAI and Anthropic refuse the whole request for one (claude-code#40075,
 * langchainjs#9804). It is merged and told instead; arguments are still checked against the original (C-063).
 */
export const rootCombinators: SchemaRule = {
  id: 'root-combinators',
  root: (node, at) => mergeUnion(node, ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'], at),
}
