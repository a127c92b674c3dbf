import { expect, test } from 'vitest'
import { readCheque } from './scanned-check.ts'

test('the symbols say which number is which, wherever the bank prints the number of the check', () => {
  const numbers = { routingNumber: '061000104', accountNumber: '123456789' }
  for (const text of ['⑆061000104⑆ 123456789⑈ 1042', '⑈1042⑈ ⑆061000104⑆ 123456789⑈', '⑆061000104⑆123⑉456⑉789⑈ 1042'])
    expect(readCheque(text, 90)).toEqual(numbers)
  expect(readCheque('⑆061000104⑆ 1234567890123⑈ 1', 90)?.accountNumber).toBe('1234567890123')
})

test('what could be another account is none: two numbers in its field, something unread, a wrong check digit', () => {
  for (const text of [
    '⑆061000104⑆ 1042 123456789⑈',
    '⑆061000104⑆ 1234?6789⑈ 1042',
    '⑆06100?104⑆ 123456789⑈ 1042',
    '⑆061000105⑆ 123456789⑈ 1042',
    '061000104 123456789 1042',
    '⑆061000104⑆ 123456789 1042',
  ])
    expect(readCheque(text, 90)).toBeNull()
})

test('18 digits are too few, and a confidence of 45 too low', () => {
  expect(readCheque('⑆061000104⑆ 123456789⑈', 90)).toBeNull()
  expect(readCheque('⑆061000104⑆ 1234567890⑈', 45)).toBeNull()
  expect(readCheque('⑆061000104⑆ 1234567890⑈', 45.1)).not.toBeNull()
  expect(readCheque('⑆061000104⑆ 1234567890⑈', Number.NaN)).toBeNull()
})
