import { expect, it } from 'vitest'
import { SteadyClock } from './clock-ignoring-jumps.ts'

const DAY = 86_400_000

function clockAt(instant: number) {
  const at = { machine: instant, monotonic: 0 }
  const clock = new SteadyClock(() => at.machine, { monotonic: () => at.monotonic })
  return { at, clock }
}

it('follows a machine that wakes two days later, and not one whose clock jumps by sixty days', () => {
  const { at, clock } = clockAt(1000 * DAY)
  at.machine += 2 * DAY
  expect(clock.now()).toBe(1002 * DAY)
  for (const jump of [60 * DAY, -60 * DAY]) {
    at.machine = 1002 * DAY + jump
    at.monotonic += 1000
    expect(clock.now()).toBe(1002 * DAY + at.monotonic)
  }
})

it('follows the database’s time if the machine is sixty days ahead, and no later jump of either', () => {
  const { at, clock } = clockAt(1060 * DAY)
  clock.follow(1000 * DAY)
  at.machine += 90 * DAY
  at.monotonic += 5000
  expect(clock.now()).toBe(1000 * DAY + 5000)
  clock.follow(1000 * DAY + 6000)
  expect(clock.now()).toBe(1000 * DAY + 6000)
  clock.follow(1060 * DAY)
  expect(clock.now()).toBe(1000 * DAY + 6000)
})
