import { BlockList, isIPv6 } from 'node:net'

/**
 * Returns an address's rate-limit key: an IPv4 address, also of an IPv4-mapped IPv6 address; else the IPv6 address's
 * /64 network, which one host controls.
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

type Subnet = readonly [network: string, bits: number]

const loopback: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
]
const privateNetworks: readonly Subnet[] = [
  ...loopback,
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
]

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function within(subnets: readonly Subnet[]): (address: string) => boolean {
  const list = new BlockList()
  for (const [network, bits] of subnets) list.addSubnet(network, bits, familyOf(network))
  return (address) => list.check(address, familyOf(address))
}

export const isLoopback = within(loopback)

/**
 * Returns whether an address is private, loopback or link-local. All visitors appear to have one behind a proxy that
 * TRUST_PROXY does not cover.
 */
export const isPrivateAddress = within(privateNetworks)
