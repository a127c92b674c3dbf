import type { Kysely } from 'kysely'
import { HOUR } from '../domain/durations.ts'
import { addDays } from '../domain/plain-date.ts'
import { endOfDay, todayIn } from '../domain/time-zone-dates.ts'
import { AWAITING_INSPECTION, OUT_OF_SERVICE } from '../modules/facilities/availability.ts'
import { selectLeasesWithTenants } from '../modules/leases/select-leases-with-tenants.ts'
import { VACATE_REASON_ID } from '../modules/move-outs/schedule-and-cancel-move-out.ts'
import { type Database, isUniqueViolation } from '../platform/database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'
import { facilities } from './facilities.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { reservationLinkUuid } from './tenancies.ts'

/** Facilities where the demo's field staff member works. */
const rounds = ['ATL01', 'ATL02'] as const

/** Repairs of the units out of service; `back` is the number of days until they can be rented again. */
const repairs: Record<(typeof rounds)[number], { reason: string; back: number }> = {
  ATL01: { reason: 'Door spring broken, part ordered', back: 5 },
  ATL02: { reason: 'Roof leaks in the far corner', back: 12 },
}

/**
 * Adds field work once to each facility of `rounds`: vacated units to inspect, locks to set and to remove, a unit under
 * repair, a move-out and a move-in of today and, at ATL01, a transfer.
 */
export async function seedFieldWork(db: Database, { clock }: Pick<SeedParts, 'clock'>): Promise<void> {
  const manager = await db.read
    .selectFrom('staff_roles')
    .select('staff_id')
    .where('role', '=', 'manager')
    .executeTakeFirst()
  for (const location_code of rounds) {
    const existing = await db.read
      .selectFrom('units_out_of_service')
      .select('unit_id')
      .where('location_code', '=', location_code)
      .limit(1)
      .executeTakeFirst()
    if (existing) continue
    const { timeZone } = facilities.find((facility) => facility.code === location_code) ?? { timeZone: 'UTC' }
    const work = { location_code, staff_id: manager?.staff_id ?? '', now: clock.now() }
    const today = todayIn(timeZone, work.now)
    try {
      await db.transaction(async (tx) => {
        await seedLocks(tx, work, today)
        await seedRepairs(tx, work, today)
        await seedVacatedUnits(tx, work, today)
        await seedMoves(tx, work, today, timeZone)
      })
    } catch (error) {
      // Another process that started at the same time has added the same records.
      if (!isUniqueViolation(error)) throw error
    }
  }
}

interface FieldWork {
  location_code: (typeof rounds)[number]
  staff_id: string
  now: number
}

