import { expect, test } from 'vitest'
import { drawResetCode } from './reset-code.ts'

test('the reset code has four digits, from 0000 to 9998', () => {
  expect(drawResetCode((low) => low)).toBe('0000')
  expect(drawResetCode((_, high) => high)).toBe('9998')
  expect(drawResetCode(() => 42)).toBe('0042')
})
