import type { Finding } from '../core/finding.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'

/** The finding with something to do: its own hint, else what the catalogue of codes says. */
export function advised(found: Finding): Finding {
  if (found.hint !== undefined || !Object.hasOwn(errorCodes, found.code)) return found
  const { remedy } = errorCodes[found.code as ErrorCode]
  return { ...found, hint: remedy.charAt(0).toLowerCase() + remedy.slice(1).replace(/\.$/, '') }
}
