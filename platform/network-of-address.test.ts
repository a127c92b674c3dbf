import { expect, test } from 'vitest'
import { networkOf, roughNetwork } from './network-of-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:0:0:0:1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::ffff:102:304', '1.2.3.4'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network))

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:1.2.3.4', '1.2.3.0/24'],
  ['2001:db8:1:2::7', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('%s is logged as %s', (address, network) => expect(roughNetwork(address)).toBe(network))
