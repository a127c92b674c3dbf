import { expect, test } from 'vitest'
import { prepayOrDues } from './offered-payment.ts'

test('zero or less prepays, above pays dues', () => {
  expect([-500, 0, 1].map(prepayOrDues)).toEqual(['prepay', 'prepay', 'dues'])
})
