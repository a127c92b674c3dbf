import { expect, test } from 'vitest'
import { offeredPayment } from './offer-dues-or-prepay.ts'

test('offers prepaying at a balance of zero or less, and the dues above it', () => {
  expect([-500, 0, 1].map(offeredPayment)).toEqual(['prepay', 'prepay', 'dues'])
})
