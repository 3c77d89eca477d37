// A value that the configuration took from the environment is shown to nobody: not in a result, not in an error, not
// in a sign of progress.

import { mappedProgress, mappedTexts } from '../mapped-texts.ts'
import type { Middleware } from '../middleware.ts'

export const secrets: Middleware = {
  id: 'secrets',
  wrap:
    (next, { redacted }) =>
    async (call) =>
      mappedTexts(await next(mappedProgress(call, redacted)), redacted),
}
