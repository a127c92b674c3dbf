import { vi } from 'vitest'
import type { Scheduler } from '../../server/schedule.ts'

/** Below the 5 s that a connection of the pool may take, for that limit goes by the same faked timers. */
const STEP_MS = 4000

/**
 * Lets faked timers run for `milliseconds`, in steps that each wait for what the schedulers have begun: the
 * database takes its own time.
 *
 * @param advance Moves the clocks of the services by one step, in milliseconds.
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
