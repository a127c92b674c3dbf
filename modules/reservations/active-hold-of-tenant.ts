import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'

/** Returns the tenant's newest reservation whose hold is active and has not lapsed; undefined where there is none. */
export async function loadActiveHold(
  db: Kysely<Tables>,
  tenantKey: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<Selectable<ReservationsTable> | undefined> {
  const rows = await db
    .selectFrom('reservations')
    .selectAll()
    .where((eb) => eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }))
    .orderBy('created_at', 'desc')
    .execute()
  // Filtered here: in SQL, the database might choose the index on `status, hold_until` and read every facility's holds.
  return rows.find((row) => row.status === 'active' && row.hold_until > now)
}
