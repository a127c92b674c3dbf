import { type BlockList, isIP, isIPv6 } from 'node:net'
import type { Config } from './config.ts'

/**
 * Returns the client's address. Reads X-Forwarded-For from its end, past the proxies that TRUST_PROXY counts or names;
 * entries further left may be forged.
 */
export function clientAddress(
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  forwardedFor: string | null | undefined,
): string {
  const { hops, ranges } = config.trustProxy
  let address = plainAddress(remoteAddress) ?? remoteAddress
  const forwarded = forwardedFor?.split(',') ?? []
  for (let hop = 0; forwarded.length > 0; hop++) {
    const isProxy = ranges ? isWithin(ranges, address) : hop < hops
    if (!isProxy) break
    const previous = plainAddress(forwarded.pop()!)
    // If the entry is no address, the address found so far is used.
    if (previous === null) break
    address = previous
  }
  return address
}

const isWithin = (ranges: BlockList, address: string) =>
  isIP(address) !== 0 && ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Returns whether the office may be opened from a client's address. */
export const opensOffice = ({ officeAddresses }: Pick<Config, 'officeAddresses'>, address: string): boolean =>
  officeAddresses === null || isWithin(officeAddresses, address)

/** Returns whether a connection comes from a trusted proxy; every one does if TRUST_PROXY is a number above 0. */
export function isTrustedProxy(config: Pick<Config, 'trustProxy'>, remoteAddress: string): boolean {
  const { hops, ranges } = config.trustProxy
  const address = plainAddress(remoteAddress)
  if (!ranges) return hops > 0
  return address !== null && isWithin(ranges, address)
}

/**
 * Returns the bare address in a text such as '1.2.3.4:5678', '[::1]:80', '::ffff:1.2.3.4' or 'fe80::1%eth0'; null if it
 * is no address.
 */
function plainAddress(text: string): string | null {
  const trimmed = text.trim().replace(/^"|"$/g, '')
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1]
  const bare = (inBrackets ?? withPort ?? trimmed).replace(/%[\w.-]+$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  return isIP(mapped ?? bare) === 0 ? null : (mapped ?? bare)
}
