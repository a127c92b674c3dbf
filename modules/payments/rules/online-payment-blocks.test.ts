import { expect, test } from 'vitest'
import { addDays } from '../../../domain/plain-date.ts'
import { isNumericUnit, paymentBlock, paymentBlockText, prepayOrDues, showsComboCode } from './online-payment-blocks.ts'

const today = '2026-11-20'

test('allows payment 70 days after the paid-through date and blocks it on day 71', () => {
  const lease = (days: number) => ({ auctionPrepped: false, paidThrough: addDays(today, -days) })
  expect(paymentBlock(lease(70), today)).toBeNull()
  expect(paymentBlock(lease(71), today)).toBe('over_70_days')
  expect(paymentBlock(lease(-20), today)).toBeNull()
})

test('blocks payment for a unit prepared for auction, whatever its paid-through date', () => {
  expect(paymentBlock({ auctionPrepped: true, paidThrough: today }, today)).toBe('auction_prepped')
})

test('names the phone number to call in the message', () => {
  expect(paymentBlockText('over_70_days', '(404) 555-0100')).toMatch(/please call \(404\) 555-0100 and select option 3/)
  expect(paymentBlockText('auction_prepped', '(404) 555-0100')).toMatch(/make a payment - \(404\) 555-0100$/)
})

test('offers prepayment at a balance of zero or less, and payment of dues above', () => {
  expect([-500, 0, 1].map(prepayOrDues)).toEqual(['prepay', 'prepay', 'dues'])
})

test('shows the lock combination of a lease that is paid up, if it has one', () => {
  expect(showsComboCode({ comboCode: '4821', status: 'Current' })).toBe(true)
  expect(showsComboCode({ comboCode: '4821', status: 'Pre-Paid' })).toBe(true)
  expect(showsComboCode({ comboCode: '4821', status: 'Past Due' })).toBe(false)
  expect(showsComboCode({ comboCode: '0000', status: 'Current' })).toBe(false)
  expect(showsComboCode({ comboCode: '  ', status: 'Current' })).toBe(false)
})

test('recognizes numeric unit numbers', () => {
  expect(isNumericUnit('0114')).toBe(true)
  expect(isNumericUnit('P12')).toBe(false)
  expect(isNumericUnit('')).toBe(false)
})
