import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'

/** The newest reservation of a tenant whose unit is held now. */
export async function heldReservation(
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<Selectable<ReservationsTable> | undefined> {
  const rows = await db
    .selectFrom('reservations')
    .selectAll()
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .orderBy('created_at', 'desc')
    .execute()
  // Not asked of the database: by state or end it would go through the holds of every facility.
  return rows.find((one) => one.status === 'active' && one.hold_until > now)
}
