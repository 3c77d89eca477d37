import type { ErrorCode } from '../errors.ts'

/** Why a rule cannot be used. It is reported, and it fails closed: it allows nothing, and denies what it might mean. */
export interface RuleFault {
  readonly code: Extract<ErrorCode, 'rule-syntax' | 'rule-allow-too-wide'>
  /** One printable line: what is wrong. */
  readonly message: string
  /** One printable line: what to do. */
  readonly hint: string
}
