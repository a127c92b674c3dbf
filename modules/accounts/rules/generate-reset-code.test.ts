import { expect, test } from 'vitest'
import { generateResetCode } from './generate-reset-code.ts'

test('the reset code has four digits, from 0000 to 9998', () => {
  expect(generateResetCode((low) => low)).toBe('0000')
  expect(generateResetCode((_, high) => high)).toBe('9998')
  expect(generateResetCode(() => 42)).toBe('0042')
})
