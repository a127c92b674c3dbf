/** Reverses a billing run: offsets its charges, cancels its waiting mails, and informs tenants whose due mails were sent. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { isLease } from '../../platform/database/where-tenant-or-lease-key.ts'
import { cancelWaiting, enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { JobKinds } from '../../platform/schema/job-kinds.ts'
import type { JobState } from '../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { lockLeaseRow, requireToday } from '../leases/lock-lease-row.ts'
import { addEntries, type LedgerLine } from '../ledger/build-and-insert-entries.ts'
import { chargeKinds } from '../ledger/rules/ledger.ts'
import { updateStanding } from '../standing/update-standing.ts'

/** Result of reversing a billing run. */
export interface ReversedRun {
  leases: number
  entries: number
  /** Amount by which tenants owe less, in cents. */
  cents: Cents
  /** Number of waiting mails that were cancelled. */
  mails: number
  /** Number of leases whose tenants are mailed about the reversal, since a mail about an amount due had been sent. */
  notified: number
  /** Numbers of the facility's leases closed as of a day still to come, as by a run for a future day, for staff to check. */
  closed: number[]
}

interface Run {
  location_code: string
  run_number: number
}

const billingMails = [
  'payment_due',
  'past_due',
  'own_insurance_ending',
  'own_insurance_ended',
  'own_insurance_ended_office',
] as const

/** Returns whether the facility has a billing run with this number. */
export async function hasBillingRun(services: Services, run: Run): Promise<boolean> {
  const row = await services.db.read
    .selectFrom('billing_runs')
    .select('run_number')
    .where((eb) => eb.and(run))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Reverses a billing run, after which its day may be billed again. Continues after an interruption; repeating it
 * changes nothing.
 * @returns null where the facility has no such run
 */
export async function reverseRun(services: Services, run: Run): Promise<ReversedRun | null> {
  const { db } = services
  const row = await db.write
    .updateTable('billing_runs')
    .set({ state: 'reversed', held_for: null })
    .where((eb) => eb.and(run))
    .returning(['run_date', 'started_at', 'finished_at'])
    .executeTakeFirst()
  if (!row) return null
  const reversed: ReversedRun = { leases: 0, entries: 0, cents: 0, mails: 0, notified: 0, closed: [] }
  const span = { from: row.started_at, to: row.finished_at ?? services.clock.now() }
  const mails = await loadMails(services, run, span)
  const mailed = new Set(mails.filter(isDueMailSent).map(({ leaseNumber }) => leaseNumber))
  const leases = await db.read
    .selectFrom('ledger_entries')
    .select('lease_number')
    .distinct()
    .where('location_code', '=', run.location_code)
    .where('billing_run', '=', run.run_number)
    .where('posted_on', '=', row.run_date)
    .orderBy('lease_number')
    .execute()
  for (const { lease_number } of leases) {
    const lease = { location_code: run.location_code, lease_number }
    const result = await db.transaction((tx) => reverseLease(tx, services, run, lease, mailed.has(lease_number)))
    reversed.leases += result.entries > 0 ? 1 : 0
    reversed.entries += result.entries
    reversed.cents += result.cents
    reversed.notified += result.isNotified ? 1 : 0
  }
  reversed.mails = await cancelWaiting(
    db.write,
    mails.map(({ jobId }) => jobId),
  )
  const closed = await db.read
    .selectFrom('leases')
    .select('lease_number')
    .where((eb) => eb.and({ location_code: run.location_code, status: 'Closed' }))
    .where('closed_on', '>', await requireToday(db.read, services, run.location_code))
    .execute()
  reversed.closed = closed.map((lease) => lease.lease_number)
  return reversed
}

async function reverseLease(
  tx: Kysely<Tables>,
  services: Services,
  run: Run,
  lease: LeaseKey,
  wasMailed: boolean,
): Promise<{ entries: number; cents: Cents; isNotified: boolean }> {
  await lockLeaseRow(tx, lease)
  const lines = [...(await loadPeriodLines(tx, run, lease)), ...(await loadSingleLines(tx, run, lease))]
  const today = await requireToday(tx, services, lease.location_code)
  const entries = await addEntries(tx, services, lease, today, lines)
  if (entries === 0) return { entries, cents: 0, isNotified: false }
  await updateStanding(tx, services, lease)
  if (wasMailed) await notifyTenant(tx, services, run, lease, lines)
  return { entries, cents: -lines.reduce((sum, line) => sum + line.cents, 0), isNotified: wasMailed }
}

interface BillingMail {
  jobId: string
  kind: (typeof billingMails)[number]
  state: JobState
  leaseNumber: number
}

/** Returns whether a mail about an amount due or past due has been sent or is being sent. */
const isDueMailSent = ({ kind, state }: BillingMail): boolean =>
  (kind === 'payment_due' || kind === 'past_due') && (state === 'running' || state === 'done')

/**
 * Loads the mails of a billing run. Its time span alone does not identify them: a run that is repeated on a later day
 * keeps its start, so the runs of other days are within the span.
 */
async function loadMails(services: Services, run: Run, span: { from: Instant; to: Instant }): Promise<BillingMail[]> {
  const rows = await services.db.read
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'state', 'payload'])
    .where('kind', 'in', billingMails)
    .where('created_at', '>=', span.from)
    .where('created_at', '<=', span.to)
    .execute()
  return rows.flatMap(({ job_id: jobId, kind, state, payload }) => {
    const { locationCode, leaseNumber, billingRun }: JobKinds[BillingMail['kind']] = JSON.parse(payload)
    const isOfRun = locationCode === run.location_code && (billingRun ?? run.run_number) === run.run_number
    return isOfRun ? [{ jobId, kind: kind as BillingMail['kind'], state, leaseNumber }] : []
  })
}

