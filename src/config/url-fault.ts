// Which addresses a configured server may have. Names are judged as written; where a name leads is judged again when
// the connection is made.

/**
 * What is wrong with the URL of a server, or nothing. The words never hold a part of the URL, because it may hold a
 * secret. `allowHttp`: the operator accepts plain http to a host that is not this machine.
 */
export function urlFault(url: string, allowHttp: boolean): string | undefined {
  if (controlOrBlank.test(url)) return 'the URL holds a blank or a control character'
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return 'the URL cannot be read; write https://host/path'
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return 'only http and https URLs are called'
  if (parsed.username !== '' || parsed.password !== '') {
    return 'the URL holds a user or password; put credentials into headers, from a variable'
  }
  const host = parsed.hostname.toLowerCase().replace(/\.$/, '')
  if (isMetadata(host)) return 'the URL leads to a link-local or metadata address'
  if (parsed.protocol === 'http:' && !isLoopback(host) && !allowHttp) {
    return 'plain http is only called on this machine; use https, or set allow_http: true'
  }
  return undefined
}

const controlOrBlank = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]/u

/** The parser of URLs has made every spelling of an IPv4 address (octal, hex, one number) the dotted one. */
const dotted = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Names under which clouds answer with credentials of the machine: Google, AWS, and the short forms inside them. */
const metadataNames: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
])

/** Addresses of the same outside 169.254.0.0/16: Alibaba, Azure, Oracle. */
const metadataAddresses: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', '192.0.0.192'])

function isMetadata(host: string): boolean {
  if (metadataNames.has(host)) return true
  const four = dotted.exec(host)
  if (four !== null) return (four[1] === '169' && four[2] === '254') || metadataAddresses.has(host)
  const groups = ipv6Groups(host)
  if (groups === undefined) return false
  const [first = 0] = groups
  if (first >= 0xfe80 && first <= 0xfebf) return true
  if (groups.map((group) => group.toString(16)).join(':') === 'fd00:ec2:0:0:0:0:0:254') return true
  const inside = ipv4Inside(groups)
  return inside !== undefined && isMetadata(inside)
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const four = dotted.exec(host)
  if (four !== null) return four[1] === '127'
  const groups = ipv6Groups(host)
  if (groups === undefined) return false
  const inside = ipv4Inside(groups)
  return groups.join(':') === '0:0:0:0:0:0:0:1' || inside?.startsWith('127.') === true
}

/** The eight groups of a host in brackets, which the parser of URLs has checked and shortened. */
function ipv6Groups(host: string): number[] | undefined {
  if (!host.startsWith('[') || !host.endsWith(']')) return undefined
  const [left = '', right] = host.slice(1, -1).split('::')
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const head = numbers(left)
  if (right === undefined) return head
  const tail = numbers(right)
  return [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail]
}

/** The IPv4 address inside a mapped (::ffff:0:0/96), compatible (::/96) or translated (64:ff9b::/96) one. */
function ipv4Inside(groups: readonly number[]): string | undefined {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (!v4Prefixes.has(prefix)) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  if (prefix === '0:0:0:0:0:0' && high === 0 && low <= 1) return undefined
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

const v4Prefixes: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '0:0:0:0:0:0', '64:ff9b:0:0:0:0'])
