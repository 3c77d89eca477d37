// Rules with conditions on arguments, at the moment of a call. Which of them belong to a tool was decided when the
// surface was made (`Decision.conditions`); here they meet the arguments.

import type { JsonObject } from '../core/json.ts'
import type { PermissionFacts, Rule } from '../core/run-facts.ts'
import { type CallArguments, type CallSide, commandArgument, conditionHolds, linesOf } from './condition-holds.ts'
import { isFault, type ParsedRule, parseRule } from './parse-rule.ts'
import { workspaceRoot } from './path-match.ts'
import { commandPattern, coversLine } from './shell-match.ts'

export interface CallContext {
  /** `surface.facts.permissions.otherwise`; under `deny` a call that no allow rule means is refused. */
  readonly otherwise: PermissionFacts['otherwise']
  /** The tool's own schema, as its owner gave it. */
  readonly inputSchema?: JsonObject
  /** Where relative paths stand. Absent: the virtual workspace. */
  readonly base?: string
}

export interface CallJudgement {
  /**
   * deny: refused. ask: a person is asked. allow: runs, also where the tool would be asked for. none: no condition
   * speaks of this call, and the tool's own `approval` holds.
   */
  readonly effect: 'deny' | 'ask' | 'allow' | 'none'
  /** The rule it rests on. Absent for `none`, and for a `deny` because no allow rule means the call. */
  readonly rule?: Rule
}

/**
 * What the conditions say of a call: deny beats ask beats allow. Never throws, and every doubt counts against the
 * call: arguments that are no object, a line that cannot be read, a rule that cannot be read.
 */
export function judgeCall(conditions: readonly Rule[], args: unknown, context: CallContext): CallJudgement {
  const readable = isArguments(args)
  const base = context.base ?? workspaceRoot
  const { inputSchema } = context
  const side = (ban: boolean): CallSide => ({ ban, base, ...(inputSchema === undefined ? {} : { inputSchema }) })

  for (const effect of ['deny', 'ask'] as const) {
    const rule = conditions.find((one) => one.effect === effect && (!readable || ruleMeans(one, args, side(true))))
    if (rule !== undefined) return { effect, rule }
  }
  const allows = conditions.filter((rule) => rule.effect === 'allow')
  const allowing = readable ? grantOf(allows, args, side(false)) : undefined
  if (allowing !== undefined) return { effect: 'allow', rule: allowing }
  // Under `deny` the tool is there only for the sake of rules that allow or ask for some of its calls.
  const onlySome = context.otherwise === 'deny' && conditions.some(({ effect }) => effect !== 'deny')
  return { effect: onlySome ? 'deny' : 'none' }
}

function ruleMeans(rule: Rule, args: CallArguments, side: CallSide): boolean {
  const parsed = parseRule(rule.text)
  if (isFault(parsed)) return side.ban
  return parsed.conditions.every((condition) => conditionHolds(condition, args, side))
}

/** A rule that grants the call alone; else the first of those that cover all commands of its shell line together. */
function grantOf(allows: readonly Rule[], args: CallArguments, side: CallSide): Rule | undefined {
  const alone = allows.find((rule) => ruleMeans(rule, args, side))
  if (alone !== undefined || allows.length < 2) return alone
  const byArgument = new Map<string, { first: Rule; patterns: ReturnType<typeof commandPattern>[] }>()
  for (const rule of allows) {
    const condition = onlyCondition(parseRule(rule.text))
    const name = condition === undefined ? undefined : commandArgument(condition, args, side)
    if (condition === undefined || name === undefined) continue
    const group = byArgument.get(name) ?? { first: rule, patterns: [] }
    group.patterns.push(commandPattern(condition.pattern, condition.prefix))
    byArgument.set(name, group)
  }
  for (const [name, { first, patterns }] of byArgument) {
    if (linesOf(args[name], args)?.every((line) => coversLine(patterns, line)) === true) return first
  }
  return undefined
}

const onlyCondition = (parsed: ReturnType<typeof parseRule>): ParsedRule['conditions'][number] | undefined =>
  isFault(parsed) || parsed.conditions.length !== 1 ? undefined : parsed.conditions[0]

const isArguments = (args: unknown): args is CallArguments =>
  args !== null && typeof args === 'object' && !Array.isArray(args)
