import { vi } from 'vitest'
import type { Scheduler } from '../../server/schedule.ts'

/**
 * Length of a step of simulated time in milliseconds, less than the database pool's connection timeout of 5 s, which
 * runs on the same fake timers.
 */
const STEP_MS = 4000

/**
 * Advances fake timers by `milliseconds`, in steps. Each step waits for the work that the schedulers started, because
 * the database runs in real time.
 * @param advance moves the clocks of the services by one step, in milliseconds
 */
export async function passTime(
  schedulers: Scheduler[],
  milliseconds: number,
  advance: (step: number) => void,
): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
    advance(STEP_MS)
    await vi.advanceTimersByTimeAsync(STEP_MS)
    for (const scheduler of schedulers) await scheduler.settled()
  }
}
