import { expect, it } from 'vitest'
import { isGateSpan, isInGateHours } from './gate-hours.ts'

it('reads spans and weekly hours', () => {
  expect([isGateSpan(['05:00', '21:00']), isGateSpan(['00:00', '24:00'])]).toEqual([true, true])
  for (const span of [
    ['21:00', '05:00'],
    ['5:00', '21:00'],
    ['05:00', '24:30'],
    ['05:60', '21:00'],
    ['', ''],
  ] as const)
    expect(isGateSpan(span)).toBe(false)
  const week = [['05:00', '21:00'] as const, null, ...Array(5).fill(['00:00', '24:00'] as const)]
  expect([299, 300, 1259, 1260].map((minute) => isInGateHours(week, 0, minute))).toEqual([false, true, true, false])
  expect([isInGateHours(week, 1, 12 * 60), isInGateHours(week, 2, 1439)]).toEqual([false, true])
})
