import { describe, expect, test } from 'vitest'
import { cancunTime, endOfDay, formatInstantIn, isTimeZone, startOfDay, todayIn } from './time-zone-dates.ts'

const newYork = 'America/New_York'
// November 20, 2026, 11:30 pm in Cancun (UTC−5 all year), 10:30 pm in Chicago.
const lateEvening = Date.UTC(2026, 10, 21, 4, 30, 0)
const hour = 3_600_000

describe('a day at the facility', () => {
  test('follows the facility’s own clock', () => {
    expect(todayIn('America/Chicago', lateEvening)).toBe('2026-11-20')
    expect(todayIn('America/Cancun', lateEvening)).toBe('2026-11-20')
    expect(todayIn('UTC', lateEvening)).toBe('2026-11-21')
    expect(formatInstantIn('America/Chicago', lateEvening)).toBe('10:30 PM')
    expect(formatInstantIn('UTC', Date.UTC(2026, 0, 1, 0, 5))).toBe('12:05 AM')
    expect(formatInstantIn('UTC', Date.UTC(2026, 0, 1, 12, 0))).toBe('12:00 PM')
  })

  test('is the same day whatever was computed before, even if clocks are set back over midnight', () => {
    const around = (day: string, zone: string) => {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
      const noon = Date.parse(`${day}T12:00:00Z`)
      const instants = Array.from({ length: 200 }, (_, step) => noon - 36 * hour + step * (20 * 60_000 + 7_000))
      const expected = instants.map((instant) => format.format(instant))
      expect(instants.map((instant) => todayIn(zone, instant))).toEqual(expected)
      expect(instants.toReversed().map((instant) => todayIn(zone, instant))).toEqual(expected.toReversed())
    }
    around('2026-11-01', 'America/New_York')
    around('2026-03-08', 'America/New_York')
    // Set back at one minute past midnight: for 59 minutes it is yesterday again.
    around('2010-11-07', 'America/St_Johns')
    around('2018-02-18', 'America/Sao_Paulo')
    around('2011-12-30', 'Pacific/Apia')
  })

  test('ends where the next begins, also when the clocks change', () => {
    expect(endOfDay(newYork, '2026-11-20')).toBe(startOfDay(newYork, '2026-11-21'))
    expect(endOfDay(newYork, '2026-11-20') - startOfDay(newYork, '2026-11-20')).toBe(24 * hour)
    expect(endOfDay(newYork, '2026-11-01') - startOfDay(newYork, '2026-11-01')).toBe(25 * hour)
    expect(endOfDay(newYork, '2026-03-08') - startOfDay(newYork, '2026-03-08')).toBe(23 * hour)
    expect(todayIn(newYork, endOfDay(newYork, '2026-11-20') - 1)).toBe('2026-11-20')
    expect(todayIn(newYork, endOfDay(newYork, '2026-12-31'))).toBe('2027-01-01')
  })

  test('needs a time zone with a known name, not an offset', () => {
    expect(isTimeZone(newYork)).toBe(true)
    expect(isTimeZone('America/Nowhere')).toBe(false)
    expect(isTimeZone('')).toBe(false)
    expect(isTimeZone('+05:00')).toBe(false)
  })
})

describe('the time of a payment', () => {
  test('is Cancun time', () => {
    expect(cancunTime(lateEvening + 5_000)).toBe('2026-11-20T23:30:05-05:00')
  })
})
