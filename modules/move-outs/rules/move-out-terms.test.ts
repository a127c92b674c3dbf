import { expect, test } from 'vitest'
import { moveOutDate } from './earliest-move-out.ts'

test('the earliest move-out is tomorrow', () => {
  expect(moveOutDate('2026-12-31')).toBe('2027-01-01')
})
