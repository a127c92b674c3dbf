/** When scheduled tasks run: by the server's own clock, so that one which was told another day (`CLOCK`) bills that day's midnight. */
import { Cron } from 'croner'
import type { Clock } from '../ports/clock.ts'

/** The clock may be set or the machine sleep meanwhile: it is looked at again no later than after this. */
const LOOK_AGAIN_MS = 30_000

/**
 * Runs something at the times of a pattern, in UTC, and never twice at once: a time that comes while the run before is still
 * under way is left out. Of times that were slept through one run is made.
 * @param when as croner reads it, seconds first
 * @returns what ends it; a run that is under way goes on
 */
export function runAt(clock: Clock, when: string, run: () => Promise<unknown>): () => void {
  const pattern = new Cron(when, { paused: true, timezone: 'UTC' })
  const after = (instant: number) => pattern.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY
  let due = after(clock.now())
  let running = false
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    const now = clock.now()
    if (now >= due) {
      due = after(now)
      if (!running) {
        running = true
        void run().finally(() => {
          running = false
        })
      }
    }
    wait()
  }
  const wait = () => {
    timer = setTimeout(look, Math.min(Math.max(due - clock.now(), 0), LOOK_AGAIN_MS))
  }
  wait()
  return () => clearTimeout(timer)
}
