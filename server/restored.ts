/** Looks all the time whether this database was put back to an earlier instant, and says so for as long as it holds. */
import { setTimeout as pause } from 'node:timers/promises'
import { type RestoreState, restoredMessage } from '../platform/installations/restore-guard.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Runtime } from './services.ts'

const LOOK_MS = 10_000
const SAY_MS = 60_000
/** A store that takes longer is not waited for: all is held until it answers. */
const PATIENCE_MS = 2000

export interface RestoreWatch {
  /** What people who look after the machines should know, or null. */
  says(): string | null
  /** Leaves a last mark: what comes after it is not lost by a restore to this instant. */
  leave(): Promise<void>
}

export async function watchRestored(
  { restoreGuard, services: { errors } }: Pick<Runtime, 'restoreGuard' | 'services'>,
  { metrics, log }: { metrics: Metrics; log: Log },
): Promise<RestoreWatch> {
  let [before, saidAt]: [RestoreState, number] = ['open', Number.NEGATIVE_INFINITY]
  const look = async () => {
    const unanswered = await restoreGuard.look().then(
      () => null,
      (error: unknown) => error,
    )
    const { state } = restoreGuard
    metrics.restored.set(state === 'open' ? 0 : 1)
    if (state === 'open' && before !== 'open') log.info('mail, charges and billing go on')
    before = state
    if (state === 'open' || performance.now() - saidAt < SAY_MS) return
    saidAt = performance.now()
    if (state === 'restored') log.error(restoredMessage())
    else log.error({ err: unanswered }, stillUnknown)
  }
  await Promise.race([look(), pause(PATIENCE_MS, undefined, { ref: false })])
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()
  return {
    says: () => ({ open: null, restored: restoredMessage(), unknown: stillUnknown })[restoreGuard.state],
    async leave() {
      clearInterval(timer)
      const left = restoreGuard.leaveMark().catch((error: unknown) => errors.report(error, { chore: 'leave a mark' }))
      await Promise.race([left, pause(PATIENCE_MS, undefined, { ref: false })])
    },
  }
}

const stillUnknown =
  'The files have not answered since the start, so whether this database was put back is not known: nothing is mailed, charged or billed until they do.'
