// Whether a rule on an address means a given one. The address is read as a browser would read it (so that letter
// case, ports, `user@`, numbers as hosts and `..` hide nothing), and host and path are compared apart.

import { anyRun, globOf, matchesGlob, oneChar } from './glob.ts'

/**
 * Whether the address is, or (for a ban) may be, one that the pattern means: `https://host/path*`, or without
 * scheme. A pattern without path means, for a ban, every path of the host; for a grant only `/`. An address that
 * cannot be read counts against the call both times.
 */
export function meansUrl(pattern: string, prefix: boolean, value: string, ban: boolean): boolean {
  const url = readUrl(value)
  const written = pattern.replaceAll(oneChar, '?')
  if (url === undefined) return ban
  if (ban && matchesGlob(globOf(prefix ? written + anyRun : written), value)) return true
  const [, scheme = ban ? anyRun : 'https', rest = ''] = /^(?:([^:/]*):\/\/)?(.*)$/.exec(written) ?? []
  const [host = ''] = /^[^/?#]*/.exec(rest) ?? []
  const path = rest.slice(host.length)
  if (!matchesGlob(globOf(scheme.toLowerCase()), url.protocol.slice(0, -1)) || !meansHost(host, url, ban)) return false
  const place = `${url.pathname}${url.search}`
  const wanted =
    path === ''
      ? [ban || prefix ? anyRun : '/']
      : prefix
        ? [path, ...['/', '?'].map((next) => path + next + anyRun)]
        : [path]
  return wanted.some((one) => matchesGlob(globOf(one), place))
}

/** Whether the host of the address is (or, when it cannot be read and it is a ban, may be) one the pattern means. */
export function meansHostOf(pattern: string, value: string, ban: boolean): boolean {
  const url = readUrl(value)
  return url === undefined ? ban : meansHost(pattern.replaceAll(oneChar, '?'), url, ban)
}

/**
 * `*.x` means everything below x and not x; any other star stays inside one label; a lone star means every host.
 * Without a port a ban means every port, a grant the usual one.
 */
function meansHost(pattern: string, url: URL, ban: boolean): boolean {
  const colon = pattern.lastIndexOf(':')
  const port = colon >= 0 && !pattern.endsWith(']') ? pattern.slice(colon + 1) : undefined
  if (
    port === undefined
      ? !ban && url.port !== ''
      : port !== anyRun && port !== (url.port || usualPorts.get(url.protocol))
  )
    return false
  const name = withoutDot((port === undefined ? pattern : pattern.slice(0, colon)).toLowerCase())
  const host = withoutDot(url.hostname)
  if (name === anyRun) return true
  if (!name.startsWith(`${anyRun}.`)) return labelsMatch(name.split('.'), host.split('.'))
  const wanted = name.slice(2).split('.')
  const labels = host.split('.')
  return labels.length > wanted.length && labelsMatch(wanted, labels.slice(-wanted.length))
}

const usualPorts = new Map([
  ['http:', '80'],
  ['https:', '443'],
])

/** A full stop at the end of a host changes nothing about where it leads. */
const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host)

const labelsMatch = (wanted: readonly string[], labels: readonly string[]): boolean =>
  wanted.length === labels.length && wanted.every((label, at) => matchesGlob(globOf(label), labels[at] ?? ''))

/** Addresses are written without a scheme too. */
function readUrl(value: string): URL | undefined {
  const written = schemed.test(value) ? [value] : [value, `https://${value}`]
  for (const one of written) {
    try {
      const url = new URL(one)
      if (url.hostname !== '') return url
    } catch {
      // The other way of reading is tried; when neither works, the caller fails closed.
    }
  }
  return undefined
}

const schemed = /^\s*[a-z][a-z0-9+.-]*:[\\/]/i
