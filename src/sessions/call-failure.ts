// Why a call gave no result. The words are for the model and for people alike: one printable line.

import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'

export type CallFailureCode = Extract<
  ErrorCode,
  | 'upstream-died'
  | 'call-timed-out'
  | 'call-cancelled'
  | 'result-too-large'
  | 'upstream-error'
  | 'result-malformed'
  | 'server-unavailable'
  | 'pool-full'
  | 'pool-closed'
  | 'invalid-id'
>

/** A call that gave no result. `sent` says whether the server may have carried it out all the same. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: CallFailureCode
  readonly sent: boolean

  constructor(code: CallFailureCode, what: string, options: { readonly sent: boolean; readonly cause?: unknown }) {
    super(printable(what, 600), options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.sent = options.sent
  }
}
