import { expect, test } from 'vitest'
import { isLoopback, isPrivateAddress } from './private-addresses.ts'

test.each([
  ['127.0.0.1', true, true],
  ['127.8.0.1', true, true],
  ['::1', true, true],
  ['10.1.2.3', false, true],
  ['172.31.0.1', false, true],
  ['172.32.0.1', false, false],
  ['192.168.0.9', false, true],
  ['169.254.7.7', false, true],
  ['169.255.0.1', false, false],
  ['fd00::7', false, true],
  ['fe80::1', false, true],
  ['2001:db8::1', false, false],
  ['203.0.113.9', false, false],
])('%s: loopback %s, private %s', (address, loopback, isPrivate) => {
  expect([isLoopback(address), isPrivateAddress(address)]).toEqual([loopback, isPrivate])
})
