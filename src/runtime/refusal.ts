import { printable } from '../core/printable.ts'
import type { Rule } from '../core/run-facts.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import type { Failure, Refusal } from './tool-call.ts'

/** A refusal with a code of the catalogue; the action is the catalogue's where none is given. */
export function refused(code: ErrorCode, message: string, more: { action?: string; rule?: Rule } = {}): Refusal {
  return {
    kind: 'refused',
    code,
    message: printable(message, 600),
    action: more.action ?? errorCodes[code].remedy,
    ...(more.rule === undefined ? {} : { rule: more.rule }),
  }
}

/** A failure with a code of the catalogue. */
export function failed(code: ErrorCode, message: string, sent: boolean): Failure {
  return { kind: 'failed', code, message: printable(message, 600), action: errorCodes[code].remedy, sent }
}
