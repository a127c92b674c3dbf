import { expect, test } from 'vitest'
import { earliestMoveOutDate } from './earliest-move-out.ts'

test('the earliest move-out date is tomorrow', () => {
  expect(earliestMoveOutDate('2026-12-31')).toBe('2027-01-01')
})
