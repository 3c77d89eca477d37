// Why a call gave no result, in words.

import { printable } from '../core/printable.ts'
import type { RoundsOutcome } from './ask-in-rounds.ts'
import { CallFailure } from './call-failure.ts'
import type { Ending } from './open-connection.ts'
import type { RpcError } from './session.ts'
import { loginWords } from './unavailable.ts'

/** What the words are about. */
export interface CallSubject {
  readonly server: string
  /** Original name of the tool, or the method of another request. */
  readonly called: string
  /** HTTP: the URL without its query. */
  readonly place: string | undefined
  readonly ending: () => Ending | undefined
  /** HTTP: true when the server knows the session by an id. */
  readonly hasSessionId: () => boolean
}

/** What a server means that answers a request of a session as if there were nothing (2025-11-25, Streamable HTTP). */
export const forgottenWords = 'does not know the session any more (HTTP 404)'

/** The failure that an outcome means. `sent`: whether anything of the call left. */
export function failureOf(
  outcome: Exclude<RoundsOutcome, { kind: 'result' }>,
  { server, called, place, ending, hasSessionId }: CallSubject,
  sent: boolean,
): CallFailure {
  const fail = (code: CallFailure['code'], what: string, reached = sent, rpc?: RpcError) =>
    new CallFailure(code, `${server}: ${what}`, { sent: reached, rpc })
  if ('status' in outcome && outcome.status === 404 && hasSessionId())
    return fail('server-unavailable', `the server ${forgottenWords}; the next call begins a new one`, false)
  switch (outcome.kind) {
    case 'stopped':
      return fail('call-cancelled', `the call of "${called}" was called off`)
    case 'error':
      return fail(
        'upstream-error',
        `"${called}" was answered with error ${outcome.code}: ${outcome.message}`,
        sent,
        outcome.rpc,
      )
    case 'declined': {
      const { asked, rpc } = outcome
      const what = `"${called}" asked for ${printable(asked, 60)}, which was answered with error ${rpc.code}`
      return fail('upstream-error', `${what}: ${printable(rpc.message, 300)}`, sent, rpc)
    }
    case 'malformed':
      return fail('result-malformed', `its answer to "${called}" is invalid: ${outcome.why}`)
    case 'too-large': {
      const { bytes, bytesMax } = outcome
      return fail(
        'result-too-large',
        `the result of "${called}" has ${bytes} bytes or more, over ${bytesMax}; ask for less`,
      )
    }
    case 'refused': {
      const { status, words } = outcome
      if (status === 401 || status === 403) return fail('server-unavailable', loginWords(place, status, server), false)
      return fail(
        'upstream-error',
        `it refused the call of "${called}" (HTTP ${status})${words === '' ? '' : `: ${words}`}`,
      )
    }
    case 'barred':
      return new CallFailure('server-unavailable', `${server}: ${outcome.why.message}`, {
        sent: false,
        cause: outcome.why,
      })
    case 'unreached': {
      const over = ending()
      if (over !== undefined) return fail('server-unavailable', `its session is over: it ${over.how}`, false)
      const where = place === undefined ? outcome.why : `${place} could not be reached (${outcome.why})`
      return fail('server-unavailable', where, false)
    }
    case 'lost': {
      const over = ending()
      const said = over === undefined || over.said === '' ? '' : `; it said: ${over.said}`
      const how = over === undefined ? `the connection ended (${outcome.why})` : `the server ${over.how}`
      const unsure = sent ? '; the call may have had its effect, and is not repeated' : ''
      return fail('upstream-died', `${how} during the call of "${called}"${said}${unsure}`)
    }
  }
}
