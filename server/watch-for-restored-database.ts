/**
 * Checks every ten seconds whether the database was restored from a backup, and reports it until the operator resumes.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE } from '../domain/durations.ts'
import { type RestoreState, restoredMessage } from '../platform/server-registry/detect-restored-database.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Runtime } from './services.ts'

const POLL_MS = 10_000
const REPORT_INTERVAL_MS = MINUTE
/**
 * Time in milliseconds that start and stop of the server wait for the file store. Until it has responded, mails,
 * charges and billing wait.
 */
const TIMEOUT_MS = 2000

/** Handle of the server's repeated check whether its database was restored from a backup. */
export interface RestoreWatch {
  /** Returns a message for administrators of the servers; null while the database is known to be no restored copy. */
  message(): string | null
  /** Stops the checks. Unless the database is a restored copy, writes a last mark, which shows until when it was current. */
  leave(): Promise<void>
}

/**
 * Starts the repeated check whether the database was restored from a backup. Waits for the first check, at most two
 * seconds.
 */
export async function watchRestored(
  { restoreGuard, services: { errors } }: Pick<Runtime, 'restoreGuard' | 'services'>,
  { metrics, log }: { metrics: Metrics; log: Log },
): Promise<RestoreWatch> {
  let previousState: RestoreState = 'open'
  let reportedAt = Number.NEGATIVE_INFINITY
  const check = async () => {
    const failure = await restoreGuard.checkState().then(
      () => null,
      (error: unknown) => error,
    )
    const { state } = restoreGuard
    metrics.restored.set(state === 'open' ? 0 : 1)
    if (state === 'open' && previousState !== 'open') log.info('mail, charges and billing go on')
    previousState = state
    if (state === 'open' || performance.now() - reportedAt < REPORT_INTERVAL_MS) return
    reportedAt = performance.now()
    if (state === 'restored') log.error(restoredMessage())
    else log.error({ err: failure }, stillUnknown)
  }
  await Promise.race([check(), pause(TIMEOUT_MS, undefined, { ref: false })])
  const timer = setInterval(() => void check(), POLL_MS)
  timer.unref()
  return {
    message: () => ({ open: null, restored: restoredMessage(), unknown: stillUnknown })[restoreGuard.state],
    async leave() {
      clearInterval(timer)
      const writing = restoreGuard
        .leaveMark()
        .catch((error: unknown) => errors.report(error, { chore: 'leave a mark' }))
      await Promise.race([writing, pause(TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

const stillUnknown =
  'The files have not answered since the start, so whether this database was put back is not known: nothing is mailed, charged or billed until they do.'
