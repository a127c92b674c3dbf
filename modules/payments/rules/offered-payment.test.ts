import { expect, test } from 'vitest'
import { offeredPayment } from './offered-payment.ts'

test('zero or less prepays, above pays dues', () => {
  expect([-500, 0, 1].map(offeredPayment)).toEqual(['prepay', 'prepay', 'dues'])
})
