import { expect, test } from 'vitest'
import { readCheque } from './cheque.ts'

test('the first nine digits are the routing number, the next nine the account number', () => {
  expect(readCheque('⑆021000021⑆ 123456789⑈ 1', 90)).toEqual({ routingNumber: '021000021', accountNumber: '123456789' })
})

test('18 digits are too few, and a confidence of 45 too low', () => {
  expect(readCheque('021000021123456789', 90)).toBeNull()
  expect(readCheque('0210000211234567890', 45)).toBeNull()
  expect(readCheque('0210000211234567890', 45.1)).not.toBeNull()
  expect(readCheque('0210000211234567890', Number.NaN)).toBeNull()
})
