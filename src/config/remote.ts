// How a remote server is called: its URL and headers.

import type { Finding } from '../core/finding.ts'
import type { OauthConfig } from './config.ts'
import { holdsVariable } from './expand.ts'
import { expanded } from './expand-part.ts'
import type { Intake } from './intake.ts'
import { originIn, type Part, remark } from './part.ts'
import { secretsOfUrl } from './secret-words.ts'
import { urlFault } from './url-fault.ts'

export interface RemoteData {
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly allow_http?: boolean | undefined
  readonly oauth?:
    | {
        readonly client_id?: string | undefined
        readonly client_secret?: string | undefined
        readonly scopes?: readonly string[] | undefined
        readonly redirect_port?: number | undefined
      }
    | undefined
}

export interface Remote {
  readonly url?: string
  readonly headers: { readonly [name: string]: string }
  readonly oauth?: OauthConfig
}

/**
 * Expands and judges; with `live` false no variable is read. Findings: `config-variable`, `url-forbidden`,
 * `invalid-name`, `config-range`.
 */
export function remoteOf(part: Part, given: RemoteData, intake: Intake, live: boolean, findings: Finding[]): Remote {
  const before = findings.length
  const url = live ? expanded(given.url, ['url'], part, intake, findings) : given.url
  const headers = (live ? expanded(given.headers, ['headers'], part, intake, findings) : given.headers) ?? {}
  if (url !== undefined && findings.length === before && (live || !holdsVariable(url))) {
    const fault = urlFault(url, given.allow_http === true)
    const key = originIn(part, ['url']).key ?? 'url'
    if (fault !== undefined) findings.push(remark(part, 'url-forbidden', `"${key}": ${fault}`, { path: ['url'] }))
    for (const secret of secretsOfUrl(url)) intake.secret(secret)
  }
  judgeHeaders(part, headers, intake, live, findings)
  return {
    ...(url === undefined ? {} : { url }),
    headers: Object.assign(Object.create(null), headers),
    ...oauthOf(part, given, intake, live, findings),
  }
}

function oauthOf(
  part: Part,
  { oauth }: RemoteData,
  intake: Intake,
  live: boolean,
  findings: Finding[],
): { readonly oauth?: OauthConfig } {
  if (oauth === undefined) return {}
  const texts = {
    ...(oauth.client_id === undefined ? {} : { client_id: oauth.client_id }),
    ...(oauth.client_secret === undefined ? {} : { client_secret: oauth.client_secret }),
  }
  const { client_id, client_secret } = live ? expanded(texts, ['oauth'], part, intake, findings) : texts
  if (client_secret !== undefined && (live || !holdsVariable(client_secret))) intake.secret(client_secret)
  return {
    oauth: {
      ...(client_id === undefined ? {} : { clientId: client_id }),
      ...(client_secret === undefined ? {} : { clientSecret: client_secret }),
      ...(oauth.scopes === undefined ? {} : { scopes: oauth.scopes }),
      ...(oauth.redirect_port === undefined ? {} : { redirectPort: oauth.redirect_port }),
    },
  }
}

function judgeHeaders(
  part: Part,
  headers: Readonly<Record<string, string>>,
  intake: Intake,
  live: boolean,
  findings: Finding[],
) {
  for (const [name, value] of Object.entries(headers)) {
    const path = ['headers', name]
    const key = originIn(part, path).key ?? name
    if (!headerName.test(name)) {
      findings.push(remark(part, 'invalid-name', `"${key}" is no name of a header`, { path }))
    }
    if (!headerValue.test(value)) {
      const message = `"${key}" holds characters that a header cannot carry`
      findings.push(remark(part, 'config-range', message, { path, hint: 'use one line of Latin-1 text' }))
    }
    if (live || !holdsVariable(value)) for (const secret of secretsOfHeader(value)) intake.secret(secret)
  }
}

/** `token` of RFC 9110. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
const headerValue = /^[\t\x20-\x7e\u0080-\u00ff]*$/

/** The whole value; what stands after a scheme such as `Bearer`; what a Basic value holds. */
function secretsOfHeader(value: string): string[] {
  const blank = value.indexOf(' ')
  if (blank === -1) return [value]
  const credentials = value.slice(blank + 1).trim()
  if (value.slice(0, blank).toLowerCase() !== 'basic') return [value, credentials]
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  return [value, credentials, pair, pair.slice(pair.indexOf(':') + 1)]
}
