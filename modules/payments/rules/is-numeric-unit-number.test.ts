import { expect, test } from 'vitest'
import { isNumericUnit } from './is-numeric-unit-number.ts'

test('numeric unit numbers', () => {
  expect(isNumericUnit('0114')).toBe(true)
  expect(isNumericUnit('P12')).toBe(false)
  expect(isNumericUnit('')).toBe(false)
})
