import { expect, it } from 'vitest'
import { facilities } from '../../../demo/facilities.ts'
import {
  formatDayHours,
  parseDayHours,
  proposedHours,
  saysOtherHours,
  weekHours,
} from './parse-and-format-gate-week.ts'

it('reads a day’s hours and writes them again', () => {
  expect([parseDayHours('5 AM to 9 PM'), parseDayHours(' 6:30 AM to 10 PM ')]).toEqual([
    ['05:00', '21:00'],
    ['06:30', '22:00'],
  ])
  expect([parseDayHours('24 hours'), parseDayHours('closed')]).toEqual([['00:00', '24:00'], null])
  for (const text of ['', '9 PM to 5 AM', '13 AM to 9 PM', 'Ask']) expect(parseDayHours(text)).toBeUndefined()
  for (const text of ['5 AM to 9 PM', '6:30 AM to 10 PM', '5 AM to 12 AM', '24 hours', 'Closed'])
    expect(formatDayHours(parseDayHours(text) ?? null)).toBe(text)
})

it('proposes hours from each demo facility’s text and invents none', () => {
  for (const { gateHours } of facilities) expect(parseDayHours(proposedHours(gateHours))).toHaveLength(2)
  expect(facilities.length).toBeGreaterThan(10)
  expect(proposedHours('24 hours every day')).toBe('24 hours')
  expect(proposedHours('6 AM to midnight')).toBe('6 AM to 12 AM')
  expect(proposedHours('Mon–Fri 6 AM to 9 PM, Sat 8 AM to 6 PM')).toBe('')
})

it('writes a week in words and detects a text that differs', () => {
  const day = ['05:00', '21:00'] as const
  const short = ['08:00', '12:30'] as const
  const all = Array.from({ length: 7 }, () => day)
  expect([weekHours(all), weekHours(Array(7).fill(null))]).toEqual(['5 AM to 9 PM every day', 'closed every day'])
  expect(weekHours([day, day, day, day, day, short, null])).toBe(
    'Monday to Friday 5 AM to 9 PM, Saturday 8 AM to 12:30 PM',
  )
  expect(weekHours([null, short, null, day, day, day, day])).toBe(
    'Tuesday 8 AM to 12:30 PM, Thursday to Sunday 5 AM to 9 PM',
  )
  const says = (text: string) => saysOtherHours(text, all)
  expect([says('5 AM to 9 PM every day'), says('6 AM to 9 PM every day'), says('Ask at the desk')]).toEqual([
    false,
    true,
    false,
  ])
})
