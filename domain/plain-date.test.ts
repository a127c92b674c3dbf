import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import {
  addDays,
  daysBetween,
  formatLong,
  formatShort,
  formatUs,
  formatUsShort,
  isValid,
  parseUs,
  weekday,
} from './plain-date.ts'

const anyDay = fc
  .integer({ min: -200_000, max: 1_000_000 })
  .map((days) => Temporal.PlainDate.from('1970-01-01').add({ days }).toString())

test('days are counted as the Temporal library counts them', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -100_000, max: 100_000 }), (date, days) => {
      const later = Temporal.PlainDate.from(date).add({ days })
      expect(addDays(date, days)).toBe(later.toString())
      expect(daysBetween(date, later.toString())).toBe(days)
      expect(weekday(date)).toBe(Temporal.PlainDate.from(date).dayOfWeek % 7)
    }),
    { numRuns: 500 },
  )
})

test('days are counted over month ends and leap days', () => {
  expect(addDays('2024-01-31', 29)).toBe('2024-02-29')
  expect(addDays('2024-01-31', 30)).toBe('2024-03-01')
  expect(addDays('2023-01-31', 29)).toBe('2023-03-01')
  expect(daysBetween('2000-02-28', '2000-03-01')).toBe(2)
  expect(daysBetween('1900-02-28', '1900-03-01')).toBe(1)
  expect(() => addDays('2026-02-30', 1)).toThrow(RangeError)
  expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
})

test('only real days are valid', () => {
  expect(isValid('2024-02-29')).toBe(true)
  for (const bad of ['2023-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01', 'today', '', 5, null]) {
    expect(isValid(bad)).toBe(false)
  }
})

test('dates are read as they are typed in the United States', () => {
  expect(parseUs('11/20/2026')).toBe('2026-11-20')
  expect(parseUs(' 3/5/2026 ')).toBe('2026-03-05')
  expect(parseUs('2026-03-05')).toBe('2026-03-05')
  for (const bad of ['20/11/2026', '2/29/2023', '3/5/26', '3-5-2026', '', '2026-02-30']) expect(parseUs(bad)).toBeNull()
  fc.assert(
    fc.property(anyDay, (date) => {
      expect(parseUs(formatUs(date))).toBe(date)
      expect(parseUs(formatUsShort(date))).toBe(date)
    }),
  )
})

test('dates are written out', () => {
  expect(formatUs('2026-11-20')).toBe('11/20/2026')
  expect(formatUsShort('2026-03-05')).toBe('3/5/2026')
  expect(formatLong('2026-11-20')).toBe('Friday, November 20, 2026')
  expect(formatShort('2026-05-01')).toBe('May 1')
})
