// The middlewares in the order in which a call meets them. A new one is one file and one line here.

import type { Middleware } from './middleware.ts'
import { argumentsFit } from './middlewares/arguments.ts'
import { limits } from './middlewares/limits.ts'
import { paths } from './middlewares/paths.ts'
import { promotedOnly } from './middlewares/promoted-only.ts'
import { records } from './middlewares/records.ts'
import { results } from './middlewares/results.ts'
import { rules } from './middlewares/rules.ts'
import { secrets } from './middlewares/secrets.ts'

export const middlewareOrder: readonly Middleware[] = [
  records, //      the outermost, so that it sees what any other refuses
  results, //      what is kept and shown has passed all others
  secrets, //      around everything that a tool or another middleware can say
  promotedOnly, // a model that never saw the definition can only guess the arguments
  argumentsFit, // what the tool could not read is refused before a person is asked about it
  rules, //        deny, ask and allow by argument, on the virtual paths that the rules speak of
  limits, //       the time that a person thinks about it is not the tool's
  paths, //        the last before the tool: nothing after it sees a virtual path
]
