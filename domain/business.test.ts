import { expect, test } from 'vitest'
import { auctionMoveOutDate, drawResetCode, moveOutDate, supportPhone } from './business.ts'

test('a move-out is for tomorrow, an auctioned unit’s for three days ahead', () => {
  expect(moveOutDate('2026-12-31')).toBe('2027-01-01')
  expect(auctionMoveOutDate('2026-02-27')).toBe('2026-03-02')
})

test('the reset code has four digits, from 0000 to 9998', () => {
  expect(drawResetCode((low) => low)).toBe('0000')
  expect(drawResetCode((_, high) => high)).toBe('9998')
  expect(drawResetCode(() => 42)).toBe('0042')
})

test('the nearest phone number is named', () => {
  expect(supportPhone({ location: '1', state: '2', operator: '3' })).toBe('1')
  expect(supportPhone({ location: ' ', state: '2', operator: '3' })).toBe('2')
  expect(supportPhone({ operator: '3' })).toBe('3')
  expect(supportPhone({})).toBe('')
})
