// Every code that is not a gate's: findings and errors of reading, importing, listing and running. Codes are
// stable; docs/errors.md is made from these lists, and a test compares both ways.

import type { Finding } from './core/finding.ts'
import { checkingCodes } from './errors/checking-codes.ts'
import { readingCodes } from './errors/reading-codes.ts'
import { runningCodes } from './errors/running-codes.ts'
import { sourcesCodes } from './errors/sources-codes.ts'

export const errorCodes = {
  ...readingCodes,
  ...sourcesCodes,
  ...runningCodes,
  ...checkingCodes,
} as const

export type ErrorCode = keyof typeof errorCodes

/** A finding whose code is checked against the catalogue. */
export function finding(
  code: ErrorCode,
  severity: Finding['severity'],
  message: string,
  more: Pick<Finding, 'subject' | 'hint' | 'origin'> = {},
): Finding {
  return { code, severity, message, ...more }
}

/** An error that ends what was asked for; its finding says what, where and what to do. */
export class ToolgateError extends Error {
  override readonly name = 'ToolgateError'
  readonly finding: Finding
  constructor(found: Finding) {
    super(`${found.code}: ${found.message}`)
    this.finding = found
  }
}
