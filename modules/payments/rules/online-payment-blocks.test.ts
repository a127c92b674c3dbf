import { expect, test } from 'vitest'
import { addDays } from '../../../domain/plain-date.ts'
import { paymentBlock, paymentBlockText } from './online-payment-blocks.ts'

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
