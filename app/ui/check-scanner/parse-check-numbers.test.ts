import { expect, test } from 'vitest'
import { readCheck } from './parse-check-numbers.ts'

test('identifies each number by its symbols, wherever the bank prints the check number', () => {
  const numbers = { routingNumber: '061000104', accountNumber: '123456789' }
  for (const text of ['⑆061000104⑆ 123456789⑈ 1042', '⑈1042⑈ ⑆061000104⑆ 123456789⑈', '⑆061000104⑆123⑉456⑉789⑈ 1042'])
    expect(readCheck(text, 90)).toEqual(numbers)
  expect(readCheck('⑆061000104⑆ 1234567890123⑈ 1', 90)?.accountNumber).toBe('1234567890123')
})

test('rejects two account numbers, an unread digit, a wrong check digit or missing symbols', () => {
  for (const text of [
    '⑆061000104⑆ 1042 123456789⑈',
    '⑆061000104⑆ 1234?6789⑈ 1042',
    '⑆06100?104⑆ 123456789⑈ 1042',
    '⑆061000105⑆ 123456789⑈ 1042',
    '061000104 123456789 1042',
    '⑆061000104⑆ 123456789 1042',
  ])
    expect(readCheck(text, 90)).toBeNull()
})

test('rejects 18 digits or a confidence of 45', () => {
  expect(readCheck('⑆061000104⑆ 123456789⑈', 90)).toBeNull()
  expect(readCheck('⑆061000104⑆ 1234567890⑈', 45)).toBeNull()
  expect(readCheck('⑆061000104⑆ 1234567890⑈', 45.1)).not.toBeNull()
  expect(readCheck('⑆061000104⑆ 1234567890⑈', Number.NaN)).toBeNull()
})
