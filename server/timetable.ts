import { Cron } from 'croner'
import type { Clock } from '../ports/clock.ts'

/** The clock may be set, or the machine sleep: look again at least this often. */
const LOOK_AGAIN_MS = 30_000

/**
 * Runs on a cron pattern in UTC by our own clock (`CLOCK`), never twice at once; missed times run once. @returns
 * what stops it
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
