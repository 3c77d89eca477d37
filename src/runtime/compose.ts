import type { CallContext, Middleware, Next } from './middleware.ts'
import { middlewareOrder } from './order.ts'

/** Puts the middlewares around what carries a call out: the first of the list meets a call first. */
export function composed(innermost: Next, context: CallContext, order: readonly Middleware[] = middlewareOrder): Next {
  return order.reduceRight<Next>((next, middleware) => middleware.wrap(next, context), innermost)
}
