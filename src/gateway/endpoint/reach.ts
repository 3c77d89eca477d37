// Who may reach the endpoint at all, before anything of a request is read: pages of other sites may not, by whatever
// name a resolver gives this machine.

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import { printable } from '../../core/printable.ts'
import type { Refusal } from './refusal.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const

/** True for names and addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean => {
  if (host === 'localhost' || host === '::1' || host === '[::1]') return true
  return isIP(host) === 4 && host.split('.', 1)[0] === '127'
}

export interface Reach {
  /** Names in `Host`, without port; IPv6 in brackets. */
  readonly hosts: readonly string[]
  /** Names in `Origin`, without scheme and port. */
  readonly origins: readonly string[]
}

export function reachOf(given: {
  readonly host: string
  readonly allowedHosts: readonly string[] | undefined
  readonly allowedOrigins: readonly string[] | undefined
}): Reach {
  const { allowedHosts = [], allowedOrigins = [], host } = given
  const bound = host === '0.0.0.0' || host === '::' ? [] : [isIP(host) === 6 ? `[${host}]` : host]
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase())
  return {
    hosts: [...loopbackNames, ...lower(bound), ...lower(allowedHosts)],
    origins: [...loopbackNames, ...lower(bound), ...lower(allowedOrigins)],
  }
}

export function foreignness(request: IncomingMessage, reach: Reach): Refusal | undefined {
  const { host, origin } = request.headers
  if (!validateHostHeader(host, [...reach.hosts]).ok)
    return {
      status: 403,
      word: 'host-not-allowed',
      message: `the host ${shown(host)} is not one that this endpoint answers to`,
    }
  if (!validateOriginHeader(origin, [...reach.origins]).ok)
    return {
      status: 403,
      word: 'origin-not-allowed',
      message: `pages from ${shown(origin)} may not call this endpoint`,
    }
  return undefined
}

const shown = (value: string | undefined): string => (value === undefined ? '(none)' : `"${printable(value, 80)}"`)
