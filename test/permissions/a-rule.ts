import type { Rule } from '../../src/core/run-facts.ts'
import { type CallContext, judgeCall } from '../../src/permissions/conditions.ts'

/** A rule of the configuration, for tests. */
export const aRule = (effect: Rule['effect'], text: string, line = 1, scope = 'config'): Rule => ({
  effect,
  text,
  scope,
  origin: { in: 'toolgate.yaml', key: `permissions.${effect}[0]`, line },
})

/** A run on which no rule means all is well. */
export const open: CallContext = { otherwise: 'allow' }

/** Whether a deny rule means the call. */
export const denies = (rule: string, args: unknown): boolean =>
  judgeCall([aRule('deny', rule)], args, open).effect === 'deny'

/** Whether an allow rule means the call. */
export const allows = (rule: string, args: unknown, context: CallContext = open): boolean =>
  judgeCall([aRule('allow', rule)], args, context).effect === 'allow'

/** A call of a shell tool. */
export const runs = (command: string) => ({ command })
