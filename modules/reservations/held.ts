import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { ReservationsTable, Tables } from '../../platform/schema/tables.ts'

/** The newest reservation of a tenant whose unit is held now. */
export const heldReservation = (
  db: Kysely<Tables>,
  of: { locationCode: string; tenantId: number },
  now: Instant,
): Promise<Selectable<ReservationsTable> | undefined> =>
  db
    .selectFrom('reservations')
    .selectAll()
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .where('status', '=', 'active')
    .where('hold_until', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
