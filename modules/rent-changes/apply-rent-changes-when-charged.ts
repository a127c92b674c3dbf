/**
 * Applies a scheduled rent change to the lease when its first period is charged, reverts it when that period is
 * reversed, and ends the open rent changes of a closed lease.
 */
import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { applyNextRents, restoreRent } from '../leases/schedule-and-apply-next-rent.ts'

interface LeaseNextRent {
  lease_number: number
  next_rent: Cents | null
  next_rent_from: IsoDate | null
}

/** Returns the start of the first charged period at the new rent; null when no period has the new rent. */
export const firstPeriodAtNewRent = (
  { next_rent, next_rent_from }: Pick<LeaseNextRent, 'next_rent' | 'next_rent_from'>,
  starts: readonly IsoDate[],
): IsoDate | null =>
  next_rent === null || next_rent_from === null ? null : (starts.find((start) => start >= next_rent_from) ?? null)

/**
 * Makes the scheduled rent of the leases in `charged` their current rent.
 * @param charged first day of the first period at the new rent, by lease number
 */
export async function applyScheduledRents(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  locationCode: string,
  charged: ReadonlyMap<number, IsoDate>,
): Promise<void> {
  for (const [from, leases] of Map.groupBy(charged, ([, start]) => start)) {
    const numbers = leases.map(([number]) => number)
    await applyNextRents(tx, locationCode, numbers)
    await tx
      .updateTable('rent_changes')
      .set({ state: 'applied', applied_from: from, ended_at: services.clock.now() })
      .where('location_code', '=', locationCode)
      .where('lease_number', 'in', numbers)
      .where('state', '=', 'coming')
      .execute()
  }
}

/** Reverts an applied rent change to scheduled, because its first period was reversed before the period began. */
export async function revertAppliedRent(tx: Kysely<Tables>, lease: LeaseKey, from: IsoDate): Promise<void> {
  const { location_code, lease_number } = lease
  const change = await tx
    .updateTable('rent_changes')
    .set({ state: 'coming', applied_from: null, ended_at: null })
    .where((eb) => eb.and({ location_code, lease_number, state: 'applied', applied_from: from }))
    .returning(['old_rent', 'new_rent', 'not_before'])
    .executeTakeFirst()
  if (!change) return
  await restoreRent(tx, lease, { rent: change.old_rent, next: { rent: change.new_rent, from: change.not_before } })
}

/** Ends the open rent changes of a closed lease. */
export async function endOpenRentChanges(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  { location_code, lease_number }: LeaseKey,
): Promise<void> {
  await tx
    .updateTable('rent_changes')
    .set({ state: 'lapsed', ended_at: services.clock.now() })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('state', 'in', ['proposed', 'approved', 'coming'])
    .execute()
}
