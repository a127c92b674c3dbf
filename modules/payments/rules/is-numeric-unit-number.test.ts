import { expect, test } from 'vitest'
import { isNumericUnit } from './is-numeric-unit-number.ts'

test('a unit number is numeric if it has only digits', () => {
  expect(isNumericUnit('0114')).toBe(true)
  expect(isNumericUnit('P12')).toBe(false)
  expect(isNumericUnit('')).toBe(false)
})
