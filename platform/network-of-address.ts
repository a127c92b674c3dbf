import { isIPv6 } from 'node:net'

/**
 * Returns the key under which rate limits count an address: an IPv4 address itself, also if it is mapped to IPv6; for
 * another IPv6 address its /64 network, all of whose addresses one host may have.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]/`)
  const [front = '', back] = hostname.slice(1, -1).split('::')
  const groups = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  if (back !== undefined) while (groups.length + after.length < 8) groups.push('0')
  const all = [...groups, ...after]
  // This is an IPv4-mapped address, such as '::ffff:102:304'.
  if (all.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return all
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  return `${all.slice(0, 4).join(':')}::/64`
}

/** Shortens an address for logs: IPv4 to its /24, IPv6 to its /48. */
export function roughNetwork(address: string): string {
  const network = networkOf(address)
  const groups = network.split(':')
  return groups.length > 1
    ? `${groups.slice(0, 3).join(':')}::/48`
    : network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}
