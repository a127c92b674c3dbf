import { expect, test } from 'vitest'
import { isWithin, reservationWindow } from './first-and-last-reservable-day.ts'

test('accepts today to the last day of the window, and not the day after', () => {
  const window = reservationWindow('2026-11-20', 14)
  expect(window).toEqual({ earliest: '2026-11-20', latest: '2026-12-03' })
  expect(isWithin(window, '2026-11-19')).toBe(false)
  expect(isWithin(window, '2026-11-20')).toBe(true)
  expect(isWithin(window, '2026-12-03')).toBe(true)
  expect(isWithin(window, '2026-12-04')).toBe(false)
  expect(isWithin(window, '2026-11-31')).toBe(false)
})

test('always contains today', () => {
  expect(reservationWindow('2026-11-20', 0).latest).toBe('2026-11-20')
})
