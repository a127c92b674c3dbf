import { expect, it } from 'vitest'
import { gateHoursWithout24 } from './parse-gate-hours.ts'

it('shows only the gate hours to a tenant without 24-hour access', () => {
  for (const text of [
    '5 AM to 9 PM every day; around the clock with 24-hour access',
    '5 AM to 9 PM every day (24-hour access on request)',
    '5 AM to 9 PM every day, 24/7 for a fee',
    '5 AM to 9 PM every day. At any hour with 24 hour access',
    '5 AM to 9 PM every day',
  ])
    expect(gateHoursWithout24(text)).toBe('5 AM to 9 PM every day')
  expect(gateHoursWithout24('Mon–Fri 6 AM to 9 PM, Sat 8 AM to 6 PM')).toBe('Mon–Fri 6 AM to 9 PM, Sat 8 AM to 6 PM')
  expect(gateHoursWithout24('24 hours every day')).toBe('24 hours every day')
  expect(gateHoursWithout24('')).toBe('')
})
