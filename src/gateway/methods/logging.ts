import { WireError } from '../service.ts'
import type { Method } from './method.ts'

/** Servers hear of it when they are next used: none is started for it. */
export const setLevel: Method = {
  method: 'logging/setLevel',
  serve: async ({ level }, _context, scope) => {
    if (typeof level !== 'string') throw new WireError(-32602, 'logging/setLevel needs a level')
    scope.level = level
    scope.levelled = new WeakSet()
    return {}
  },
}
