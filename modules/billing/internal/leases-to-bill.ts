import type { Kysely, Selectable } from 'kysely'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import type { LeasesTable, Tables } from '../../../platform/schema/tables.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'

/** A facility and the day for which its leases are billed. */
export interface BillingDay {
  facts: FacilityFacts
  date: IsoDate
  /** Last day before `date` that was billed; the day before `date` where none was. */
  since: IsoDate
  /**
   * Last day before `date` that was billed, for late fees; `date` itself where none was, since opening balances include
   * earlier late fees.
   */
  lateSince: IsoDate
  /** Day for status and overlock: `date`, but not before today, since a late run must not undo what holds today. */
  asOf: IsoDate
}

const columns = [
  'location_code',
  'lease_number',
  'tenant_id',
  'unit_id',
  'unit_type_id',
  'gate_code',
  'status',
  'paid_through',
  'rent',
  'next_rent',
  'next_rent_from',
  'insurance_status',
  'insurance_scheme_id',
  'insurance_premium',
  'insurance_notes',
  'autopay',
  'autopay_sealed',
  'autopay_refused_period',
  'autopay_refusals',
  'auction_prepped',
  'overlocked',
  'scheduled_move_out',
] as const

/** Columns of a lease that billing reads, with whether the tenant is on active military duty. */
export type BillableLease = Pick<Selectable<LeasesTable>, (typeof columns)[number]> & { activeMilitary: boolean }

/**
 * Loads the day's run and the next leases to bill, locking both on PostgreSQL.
 * @returns null where the run is not in progress
 */
export async function lockNextLeases(
  tx: Kysely<Tables>,
  day: BillingDay,
  maximum: number,
): Promise<{ runNumber: number | null; rows: BillableLease[] } | null> {
  const { location_code } = day.facts.location
  const canLock = engineOf(tx) === 'postgres'
  const run = await tx
    .selectFrom('billing_runs')
    .select(['state', 'done_through', 'run_number'])
    .where('location_code', '=', location_code)
    .where('run_date', '=', day.date)
    .$if(canLock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (run?.state !== 'running') return null
  const runNumber = run.run_number
  const leases = await tx
    .selectFrom('leases')
    .select(columns)
    .where('location_code', '=', location_code)
    .where('lease_number', '>', run.done_through)
    .where('status', '!=', 'Closed')
    .orderBy('lease_number')
    .limit(maximum)
    .$if(canLock, (query) => query.forNoKeyUpdate())
    .execute()
  if (leases.length === 0) return { runNumber, rows: [] }
  // A separate query, so that no plan joins a whole facility to find the next few leases.
  const onDuty = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('location_code', '=', location_code)
    .where(
      'tenant_id',
      'in',
      leases.map((lease) => lease.tenant_id),
    )
    .where('active_military', '=', 1)
    .execute()
  const military = new Set(onDuty.map((tenant) => tenant.tenant_id))
  return { runNumber, rows: leases.map((lease) => ({ ...lease, activeMilitary: military.has(lease.tenant_id) })) }
}
