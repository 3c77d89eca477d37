// The gateway's section: who may come, and what each kind of client gets. A fault here refuses the file: it decides who is
// let in.

import type { Finding } from '../core/finding.ts'
import type { GatewayConfig, GatewayToken, GatewayView } from './config.ts'
import { expanded } from './expand-part.ts'
import type { Intake } from './intake.ts'
import { originIn, type Part, remark } from './part.ts'
import { type FileData, isIdentifier } from './schema.ts'

const portDefault = 8765
const userDefault = 'local'
/** Shorter ones can be guessed. */
const tokenCharsMin = 16

export function gatewayOf(
  { gateway }: FileData,
  root: Part,
  intake: Intake,
): { readonly gateway: GatewayConfig; readonly findings: readonly Finding[] } {
  const findings: Finding[] = []
  const fault = (path: readonly (string | number)[], message: string) =>
    findings.push(remark(root, 'config-range', message, { path: ['gateway', ...path] }))

  const views = Object.entries(gateway?.views ?? {}).map(([name, view]): GatewayView => {
    if (!isIdentifier(name)) fault(['views', name], 'the name of a view is letters, digits, _ and -, at most 64')
    return {
      name,
      ...(view.agent === undefined ? {} : { agent: view.agent }),
      ...(view.target === undefined ? {} : { target: view.target }),
      ...(view.user === undefined ? {} : { user: view.user }),
      denyTools: view.deny_tools ?? [],
      unattended: view.unattended ?? false,
      origin: originIn(root, ['gateway', 'views', name]),
    }
  })
  const known = new Set(views.length === 0 ? ['default'] : views.map(({ name }) => name))
  const tokens = (gateway?.tokens ?? []).map((token, at): GatewayToken => {
    const path = ['tokens', at]
    const value = expanded(token.value, ['gateway', ...path, 'value'], root, intake, findings)
    if (value !== undefined) intake.secret(value)
    if ((value === undefined) === (token.digest === undefined))
      fault(path, 'a token has a value or a digest (its SHA-256), one of the two')
    if (value !== undefined && value.length < tokenCharsMin)
      fault([...path, 'value'], `a token has at least ${tokenCharsMin} characters`)
    for (const [place, view] of token.views.entries())
      if (!known.has(view))
        fault([...path, 'views', place], `there is no view "${view}"; there are: ${[...known].join(', ')}`)
    return {
      name: token.name,
      ...(token.digest === undefined ? { value: value ?? '' } : { sha256: token.digest.toLowerCase() }),
      views: token.views,
      user: token.user ?? userDefault,
    }
  })
  return {
    findings,
    gateway: {
      host: gateway?.host ?? '127.0.0.1',
      port: gateway?.port ?? portDefault,
      allowedHosts: gateway?.allowed_hosts ?? [],
      allowedOrigins: gateway?.allowed_origins ?? [],
      views,
      tokens,
      limits: {
        ...(gateway?.limits?.body_bytes === undefined ? {} : { bodyBytes: gateway.limits.body_bytes }),
        ...(gateway?.limits?.per_second === undefined ? {} : { perSecond: gateway.limits.per_second }),
        ...(gateway?.limits?.in_flight === undefined ? {} : { inFlight: gateway.limits.in_flight }),
      },
    },
  }
}
