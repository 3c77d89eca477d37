// A value that the configuration took from the environment is shown to nobody: not in a result, not in an error.

import { mappedTexts } from '../mapped-texts.ts'
import type { Middleware } from '../middleware.ts'

export const secrets: Middleware = {
  id: 'secrets',
  wrap:
    (next, { redacted }) =>
    async (call) =>
      mappedTexts(await next(call), redacted),
}
