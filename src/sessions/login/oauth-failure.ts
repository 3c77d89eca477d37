// Why a login came to nothing: one printable line, and what to do where somebody knows it.

import { IssuerMismatchError, RegistrationRejectedError } from '@modelcontextprotocol/client'
import { printable } from '../../core/printable.ts'
import type { ErrorCode } from '../../errors.ts'
import { wordsOf } from './oauth-tokens.ts'

export type LoginFailureCode = Extract<
  ErrorCode,
  'login-unsupported' | 'login-denied' | 'login-timed-out' | 'login-issuer-mismatch' | 'login-failed' | 'state-file'
>

export class LoginFailure extends Error {
  override readonly name = 'LoginFailure'
  readonly code: LoginFailureCode
  readonly hint: string | undefined
  constructor(code: LoginFailureCode, what: string, hint?: string) {
    super(printable(what, 400))
    this.code = code
    this.hint = hint
  }
}

/** Any error of a step, such as `registering this program`, as a failure. `secrets` are taken out of its words. */
export function failureOf(error: unknown, step: string, secrets: readonly string[] = []): LoginFailure {
  if (error instanceof LoginFailure) return error
  if (error instanceof IssuerMismatchError) return issuerFailure(error)
  if (error instanceof RegistrationRejectedError) {
    const said = wordsOf(error.body, secrets)
    return new LoginFailure(
      'login-failed',
      `the authorization server does not register this program (HTTP ${error.status}): ${said}`,
      'register a client by hand, and write its id under oauth.client_id',
    )
  }
  return new LoginFailure('login-failed', `${step} failed: ${wordsOf(error, secrets)}`)
}

function issuerFailure({ kind, expected, received }: IssuerMismatchError): LoginFailure {
  const other = received === undefined ? 'does not say who it is' : `calls itself ${printable(received, 120)}`
  const where = kind === 'metadata' ? 'the authorization server' : 'the answer'
  return new LoginFailure(
    'login-issuer-mismatch',
    `${where} ${other}, where ${printable(expected ?? 'another', 120)} was expected; nothing was sent to it`,
    'do not go on before you know why; ask whoever runs the server',
  )
}
