// Rules from several places, made into one list: the configuration, the agent, the command line. Lists are joined
// and never replace each other, so nobody's deny is lifted; and the list is in one canonical order, so it makes no
// difference which place was read first.

import { canonicalJson, type Json } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import type { Rule } from '../core/run-facts.ts'

/** One entry of a list, with the place where it was written. */
export interface RuleEntry {
  readonly text: string
  readonly origin: Origin
}

/** What one place says. Every list: absent and `[]` both mean that this place adds nothing. */
export interface RuleScope {
  /** For people: `config`, `agent researcher`, `command line`. */
  readonly name: string
  readonly deny?: readonly RuleEntry[]
  readonly ask?: readonly RuleEntry[]
  readonly allow?: readonly RuleEntry[]
  /** `deny_tools`, `--deny-tool`: deny rules under another name, in the same language. */
  readonly denyTools?: readonly RuleEntry[]
  /** `deny_prefixes`, `--deny-prefix`: beginnings of names. */
  readonly denyPrefixes?: readonly RuleEntry[]
}

/** All rules of all scopes, each once, in canonical order. */
export function mergeScopes(scopes: readonly RuleScope[]): Rule[] {
  const rules = new Map<string, Rule>()
  const add = (effect: Rule['effect'], scope: string, text: string, origin: Origin): void => {
    const rule: Rule = { effect, text, scope, origin }
    rules.set(canonicalJson(rule as unknown as Json), rule)
  }
  for (const { name, deny = [], ask = [], allow = [], denyTools = [], denyPrefixes = [] } of scopes) {
    for (const { text, origin } of [...deny, ...denyTools]) add('deny', name, text, origin)
    for (const { text, origin } of denyPrefixes) add('deny', name, prefixRuleText(text), origin)
    for (const { text, origin } of ask) add('ask', name, text, origin)
    for (const { text, origin } of allow) add('allow', name, text, origin)
  }
  return [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule)
}

/** The rule that a prefix stands for: `git_` → `git_*`, and `github/` → `github/*`, the whole server. */
export const prefixRuleText = (prefix: string): string => `${prefix}*`