async function seedRepairs(
  tx: Kysely<Tables>,
  { location_code, staff_id, now }: FieldWork,
  today: string,
): Promise<void> {
  const offUnits = await tx
    .updateTable('units')
    .set({ held_by: OUT_OF_SERVICE })
    .where((eb) => eb.and({ location_code, status: 'off' }))
    .returning('unit_id')
    .execute()
  const { reason, back } = repairs[location_code]
  for (const { unit_id } of offUnits)
    await tx
      .insertInto('units_out_of_service')
      .values({ location_code, unit_id, reason, back_on: addDays(today, back), staff_id, since_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Selects leases without autopay, auction and scheduled move-out, of tenants without an account; the newest first. */
const ordinaryLeases = (tx: Kysely<Tables>, location_code: string) =>
  selectLeasesWithTenants(tx)
    .select(['leases.lease_number', 'leases.unit_id', 'leases.unit_number', 'leases.gate_code'])
    .where('leases.location_code', '=', location_code)
    .where('account_id', 'is', null)
    .where('autopay', '=', 0)
    .where('auction_prepped', '=', 0)
    .where('scheduled_move_out', 'is', null)
    .orderBy('leases.lease_number', 'desc')

/** Closes two current leases as of yesterday, so that their units await inspection. */
async function seedVacatedUnits(tx: Kysely<Tables>, { location_code }: FieldWork, today: string): Promise<void> {
  const leases = await ordinaryLeases(tx, location_code).where('leases.status', '=', 'Current').limit(2).execute()
  for (const { lease_number, unit_id, gate_code } of leases) {
    await tx
      .updateTable('leases')
      .set({ status: 'Closed', closed_on: addDays(today, -1), scheduled_move_out: addDays(today, -1) })
      .where((eb) => eb.and({ location_code, lease_number }))
      .execute()
    await tx
      .updateTable('units')
      .set({ status: 'off', held_by: AWAITING_INSPECTION })
      .where((eb) => eb.and({ location_code, unit_id }))
      .execute()
    await tx
      .updateTable('gate_codes')
      .set({ active: 0 })
      .where((eb) => eb.and({ location_code, gate_code }))
      .execute()
  }
}

/** Reservation codes of the demo's reservations with move-in on the first day of the demo, by facility. */
export const todaysReservationCodes: Record<(typeof rounds)[number], string> = {
  ATL01: 'B6TKD4WNRM',
  ATL02: 'G8PXJ2VQZC',
}

/** Adds a move-out today, a reservation for a move-in today by the tenant of another unit, and at ATL01 a transfer. */
async function seedMoves(
  tx: Kysely<Tables>,
  { location_code, now }: FieldWork,
  today: string,
  timeZone: string,
): Promise<void> {
  const [leavingLease] = await ordinaryLeases(tx, location_code)
    .where('leases.status', '=', 'Current')
    .limit(1)
    .execute()
  if (leavingLease)
    await tx
      .updateTable('leases')
      .set({ scheduled_move_out: today, move_out_reason: VACATE_REASON_ID })
      .where((eb) => eb.and({ location_code, lease_number: leavingLease.lease_number }))
      .execute()
  const template = await tx
    .selectFrom('reservations')
    .selectAll()
    .where((eb) => eb.and({ location_code, status: 'active' }))
    .executeTakeFirst()
  const arrivingLease = await ordinaryLeases(tx, location_code)
    .select('leases.tenant_id')
    .where('leases.status', '=', 'Pre-Paid')
    .executeTakeFirst()
  const unit =
    template &&
    (await tx
      .selectFrom('units')
      .select(['unit_id', 'unit_number'])
      .where((eb) => eb.and({ location_code, status: 'free', unit_type_id: template.unit_type_id }))
      .orderBy('unit_id', 'desc')
      .executeTakeFirst())
  if (!template || !arrivingLease || !unit) return
  const reservation_code = todaysReservationCodes[location_code]
  const hold_until = endOfDay(timeZone, today)
  const { tenant_id } = arrivingLease
  await tx
    .insertInto('reservations')
    .values({ ...template, ...unit, reservation_code, tenant_id, required_date: today, hold_until })
    .execute()
  const prospect = await tx
    .selectFrom('prospects')
    .selectAll()
    .where('res_code', '=', template.reservation_code)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('prospects')
    .values({
      ...prospect,
      uuid: reservationLinkUuid(reservation_code),
      res_code: reservation_code,
      tenant_id,
      required_date: today,
    })
    .execute()
  if (location_code === 'ATL01')
    await seedTransfer(tx, { location_code, ...arrivingLease }, { ...unit, reservation_code, on: today, now })
  await tx
    .updateTable('units')
    .set({ status: 'held', held_by: reservation_code, held_until: hold_until })
    .where((eb) => eb.and({ location_code, unit_id: unit.unit_id }))
    .execute()
}

/** Adds an offered transfer to the held unit. The tenant keeps the old unit until two days after the new lease begins. */
async function seedTransfer(
  tx: Kysely<Tables>,
  from: { location_code: string; tenant_id: number; lease_number: number; unit_number: string },
  to: { unit_number: string; reservation_code: string; on: string; now: number },
): Promise<void> {
  const { location_code, tenant_id, lease_number, unit_number } = from
  const { unit_number: to_unit_number, reservation_code, on: starts_on } = to
  await tx
    .insertInto('transfers')
    .values({
      transfer_id: '0d5c2f0e-7c1c-4a51-9a3c-0f5b8f0f2c11',
      location_code,
      tenant_id,
      lease_number,
      unit_number,
      reservation_code,
      to_unit_number,
      to_lease: null,
      starts_on,
      overlap_days: 2,
      ends_on: null,
      state: 'offered',
      moved_cents: 0,
      opened_by: null,
      opened_at: to.now - HOUR,
      ended_at: null,
    })
    .execute()
}

/**
 * Overlocks up to four demo leases that are more than ten days past due. Records a lock as set on the first of them,
 * and on one lease that is paid ahead, where the lock is to be removed.
 */
async function seedLocks(
  tx: Kysely<Tables>,
  { location_code, staff_id, now }: FieldWork,
  today: string,
): Promise<void> {
  const pastDue = await ordinaryLeases(tx, location_code)
    .where('leases.status', '=', 'Past Due')
    .where('paid_through', '<', addDays(today, -10))
    .limit(4)
    .execute()
  for (const { lease_number } of pastDue)
    await tx
      .updateTable('leases')
      .set({ overlocked: 1 })
      .where((eb) => eb.and({ location_code, lease_number }))
      .execute()
  const prepaid = await ordinaryLeases(tx, location_code).where('leases.status', '=', 'Pre-Paid').limit(1).execute()
  for (const { lease_number, unit_number } of [...pastDue.slice(0, 1), ...prepaid])
    await tx
      .insertInto('locks_seen')
      .values({ location_code, lease_number, unit_number, state: 'on', note: '', staff_id, seen_at: now })
      .execute()
}
