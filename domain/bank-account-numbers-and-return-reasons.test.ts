import { expect, test } from 'vitest'
import {
  isAccountNumber,
  isRoutingNumber,
  maskAccountNumber,
  stripSeparators,
} from './bank-account-numbers-and-return-reasons.ts'

test('routing numbers carry a check digit', () => {
  for (const good of ['021000021', '011401533', '091000019', '322271627']) expect(isRoutingNumber(good)).toBe(true)
  for (const bad of ['021000022', '000000000', '12345678', '0210000210', '02100002a', '500000005', '']) {
    expect(isRoutingNumber(bad)).toBe(false)
  }
})

test('one wrong digit is always noticed', () => {
  const good = '021000021'
  for (let at = 0; at < 9; at++) {
    for (let digit = 0; digit < 10; digit++) {
      const number = good.slice(0, at) + digit + good.slice(at + 1)
      expect(isRoutingNumber(number)).toBe(number === good)
    }
  }
})

test('account numbers lose separators, have 4 to 17 digits and are masked to the last four', () => {
  expect(stripSeparators(' 1234 5678-90 ')).toBe('1234567890')
  expect(isAccountNumber('1234')).toBe(true)
  expect(isAccountNumber('123')).toBe(false)
  expect(isAccountNumber('123456789012345678')).toBe(false)
  expect(maskAccountNumber('1234567890')).toBe('****7890')
})
