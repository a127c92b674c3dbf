import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fixedClock } from '../ports/testing-clock-and-random.ts'
import { createBillingProbe, scheduleCron, yieldToRequests } from './schedule.ts'

const MINUTE = 60_000
const clock = fixedClock(0)
beforeEach(() => {
  clock.set(Date.parse('2027-03-01T04:59:30Z'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Advances the faked timers and the clock given to the scheduler together, second by second. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    clock.advance(1000)
    await vi.advanceTimersByTimeAsync(1000)
  }
}

it('follows the given clock, whatever the machine’s clock shows', async () => {
  const runs: string[] = []
  const end = scheduleCron(clock, '0 1 * * * *', async () => runs.push(new Date(clock.now()).toISOString()))
  await pass(MINUTE)
  expect(runs).toEqual([])
  await pass(62 * MINUTE)
  expect(runs).toEqual(['2027-03-01T05:01:00.000Z', '2027-03-01T06:01:00.000Z'])
  end()
  await pass(62 * MINUTE)
  expect(runs).toHaveLength(2)
})

it('runs missed tasks once, soon after the machine slept', async () => {
  let runs = 0
  const end = scheduleCron(clock, '0 1 * * * *', async () => runs++)
  clock.advance(4.5 * 60 * MINUTE)
  await pass(MINUTE)
  expect(runs).toBe(1)
  await pass(30 * MINUTE)
  expect(runs).toBe(1)
  end()
})

it('continues at the next due time after a clock that was far ahead is set back', async () => {
  let runs = 0
  const end = scheduleCron(clock, '0 1 * * * *', async () => runs++)
  clock.advance(60 * 24 * 60 * MINUTE)
  await pass(MINUTE)
  clock.advance(-60 * 24 * 60 * MINUTE)
  await pass(MINUTE)
  expect(runs).toBe(1)
  await pass(60 * MINUTE)
  expect(runs).toBe(2)
  end()
})

it('never runs twice at the same time', async () => {
  let begun = 0
  let finish = () => {}
  const end = scheduleCron(clock, '*/5 * * * * *', () => {
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

it('pauses while many requests are in flight, and continues when few are, after a moment, or for late jobs', async () => {
  const crowd = [9, 9, 5, 4]
  await yieldToRequests(() => crowd.shift() ?? 0, 0)
  expect(crowd).toEqual([])

  let polls = 0
  const always = () => {
    polls += 1
    return 200
  }
  await yieldToRequests(always, 30_000)
  expect(polls).toBe(50)
  await yieldToRequests(always, 30_001)
  expect(polls).toBe(50)
})

it('pauses for billing, however late jobs are', async () => {
  let polls = 0
  await yieldToRequests(
    () => 0,
    60_000,
    () => ++polls < 2,
  )
  expect(polls).toBe(2)
})

it('reads at most once a second whether any process bills, and returns the last result meanwhile', async () => {
  let calls = 0
  const answers = [async () => true, async () => Promise.reject(new Error('no database'))]
  const billing = createBillingProbe({ isHeld: () => answers[calls++]?.() ?? Promise.resolve(false) })
  expect(billing()).toBe(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(billing()).toBe(true)
  expect(calls).toBe(1)
})
