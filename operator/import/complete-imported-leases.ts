import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { type BilledColumns, updateBilledLeases } from '../../modules/leases/write-standing-columns.ts'
import { loadBalance } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { expireReservationsOfRentedUnits } from '../../modules/reservations/unit-holds.ts'
import { leaseStanding } from '../../modules/standing/lease-standing.ts'
import type { Database, Transaction } from '../../platform/database/open.ts'
import { advanceSequence } from '../../platform/database/sequences.ts'
import { splitIntoBatches } from '../../platform/database/split-into-batches.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { gateCodeColumns, type ImportServices, openingBalance } from './computed-staging-columns.ts'
import { columnListSql } from './load-staged-rows.ts'
import type { Staging } from './staging-tables.ts'

/**
 * Completes imported leases: marks their units as rented, expires those units' reservations, adds gate codes, and sets
 * status and overlock of leases that owe an opening balance.
 * @throws ChangedSince if another tenant has taken an imported gate code since the check
 */
export async function completeLeases(
  tx: Transaction<Tables>,
  db: Database,
  services: ImportServices,
  staging: Staging,
): Promise<void> {
  const now = services.clock.now()
  for (const location of staging.locationsOf('leases')) {
    await sql`update units set status = 'rented', held_by = null, held_until = null
      where location_code = ${location} and status <> 'rented' and exists (select 1 from leases
        where leases.location_code = units.location_code and leases.unit_id = units.unit_id
          and leases.status <> 'Closed' and leases.created_at = ${now} and leases.imported is not null)`.execute(tx)
    await expireReservationsOfRentedUnits(tx, location, now)
    await yieldToOthers()
  }
  for (const { chunk } of staging.chunks(db, 'gate_codes')) {
    // Leases of one tenant may share a code, which has 24-hour access if one of them pays for that ('24-hour' sorts first).
    await sql`insert into gate_codes (${columnListSql(gateCodeColumns)}, active, created_at)
      select location_code, gate_code, min(tenant_id), min(lease_number), min(time_zone_name), 1, cast(${now} as bigint)
      from ${chunk} as s where true group by location_code, gate_code order by location_code, gate_code
      on conflict (location_code, gate_code) where active = 1
        do update set time_zone_name = excluded.time_zone_name where excluded.time_zone_name = '24-hour'
          and gate_codes.tenant_id = excluded.tenant_id`.execute(tx)
    const codesOfOthers =
      await sql`select 1 from ${chunk} as s join gate_codes on gate_codes.location_code = s.location_code
      and gate_codes.gate_code = s.gate_code and gate_codes.active = 1
      where gate_codes.tenant_id <> s.tenant_id limit 1`.execute(tx)
    if (codesOfOthers.rows.length > 0) throw new ChangedSince()
    await yieldToOthers()
  }
  const days = await loadTodays(tx, services)
  for (const location of staging.locationsOf('ledger_entries')) {
    await updateStandings(tx, services, location, days.get(location)!)
    await yieldToOthers()
  }
}

/**
 * Sets status, auction flag and overlock of owing leases to which this import added an opening balance, so that an
 * overlock applies at the gate before the next billing.
 */
async function updateStandings(
  tx: Transaction<Tables>,
  services: ImportServices,
  location: string,
  today: IsoDate,
): Promise<void> {
  const leases = await selectStandings(tx)
    .where('leases.location_code', '=', location)
    .where('leases.status', '!=', 'Closed')
    .where('imported', 'is not', null)
    .where('lease_number', 'in', (eb) =>
      eb
        .selectFrom('ledger_entries')
        .select('lease_number')
        .where('location_code', '=', location)
        .where('once', 'like', `${openingBalance}%`)
        .where('created_at', '=', services.clock.now()),
    )
    .where('balance', '>', 0)
    .execute()
  const changes = leases.map((lease) => ({
    leaseNumber: lease.lease_number,
    change: standingChange(lease, lease.balance, today),
  }))
  for (const group of Map.groupBy(changes, ({ change }) => JSON.stringify(change)).values())
    for (const batch of splitIntoBatches(group)) {
      const numbers = batch.map(({ leaseNumber }) => leaseNumber)
      await updateBilledLeases(tx, location, numbers, group[0]!.change)
    }
}

