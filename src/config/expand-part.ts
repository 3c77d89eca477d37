// Variables in one part of a file: values expanded, faults as findings of the keys that hold them.

import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { expandData } from './expand.ts'
import type { Intake } from './intake.ts'
import { originIn, type Part, remark } from './part.ts'
import type { Path } from './place.ts'

/** Expands a value that stands at `path` in the part. A text with a fault is left as written, beside a finding. */
export function expanded<T extends Json | undefined>(
  value: T,
  path: Path,
  part: Part,
  intake: Intake,
  findings: Finding[],
): T {
  if (value === undefined) return value
  return expandData(value, {
    environment: intake.environment,
    onSecret: intake.secret,
    onFault: (inner, fault) => {
      const at = [...path, ...inner]
      const { key } = originIn(part, at)
      findings.push(remark(part, 'config-variable', `"${key}": ${fault.what}`, { path: at, hint: fault.hint }))
    },
  }) as T
}
