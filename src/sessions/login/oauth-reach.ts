// Where an address lies, and how far one server may lead us. A public server that names an address of this machine or
// of the network around it would have us knock at doors that it cannot reach itself.

import { BlockList, isIP } from 'node:net'

/** `never`: link-local and metadata services, and whatever is no address of one machine. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'never'

/** Where a kind of address is told apart: IANA's registries of special-purpose addresses, and the clouds' own pages. */
const loopback = listOf(['127.0.0.0/8', '::1/128'])

const privateRanges = listOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
  'fec0::/10',
])

const never = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // Metadata services outside of the link-local range: AWS, Alibaba, Azure, Oracle.
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  // IPv4 inside IPv6 in ways that nobody needs for a login: compatible, Teredo, 6to4, local translation.
  '::/96',
  '2001::/32',
  '2002::/16',
  '64:ff9b:1::/48',
])

/** Networks without IPv4 reach it through these addresses, so what counts is the IPv4 address inside (RFC 6052). */
const translated = listOf(['64:ff9b::/96'])

/** The kind of an IPv4 or IPv6 address; a zone does not count. What cannot be read is `never`. */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/s, '')
  const family = isIP(bare)
  if (family === 0) return 'never'
  const name = family === 6 ? 'ipv6' : 'ipv4'
  if (name === 'ipv6' && translated.check(bare, name)) return addressKind(lastFour(bare))
  // Before the ranges that hold it: ::1 lies in ::/96.
  if (loopback.check(bare, name)) return 'loopback'
  if (never.check(bare, name)) return 'never'
  return privateRanges.check(bare, name) ? 'private' : 'public'
}

/** True for a host that is this machine by the way it is written, as in a URL; nobody's name service decides it. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return addressKind(bareHost(host)) === 'loopback'
}

/** The host of a URL without the brackets of an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/s, '$1')

/** The configured server, as far as it decides what its answers may lead to. */
export interface Standpoint {
  readonly url: URL
  /** Every address of its host. */
  readonly addresses: readonly string[]
}

/**
 * Whether a URL that a server named may be called at this address.
 *
 * - The server's own host is where the operator pointed us, whatever lies there; over plain http only at the same
 *   port, for without TLS a name that suddenly leads elsewhere is not noticed.
 * - A server of this machine may lead to this machine, a server of a private network to that network.
 * - Nothing leads to link-local addresses and metadata services.
 */
export function mayReach(target: URL, address: string, from: Standpoint): boolean {
  const kind = addressKind(address)
  if (kind === 'never') return false
  if (kind === 'public') return true
  const sameHost = target.hostname === from.url.hostname
  if (sameHost && (target.protocol === 'https:' || target.port === from.url.port)) return true
  if (isLoopbackHost(from.url.hostname)) return true
  return kind === 'private' && from.addresses.some((one) => addressKind(one) !== 'public')
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The IPv4 address in the last 32 bits of one in 64:ff9b::/96, which the parser of URLs writes as `64:ff9b::7f00:1`. */
function lastFour(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice('[64:ff9b::'.length, -1).split(':')
  const low = Number.parseInt(groups.at(-1) || '0', 16)
  const high = Number.parseInt(groups.at(-2) ?? '0', 16)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
