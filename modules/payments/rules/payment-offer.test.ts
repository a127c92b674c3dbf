import { expect, test } from 'vitest'
import { isNumericUnit, prepayOrDues } from './payment-offer.ts'

test('zero or less prepays, above pays dues', () => {
  expect([-500, 0, 1].map(prepayOrDues)).toEqual(['prepay', 'prepay', 'dues'])
})

test('numeric unit numbers', () => {
  expect(isNumericUnit('0114')).toBe(true)
  expect(isNumericUnit('P12')).toBe(false)
  expect(isNumericUnit('')).toBe(false)
})
