import { BlockList, isIPv6 } from 'node:net'

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
  ['169.254.0.0', 16],
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
 * Returns whether an address is private, loopback or link-local. Behind a proxy that TRUST_PROXY does not cover, all
 * visitors appear to have the proxy's address, which is often private.
 */
export const isPrivateAddress = within(privateNetworks)
