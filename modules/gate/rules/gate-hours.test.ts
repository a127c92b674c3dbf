import { expect, it } from 'vitest'
import { isInGateHours } from './gate-hours.ts'

it('opens from the beginning of a day’s hours until their end', () => {
  const week = [['05:00', '21:00'] as const, null, ...Array(5).fill(['00:00', '24:00'] as const)]
  expect([299, 300, 1259, 1260].map((minute) => isInGateHours(week, 0, minute))).toEqual([false, true, true, false])
  expect([isInGateHours(week, 1, 12 * 60), isInGateHours(week, 2, 1439)]).toEqual([false, true])
})
