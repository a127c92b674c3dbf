import { expect, test } from 'vitest'
import { cardFeeApplies } from './card-fee-applies.ts'

test('the fee is for cards without autopay where the location has one', () => {
  expect(cardFeeApplies({ ccFee: true, autopay: false, method: 'CC' })).toBe(true)
  expect(cardFeeApplies({ ccFee: true, autopay: true, method: 'CC' })).toBe(false)
  expect(cardFeeApplies({ ccFee: true, autopay: false, method: 'ACH' })).toBe(false)
  expect(cardFeeApplies({ ccFee: false, autopay: false, method: 'CC' })).toBe(false)
})
