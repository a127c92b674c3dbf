/** What an address says of where a call comes from. Addresses are bare, as an operation's caller has them. */
import { BlockList, isIPv6 } from 'node:net'

/**
 * What rate limits count an address as: a host with one IPv6 address has the whole /64 network around it, and could call
 * from another of its addresses each time.
 * @returns an IPv4 address as it is (also one mapped into IPv6), of an IPv6 address its network in one spelling,
 * '2001:db8:0:7::/64'; anything else unchanged
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]/`)
  const [front = '', back] = hostname.slice(1, -1).split('::')
  const groups = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  if (back !== undefined) while (groups.length + after.length < 8) groups.push('0')
  const all = [...groups, ...after]
  // An IPv4 address in an IPv6 one: '::ffff:102:304'.
  if (all.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return all
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.')
  return `${all.slice(0, 4).join(':')}::/64`
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

/** Whether a call comes from this machine. */
export const isLoopback = within(loopback)

/**
 * Whether an address is this machine's or a private network's, and so says nothing of who calls: all visitors have one
 * behind a proxy that the site has not been told of (TRUST_PROXY).
 */
export const isPrivateAddress = within(privateNetworks)