async function notifyTenant(
  tx: Kysely<Tables>,
  services: Services,
  run: Run,
  lease: LeaseKey,
  lines: readonly LedgerLine[],
): Promise<void> {
  const written = await tx
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where((eb) => eb.and(lease))
    .where(
      'once',
      'in',
      lines.map(({ once }) => once),
    )
    .execute()
  await enqueue(tx, {
    kind: 'ledger_changed',
    once: `${lease.location_code}:${lease.lease_number}:run:${run.run_number}:back`,
    payload: {
      locationCode: lease.location_code,
      leaseNumber: lease.lease_number,
      act: 'take back',
      entryIds: written.map(({ entry_id }) => entry_id),
    },
    runAt: services.clock.now(),
  })
}

/**
 * Returns ledger lines that offset the charges of each period that the billing run charged to the lease, less what was
 * reversed already.
 */
async function loadPeriodLines(tx: Kysely<Tables>, run: Run, lease: LeaseKey): Promise<LedgerLine[]> {
  const charged = tx
    .selectFrom('ledger_entries')
    .select('period_start')
    .where((eb) => eb.and({ ...lease, billing_run: run.run_number }))
    .where('period_end', 'is not', null)
  const rows = await tx
    .selectFrom('ledger_entries')
    .select((eb) => ['kind', 'description', 'period_start', 'period_end', eb.fn.sum<number>('cents').as('cents')])
    .where((eb) => eb.and(lease))
    .where('kind', 'in', chargeKinds)
    .where('period_end', 'is not', null)
    .where('period_start', 'in', charged)
    .groupBy(['kind', 'description', 'period_start', 'period_end'])
    .orderBy('period_start')
    .orderBy('kind')
    .orderBy('description')
    .execute()
  return rows
    .filter(({ cents }) => Number(cents) !== 0)
    .map(({ kind, description, cents, period_start, period_end }, index) => ({
      kind,
      description,
      cents: -Number(cents),
      period: { start: period_start!, end: period_end },
      once: `run:${run.run_number}:back:${period_start}:${index}`,
    }))
}

/**
 * Returns ledger lines that offset the late fees that a billing run charged to a lease, and their tax, except those
 * that were waived.
 */
async function loadSingleLines(tx: Kysely<Tables>, run: Run, lease: LeaseKey): Promise<LedgerLine[]> {
  const rows = await tx
    .selectFrom('ledger_entries as e')
    .select(['kind', 'description', 'cents', 'posted_on', 'once'])
    .where(isLease(lease, 'e'))
    .where('e.billing_run', '=', run.run_number)
    .where('e.period_end', 'is', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('entry_reasons').select('act').whereRef('corrects', '=', 'e.entry_id'))),
    )
    .orderBy('once')
    .execute()
  return rows.map(({ kind, description, cents, posted_on, once }) => ({
    kind,
    description,
    cents: -cents,
    period: { start: posted_on, end: null },
    once: `run:${run.run_number}:back:${once}`,
  }))
}