/** Selects leases with the columns from which their standing is computed. */
const selectStandings = (tx: Transaction<Tables>) =>
  tx
    .selectFrom('leases')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .select(['leases.location_code', 'lease_number', 'leases.status', 'paid_through', 'balance'])
    .select(['auction_prepped', 'active_military'])
    .select(['autopay', 'autopay_sealed', 'autopay_refused_period', 'autopay_refusals'])

type StandingRow = Awaited<ReturnType<ReturnType<typeof selectStandings>['execute']>>[number]

/** Returns the columns of an open lease that follow from its balance in cents. The auction flag is kept or cleared, never set. */
function standingChange(lease: StandingRow, balance: Cents, today: IsoDate): BilledColumns {
  const { status, auctionPrepped, overlocked } = leaseStanding(
    lease,
    { activeMilitary: lease.active_military === 1, balance, paidThrough: lease.paid_through },
    today,
    null,
  )
  return { status, auction_prepped: auctionPrepped ? 1 : 0, overlocked: overlocked ? 1 : 0 }
}

async function loadTodays(tx: Transaction<Tables>, services: ImportServices): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('locations').select(['location_code', 'time_zone']).execute()
  return new Map(rows.map((row) => [row.location_code, todayIn(row.time_zone, services.clock.now())]))
}

/** Removes the auction flag from leases of tenants on active military duty, and an overlock that it alone caused. */
export async function clearMilitaryAuctionFlags(tx: Transaction<Tables>, services: ImportServices): Promise<void> {
  const days = await loadTodays(tx, services)
  const batch = 1000
  for (;;) {
    const leases = await selectStandings(tx)
      .where('active_military', '=', 1)
      .where('auction_prepped', '=', 1)
      .limit(batch)
      .execute()
    if (leases.length === 0) return
    for (const lease of leases) {
      const balance = await loadBalance(tx, lease.location_code, lease.lease_number)
      const today = days.get(lease.location_code)!
      const change = lease.status === 'Closed' ? { auction_prepped: 0 as const } : standingChange(lease, balance, today)
      await tx
        .updateTable('leases')
        .set(change)
        .where('location_code', '=', lease.location_code)
        .where('lease_number', '=', lease.lease_number)
        .where('auction_prepped', '=', 1)
        // The change was computed for the status that was read, so the next round changes a lease with another status.
        .where('status', '=', lease.status)
        .execute()
    }
  }
}

/**
 * Thrown when the site has used a number or code of the imported rows since the import checked them. The import then
 * writes nothing.
 */
export class ChangedSince extends Error {}

/** Loads the next tenant number of each facility. */
export const loadTenantNumbers = (db: Kysely<Tables>) =>
  db.selectFrom('counters').select(['location_code', 'next']).where('kind', '=', 'tenant').execute()

/**
 * Continues the numbering of tenants and leases after the imported ones.
 * @throws ChangedSince if the site has given a new tenant an imported number since the check
 */
export async function continueNumbering(
  tx: Transaction<Tables>,
  staging: Staging,
  nextTenantNumbers: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { location_code, next } of await loadTenantNumbers(tx)) {
    const from = nextTenantNumbers.get(location_code) ?? 0
    if (staging.hasNumberBetween('tenants', location_code, 'tenant_id', from, next)) throw new ChangedSince()
  }
  const tenants = await tx
    .selectFrom('tenants')
    .select(['location_code', (eb) => eb.fn.max('tenant_id').as('most')])
    .groupBy('location_code')
    .execute()
  const leases = await tx
    .selectFrom('leases')
    .select(['location_code', (eb) => eb.fn.max('lease_number').as('most')])
    .groupBy('location_code')
    .execute()
  for (const row of tenants) await advanceSequence(tx, row.location_code, 'tenant', Number(row.most))
  for (const row of leases) await advanceSequence(tx, row.location_code, 'lease', Number(row.most))
}
