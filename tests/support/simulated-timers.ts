import { setImmediate as nextLoop } from 'node:timers/promises'
import type { StartTimer } from '../../ports/clock-and-random.ts'
import type { Scheduler } from '../../server/schedule.ts'

/** Length of a step of simulated time in milliseconds; chores that are due each second run once a step. */
const STEP_MS = 4000

/** Timers that run only when a test advances them. Unlike fake timers, they leave those of database drivers alone. */
export class SimulatedTimers {
  readonly #waiting = new Set<{ at: number; run: () => void }>()
  #now = 0

  readonly start: StartTimer = (run, ms) => {
    const timer = { at: this.#now + ms, run }
    this.#waiting.add(timer)
    return () => this.#waiting.delete(timer)
  }

  /** Runs the timers that are due within `ms` milliseconds, in the order of their times. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#now = next.at
      this.#waiting.delete(next)
      next.run()
      await nextLoop()
    }
    this.#now = end
  }
}

/**
 * Advances the timers of schedulers by `milliseconds`, rounded up to whole steps. Each step waits for the work that the
 * schedulers started, because the database runs in real time.
 * @param advance moves the clocks of the services by one step, in milliseconds
 */
export async function passTime(
  timers: SimulatedTimers,
  schedulers: Scheduler[],
  milliseconds: number,
  advance: (step: number) => void,
): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
    advance(STEP_MS)
    await timers.advance(STEP_MS)
    for (const scheduler of schedulers) await scheduler.settled()
  }
}
