import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { standingClock } from '../ports/testing.ts'
import { runAt } from './timetable.ts'

const MINUTE = 60_000
// A clock that a developer set to just before a midnight in Atlanta.
const clock = standingClock(0)
beforeEach(() => {
  clock.set(Date.parse('2027-03-01T04:59:30Z'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets the machine's time and the server's clock go on together, second by second. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    clock.advance(1000)
    await vi.advanceTimersByTimeAsync(1000)
  }
}

it('goes by the clock it is given, whatever the machine’s own shows', async () => {
  const runs: string[] = []
  const end = runAt(clock, '0 1 * * * *', async () => runs.push(new Date(clock.now()).toISOString()))
  await pass(MINUTE)
  expect(runs).toEqual([])
  await pass(62 * MINUTE)
  expect(runs).toEqual(['2027-03-01T05:01:00.000Z', '2027-03-01T06:01:00.000Z'])
  end()
  await pass(62 * MINUTE)
  expect(runs).toHaveLength(2)
})

it('after a sleep of the machine what was missed is done once, and soon', async () => {
  let runs = 0
  const end = runAt(clock, '0 1 * * * *', async () => runs++)
  clock.advance(4.5 * 60 * MINUTE)
  await pass(MINUTE)
  expect(runs).toBe(1)
  await pass(30 * MINUTE)
  expect(runs).toBe(1)
  end()
})

it('is never under way twice', async () => {
  let begun = 0
  let finish = () => {}
  const end = runAt(clock, '*/5 * * * * *', () => {
    begun++
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await pass(MINUTE)
  expect(begun).toBe(1)
  finish()
  await pass(6000)
  expect(begun).toBe(2)
  end()
})
