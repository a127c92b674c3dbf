/** Collects the gauges, which are read from database and process instead of counted. */
import { MINUTE } from '../domain/durations.ts'
import { loadGateHealth } from '../modules/gate/watch-gates.ts'
import {
  countAutopayDue,
  countBalanceMismatches,
  countOpenOrders,
  countOpenRefunds,
  countUnbilledFacilities,
  loadChoreRuns,
  loadOpenJobCounts,
  loadSnapshotCounts,
} from '../modules/reports/monitoring-counts.ts'
import { BACKUP } from '../platform/chores/chore-locks.ts'
import { measureClockOffset } from '../platform/clock-guard.ts'
import { countSyncStandbys } from '../platform/database/count-synchronous-standbys.ts'
import { countConnections, observeRoundTrips } from '../platform/database/pool-metrics.ts'
import type { SealingKey } from '../platform/encryption/sealer.ts'
import type { Services } from '../platform/operations/services.ts'
import { hasWrongKeys } from '../platform/server-registry/key-checks.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import type { Metrics } from './metrics.ts'

const seconds = (ms: number) => Math.max(0, ms) / 1000

const openStates = ['created', 'presented', 'captured', 'refund_due'] as const

/**
 * Reads the gauges of the whole database, as a chore once a minute.
 * @returns always 0, since this chore handles no items that could be counted
 */
export async function collectDatabaseGauges(services: Services, metrics: Metrics): Promise<number> {
  const { db, clock } = services
  const gauges = metrics.ofTheDatabase
  const counts = await loadSnapshotCounts(services)
  const orders = await countOpenOrders(services)
  const jobs = await loadOpenJobCounts(services)
  const chores = await loadChoreRuns(services)
  const now = clock.now()
  for (const [status, count] of Object.entries(counts.units)) gauges.units.set({ status }, Number(count))
  for (const [stage, count] of Object.entries(counts.dunning)) gauges.dunning.set({ stage }, Number(count))
  for (const state of openStates) {
    const oldest = orders.find((order) => order.state === state)
    gauges.paymentsOpen.set({ state }, Number(oldest?.count ?? 0))
    gauges.paymentsOldest.set({ state }, oldest ? seconds(now - Number(oldest.since)) : 0)
  }
  gauges.paymentsReview.set(Number(orders.find(({ state }) => state === 'review')?.count ?? 0))
  gauges.refundsOpen.set(await countOpenRefunds(services))
  gauges.facilitiesBehind.set(await countUnbilledFacilities(services))
  gauges.autopayDue.set(await countAutopayDue(services))
  const gates = await loadGateHealth(services)
  gauges.gatesSilent.set(gates.silent)
  gauges.gateCodesWaiting.set({ why: 'late' }, gates.late)
  gauges.gateCodesWaiting.set({ why: 'refused' }, gates.refused)
  gauges.gateCodesWaiting.set({ why: 'hours' }, gates.lateHours)
  gauges.jobs.reset()
  gauges.jobsOldest.reset()
  for (const { kind, state, count, due } of jobs) {
    gauges.jobs.set({ kind, state }, Number(count))
    if (state === 'waiting') gauges.jobsOldest.set({ kind }, seconds(now - Number(due)))
  }
  for (const run of chores) measureChore(gauges, run)
  gauges.balancesOff.set(await countBalanceMismatches(services))
  gauges.syncStandbys.set(await countSyncStandbys(db.read))
  metrics.wasRead()
  return 0
}

function measureChore(
  gauges: Metrics['ofTheDatabase'],
  { chore, succeeded_at, took_ms }: Awaited<ReturnType<typeof loadChoreRuns>>[number],
): void {
  if (succeeded_at === null) return
  gauges.choreSuccess.set({ chore }, succeeded_at / 1000)
  gauges.choreSeconds.set({ chore }, (took_ms ?? 0) / 1000)
  if (chore === BACKUP) gauges.backupSuccess.set(succeeded_at / 1000)
  if (chore === 'bill') gauges.billingSuccess.set(succeeded_at / 1000)
}

const INTERVAL_MS = MINUTE

/**
 * Reads the gauges of this process once a minute, and those of its connections at each request of `/metrics`.
 * @param parts.machine clock whose difference from the database's is measured
 * @returns a function that ends the minutely readings
 */
export function collectProcessGauges(
  { db, errors }: Services,
  { metrics, keys, machine }: { metrics: Metrics; keys: readonly SealingKey[]; machine: Clock },
): () => void {
  observeRoundTrips((ms) => metrics.dbTrips.observe(ms / 1000))
  metrics.onCollect(() => {
    const { waiting, ...connections } = countConnections()
    for (const [state, count] of Object.entries(connections)) metrics.poolConnections.set({ state }, count)
    metrics.poolWaiting.set(waiting)
  })
  const measure = async () => {
    metrics.clockSkew.set((await measureClockOffset(db.read, machine)) / 1000)
    metrics.keysMismatch.set((await hasWrongKeys(db, keys)) ? 1 : 0)
  }
  const timer = setInterval(
    () => void measure().catch((error: unknown) => errors.report(error, { chore: 'look' })),
    INTERVAL_MS,
  )
  timer.unref()
  return () => clearInterval(timer)
}
