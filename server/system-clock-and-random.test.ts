import { describe, expect, test } from 'vitest'
import { clockAt, systemClock, systemRandom } from './system-clock-and-random.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('randomness', () => {
  test('integers include both ends and nothing beyond', () => {
    const values = new Set(Array.from({ length: 500 }, () => systemRandom.integer(3, 6)))
    expect([...values].sort()).toEqual([3, 4, 5, 6])
    expect(systemRandom.integer(9, 9)).toBe(9)
  })
  test('hexadecimal text has two digits to a byte', () => {
    expect(systemRandom.hex(16)).toMatch(/^[0-9a-f]{32}$/)
    expect(systemRandom.hex(16)).not.toBe(systemRandom.hex(16))
  })
  test('identifiers are UUIDs of version 4', () => {
    const ids = Array.from({ length: 200 }, () => systemRandom.uuid())
    for (const id of ids) expect(id).toMatch(UUID_V4)
    expect(new Set(ids).size).toBe(200)
  })
})

test('a clock set to a date has run since the process started', () => {
  const start = Date.parse('2026-02-28T23:59:00Z')
  const clock = clockAt(start)
  const before = performance.now()
  const first = clock.now()
  expect(first - start).toBeGreaterThanOrEqual(Math.floor(before))
  expect(first - start).toBeLessThanOrEqual(performance.now())
  const until = performance.now() + 3
  while (performance.now() < until);
  expect(clock.now()).toBeGreaterThan(first)
  expect(Number.isInteger(clock.now())).toBe(true)
})

test('the system clock is the machine’s', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
})
